package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// sameMeaning are the flags whose usage texts differ between commands although they mean the
// same: what a command reads or writes there, or what a seed or a limit is for.
var sameMeaning = strings.Fields(`by columns concept corpus dict epochs gold ids input-format json
	learning-rate limit memory model name negatives seed shard wait word-vectors workers`)

// TestFlagsHaveOneMeaning: commands share variables and settings of files by the name of a flag, so a
// flag of one name has one kind of value and one meaning everywhere.
func TestFlagsHaveOneMeaning(t *testing.T) {
	type meaning struct{ kind, value, usage, command string }
	first := make(map[string]meaning)
	differ := make(map[string]bool)
	eachCommand(new(program).rootCommand(), func(cmd *cobra.Command) {
		cmd.LocalNonPersistentFlags().VisitAll(func(flag *pflag.Flag) {
			value, usage := pflag.UnquoteUsage(flag)
			found := meaning{flag.Value.Type(), value, usage, helpPath(cmd)}
			other, known := first[flag.Name]
			switch {
			case !known:
				first[flag.Name] = found
			case other.kind != found.kind || other.value != found.value:
				t.Errorf("--%s is a %s (%s) of %s and a %s (%s) of %s: give one of them another name",
					flag.Name, other.kind, other.value, other.command, found.kind, found.value, found.command)
			case other.usage != found.usage:
				differ[flag.Name] = true
				if !slices.Contains(sameMeaning, flag.Name) {
					t.Errorf("--%s of %s: %s; of %s: %s: give one of them another name, or both the same text",
						flag.Name, other.command, other.usage, found.command, found.usage)
				}
			}
		})
	})
	for _, name := range sameMeaning {
		if !differ[name] {
			t.Errorf("sameMeaning has --%s, whose usage is the same everywhere", name)
		}
	}
}
