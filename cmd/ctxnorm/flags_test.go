package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The most flags that there may be, and rows that register them. A row that commands share counts once.
const (
	mostFlags = 135
	mostRows  = 183
)

// sameMeaning are the flags whose usage texts differ between commands although they mean the
// same: what a command reads or writes there, or what a seed or a limit is for.
var sameMeaning = strings.Fields(`by case concept corpus dict gold ids input-format json limit memory model name
	seed shard wait word-vectors workers`)

// TestFlagsHaveOneMeaning: commands share variables and settings of files by the name of a flag, so a
// flag of one name has one kind of value and one meaning everywhere.
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
		t.Errorf("%d flags in %d rows, want at most %d in %d", len(first), len(rows), mostFlags, mostRows)
	}
}

// TestChecksBeforeOpening gives wrong flags where there is no model and no corpus: what is wrong with
// the command line is said before a file is opened, however long the run would take.
func TestChecksBeforeOpening(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"gold.jsonl", "texts.txt", "dictionary.csv", "records.xml"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("folder", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ args, want string }{
		{"link --input texts.txt --format docx", `--format is "docx", want `},
		{"link --input texts.txt --format brat", "--format brat has files for each document, want --output FOLDER"},
		{"link --input texts.txt --offsets lines", `--offsets is "lines", want codepoints, bytes or utf16`},
		{"eval --gold gold.jsonl --baselines exact,bert", `--baselines has "bert", want one of weighted`},
		{"eval --gold gold.jsonl --baselines all-bert", `--baselines has "all-bert", want one of weighted`},
		{"dict check dictionary.csv --corpus missing", "missing: no corpus here, or an unfinished one"},
		{"link --input texts.txt --min-score 2", `--min-score is "2", want auto or a number from 0 to 1`},
		{"link --input texts.txt --spreadsheet-safe", "--spreadsheet-safe has no effect with the format jsonl, only with csv and tsv"},
		{"calibrate --precision float16", `--precision is "float16"`},
		{"train --index tree", `--index is "tree"`},
	} {
		code, _, stderr := runLine(t, tc.args)
		if code != exitFailed || !strings.HasPrefix(stderr, "ctxnorm: "+tc.want) {
			t.Errorf("%s: exit %d: %swant %s", tc.args, code, stderr, tc.want)
		}
		if _, err := os.Stat("p"); err == nil {
			t.Errorf("%s made a folder", tc.args)
		}
	}
}

// Messages of the library name options, and those of the command the flags that set them.
func TestNamedOptions(t *testing.T) {
	flags := commandNamed(t, "link").Flags()
	flags.AddFlagSet(commandNamed(t, "train").Flags())
	flags.AddFlagSet((&program{}).rootCommand().PersistentFlags())
	for prefix, options := range map[string][]string{
		"Limits": {"Line", "Record", "Mentions", "InMemory"}, "DictionaryOptions": {"Parents", "Sheet", "Separator", "Columns"},
		"formats.Options": {"Encoding"}, "TrainOptions": {"BaseModel"},
	} {
		for _, option := range options {
			named := nameFlags("want it (" + prefix + "." + option + ")")
			if flags.Lookup(strings.TrimSuffix(strings.TrimPrefix(named, "want it (--"), ")")) == nil {
				t.Errorf("%s.%s: %s is no flag", prefix, option, named)
			}
		}
	}
}
