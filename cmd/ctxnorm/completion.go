package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// flagValues returns the values that flags other than a [choice] have among others, by the flag's name. A value that
// ends in "=" is the beginning of one.
func flagValues() map[string][]string {
	components := strings.Split(link.AllComponents.String(), ",")
	return map[string][]string{
		"min-probability": {"auto"},
		"min-score":       {"auto"},
		"format":          stringsOf(outputFormats().Names()),
		"input-format":    stringsOf(formats.Formats()),
		"offsets":         {"codepoints", "bytes", "utf16"},
		"columns":         roles(formats.ColumnRoles()),
		"dict-format":     stringsOf(kbfile.Formats()),
		"dict-columns":    roles(kbfile.ColumnRoles()),
		"dict-delimiter":  {"tab", ",", ";", "|"},
		"policy":          eval.PolicyNames(),
		"baselines":       slices.Concat(baselineNames, components),
		"without":         components,
		"only":            components,
		"pooling":         {"span", "ent"},
	}
}

// stringsOf returns values of a named type of strings.
func stringsOf[T ~string](values []T) []string {
	all := make([]string, len(values))
	for i, value := range values {
		all[i] = string(value)
	}
	return all
}

// joined returns "a, b, c".
func joined[T ~string](values []T) string { return strings.Join(stringsOf(values), ", ") }

// roles returns the beginnings of role=column.
func roles(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = name + "="
	}
	return all
}

// completeFlags tells shells the values of the flags of cmd and of the commands below it: those of a [choice] and of
// [flagValues], the folders that are models or corpora for flags that name one, and folders for
// others that want a folder. All other values are files.
func completeFlags(cmd *cobra.Command) {
	eachCommand(cmd, func(cmd *cobra.Command) {
		values := flagValues()
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			complete := completionOf(flag, values[flag.Name])
			if complete != nil {
				// It fails for a flag that cmd has not, or that was registered before, as is a
				// flag of all commands.
				_ = cmd.RegisterFlagCompletionFunc(flag.Name, complete)
			}
		})
	})
}

// completionOf returns what completes a flag, or nil for files.
func completionOf(flag *pflag.Flag, values []string) cobra.CompletionFunc {
	if one, ok := flag.Value.(*choice); ok {
		values = one.values
	}
	what, usage := pflag.UnquoteUsage(flag)
	switch {
	case values != nil:
		_, isList := flag.Value.(pflag.SliceValue)
		return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completeValue(values, typed, isList)
		}
	case what == "folder" && !strings.Contains(usage, "to write"):
		isOne := map[string]func(string) bool{"model": isModel, "corpus": isCorpus}[flag.Name]
		return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			if found := foldersLike(typed, isOne); len(found) > 0 {
				return found, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
	case what == "folder":
		return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
	case flag.Name == configFlag:
		return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
		}
	}
	return nil
}

// completeValue returns the values that begin with what is typed, of a list with its last item.
func completeValue(values []string, typed string, list bool) ([]string, cobra.ShellCompDirective) {
	before := ""
	if i := strings.LastIndexByte(typed, ','); list && i >= 0 {
		before, typed = typed[:i+1], typed[i+1:]
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	var found []string
	for _, value := range values {
		if strings.HasPrefix(value, typed) {
			found = append(found, before+value)
			if strings.HasSuffix(value, "=") {
				directive |= cobra.ShellCompDirectiveNoSpace
			}
		}
	}
	return found, directive
}

// foldersLike returns the folders whose path begins with what is typed and that are one of those
// wanted.
func foldersLike(typed string, isOne func(string) bool) []string {
	if isOne == nil {
		return nil
	}
	dir, prefix := filepath.Split(typed)
	entries, err := os.ReadDir(filepath.Clean(dir)) // "" is the current folder
	if err != nil {
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
