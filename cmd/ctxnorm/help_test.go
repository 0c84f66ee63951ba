package main

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// words matches the words of a command line, in quotation marks or without.
var words = regexp.MustCompile(`"[^"]*"|\S+`)

// TestHelp parses the examples of every command, and finds the usual flags before the others.
func TestHelp(t *testing.T) {
	paths := make(map[string]bool)
	eachCommand((&program{}).rootCommand(), func(cmd *cobra.Command) {
		if cmd.Hidden || !cmd.Runnable() || cmd.HasSubCommands() && cmd.Name() != "eval" {
			return
		}
		path := helpPath(cmd)
		paths[path] = true
		help := helpOf[path]
		if len(help.examples) == 0 {
			t.Errorf("%s has no example", path)
		}
		for _, example := range help.examples {
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
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		cmd.SetOut(io.Discard)
		for _, name := range help.usual {
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
		if want := "Examples:\n  " + strings.Join(help.examples, "\n  ") + "\n"; !strings.HasSuffix(out.String(), want) {
			t.Errorf("the help of %s ends without its examples:\n%s", path, out.String())
		}
	})
	for path := range helpOf {
		if !paths[path] {
			t.Errorf("there is help for %q, which is no command", path)
		}
	}
}
