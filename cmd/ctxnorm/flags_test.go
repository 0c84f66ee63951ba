package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Upper limits on the number of flags, and of rows that register them. A row shared by commands counts once.
const (
	mostFlags = 114
	mostRows  = 163
)

// sameMeaning lists flags whose usage texts differ between commands although they mean the same: the usage names what a
// command reads or writes, or what a seed or a limit is for.
var sameMeaning = strings.Fields(`by case concept corpus dict gold ids input-format json limit memory model name
	seed shard wait word-vectors workers`)

// TestFlagsHaveOneMeaning checks that flags of the same name have the same type and meaning in all commands, because
// commands share variables and settings by flag name.
func TestFlagsHaveOneMeaning(t *testing.T) {
	first := make(map[string]*pflag.Flag)
	differ := make(map[string]bool)
	rows := make(map[string]bool)
	root := new(program).rootCommand()
	eachCommand(root, func(cmd *cobra.Command) {
		flags := cmd.LocalNonPersistentFlags()
		if cmd == root {
			flags = cmd.PersistentFlags()
		}
		flags.VisitAll(func(flag *pflag.Flag) {
			rows[fmt.Sprint(flag.Name, flag.Usage, flag.Annotations)] = true
			other := first[flag.Name]
			if other == nil {
				first[flag.Name], other = flag, flag
			}
			value, usage := pflag.UnquoteUsage(flag)
			otherValue, otherUsage := pflag.UnquoteUsage(other)
			if other.Value.Type() != flag.Value.Type() || otherValue != value {
				t.Errorf("--%s is a %s in %s, and a %s elsewhere", flag.Name, value, helpPath(cmd), otherValue)
			}
			if otherUsage != usage {
				if differ[flag.Name] = true; !slices.Contains(sameMeaning, flag.Name) {
					t.Errorf("--%s of %s: %s; elsewhere %s", flag.Name, helpPath(cmd), usage, otherUsage)
				}
			}
			if one, ok := flag.Value.(*choice); ok && flag.DefValue != "" && !slices.Contains(one.values, flag.DefValue) {
				t.Errorf("--%s of %s has the default %q, want one of %q", flag.Name, helpPath(cmd), flag.DefValue, one.values)
			}
			for _, rule := range []string{"needs", "not"} {
				for _, name := range flag.Annotations[rule] {
					if name != "" && cmd.Flags().Lookup(name) == nil {
						t.Errorf("--%s of %s %s --%s, which it has not", flag.Name, helpPath(cmd), rule, name)
					}
				}
			}
		})
	})
	for _, name := range sameMeaning {
		if !differ[name] {
			t.Errorf("sameMeaning has --%s, whose usage is the same everywhere", name)
		}
	}
	t.Logf("%d flags in %d rows", len(first), len(rows))
	if len(first) > mostFlags || len(rows) > mostRows {
		t.Errorf("%d flags in %d rows, want at most %d in %d (mostFlags, mostRows)", len(first), len(rows), mostFlags, mostRows)
	}
}
