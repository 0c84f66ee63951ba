package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/model"
)

// completionOf returns what completes a flag for shells: its values; for a folder, those that are models or corpora if
// it wants one. It returns nil for files.
func completionOf(flag *pflag.Flag) cobra.CompletionFunc {
	what, _ := pflag.UnquoteUsage(flag)
	values := append(flag.Annotations["is"], flag.Annotations["like"]...)
	_, isOutput := flag.Annotations["out"]
	switch {
	case values != nil:
		_, isList := flag.Value.(pflag.SliceValue)
		_, keys := flag.Annotations["keys"]
		return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completeValue(values, typed, isList, keys)
		}
	case what == "folder":
		isOne := map[string]func(string) bool{"model": isModel, "corpus": isCorpus}[flag.Name]
		return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			if found := foldersLike(typed, isOne); len(found) > 0 && !isOutput {
				return found, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
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

// foldersLike returns the folders whose path begins with what is typed and that are one of those wanted.
func foldersLike(typed string, isOne func(string) bool) []string {
	dir, prefix := filepath.Split(typed)
	entries, err := os.ReadDir(filepath.Clean(dir)) // "" is the current folder
	if isOne == nil || err != nil {
		return nil // there is nothing to complete
	}
	var found []string
	for _, entry := range entries {
		if path := dir + entry.Name(); strings.HasPrefix(entry.Name(), prefix) && isOne(path) {
			found = append(found, path)
		}
	}
	return found
}

func isModel(dir string) bool {
	_, err := model.ReadManifest(dir)
	return err == nil
}

func isCorpus(dir string) bool {
	_, err := corpus.Open(dir)
	return err == nil
}
