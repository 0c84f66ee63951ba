package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completionOf returns what completes a flag for shells: its values, or folders; nil for files.
func completionOf(flag *pflag.Flag) cobra.CompletionFunc {
	what, _ := pflag.UnquoteUsage(flag)
	values := slices.Concat(flag.Annotations["is"], flag.Annotations["like"])
	switch _, keys := flag.Annotations["keys"]; {
	case keys:
		for i := range values {
			values[i] += "="
		}
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
	case values != nil:
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	case what == "folder":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case flag.Name == configFlag:
		return cobra.FixedCompletions([]string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt)
	}
	return nil
}
