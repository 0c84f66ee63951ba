package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completionOf returns what completes a flag for shells: its values, or folders; nil for files.
func completionOf(flag *pflag.Flag) cobra.CompletionFunc {
	what, _ := pflag.UnquoteUsage(flag)
	values := slices.Concat(flag.Annotations["is"], flag.Annotations["like"])
	switch {
	case values != nil:
		_, isList := flag.Value.(pflag.SliceValue)
		after, directive := "", cobra.ShellCompDirectiveNoFileComp
		if _, keys := flag.Annotations["keys"]; keys {
			isList = true
			after, directive = "=", directive|cobra.ShellCompDirectiveNoSpace
		}
		return func(_ *cobra.Command, _ []string, typed string) (found []string, _ cobra.ShellCompDirective) {
			before := ""
			if isList { // the shell chooses by all that is typed
				before = typed[:strings.LastIndexByte(typed, ',')+1]
			}
			for _, value := range values {
				found = append(found, before+value+after)
			}
			return found, directive
		}
	case what == "folder":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case flag.Name == configFlag:
		return cobra.FixedCompletions([]string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt)
	}
	return nil
}
