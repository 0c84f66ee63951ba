package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completionOf returns what completes a flag for shells: its values, or folders; nil for files.
func completionOf(flag *pflag.Flag) cobra.CompletionFunc {
	what, _ := pflag.UnquoteUsage(flag)
	values := append(flag.Annotations["is"], flag.Annotations["like"]...)
	switch {
	case values != nil:
		_, isList := flag.Value.(pflag.SliceValue)
		_, keys := flag.Annotations["keys"]
		return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completeValue(values, typed, isList, keys)
		}
	case what == "folder":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case flag.Name == configFlag:
		return cobra.FixedCompletions([]string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt)
	}
	return nil
}

// completeValue returns the values that begin with what is typed, of a list with its last item; keys get their "=".
func completeValue(values []string, typed string, list, keys bool) ([]string, cobra.ShellCompDirective) {
	before, after, directive := "", "", cobra.ShellCompDirectiveNoFileComp
	if i := strings.LastIndexByte(typed, ','); list && i >= 0 {
		before, typed = typed[:i+1], typed[i+1:]
	}
	if keys {
		after, directive = "=", directive|cobra.ShellCompDirectiveNoSpace
	}
	var found []string
	for _, value := range values {
		if strings.HasPrefix(value, typed) {
			found = append(found, before+value+after)
		}
	}
	return found, directive
}
