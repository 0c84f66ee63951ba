package main

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// words matches the words of a command line, quoted or not.
var words = regexp.MustCompile(`"[^"]*"|\S+`)

// TestHelp parses the examples of every command, and checks that the usual flags come before the others.
func TestHelp(t *testing.T) {
	eachCommand((&program{}).rootCommand(), func(cmd *cobra.Command) {
		if cmd.Hidden || !cmd.Runnable() || cmd.HasSubCommands() {
			return
		}
		path := helpPath(cmd)
		if cmd.Example == "" {
			t.Errorf("%s has no example", path)
		}
		for example := range strings.Lines(cmd.Example) {
			line, _, _ := strings.Cut(example, "#")
			line, _, _ = strings.Cut(line, ">")
			var args []string
			for _, word := range words.FindAllString(line, -1) {
				args = append(args, strings.Trim(word, `"`))
			}
			if args[0] != "ctxnorm" {
				t.Errorf("example of %s: %s", path, example)
				continue
			}
			found, rest, err := (&program{}).rootCommand().Find(args[1:])
			if err != nil || helpPath(found) != path {
				t.Errorf("example of %s: %s: is one of %s, %v", path, example, found.CommandPath(), err)
				continue
			}
			if err := found.ParseFlags(rest); err != nil {
				t.Errorf("example of %s: %s: %v", path, example, err)
			}
			if err := found.ValidateArgs(found.Flags().Args()); err != nil {
				t.Errorf("example of %s: %s: %v", path, example, err)
			}
		}
		at := -1
		var out strings.Builder
		cmd.SetOut(&out)
		must.Succeed(t, cmd.Help())
		cmd.SetOut(io.Discard)
		for _, name := range strings.Fields(cmd.Annotations[usualFlags]) {
			if cmd.LocalFlags().Lookup(name) == nil {
				t.Errorf("%s has no flag --%s", path, name)
				continue
			}
			if next := regexp.MustCompile(`(?m)^ +(-\w, )?--` + name + `\b`).FindStringIndex(out.String()); next == nil || next[0] < at {
				t.Errorf("the help of %s: --%s is not in its place", path, name)
			} else {
				at = next[0]
			}
		}
		if further := strings.Index(out.String(), "\nFurther flags:\n"); further >= 0 && further < at {
			t.Errorf("the help of %s has usual flags below the others", path)
		}
		if want := "Examples:\n" + cmd.Example + "\n"; !strings.HasSuffix(out.String(), want) {
			t.Errorf("the help of %s ends without its examples:\n%s", path, out.String())
		}
	})
}

// helpPath returns the path of a command below the root.
func helpPath(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}
