package main

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/contrastive"
)

// The most flags that there may be: of different names, and of all commands together.
const (
	mostFlags         = 182
	mostRegistrations = 420
)

// sameMeaning are the flags whose usage texts differ between commands although they mean the
// same: what a command reads or writes there, or what a seed or a limit is for.
var sameMeaning = strings.Fields(`by case concept corpus dict epochs gold ids input-format json learning-rate limit memory model name
	negatives seed shard wait word-vectors workers`)

// TestFlagsHaveOneMeaning: commands share variables and settings of files by the name of a flag, so a
// flag of one name has one kind of value and one meaning everywhere.
func TestFlagsHaveOneMeaning(t *testing.T) {
	first := make(map[string]*pflag.Flag)
	differ := make(map[string]bool)
	registrations := 0
	root := new(program).rootCommand()
	eachCommand(root, func(cmd *cobra.Command) {
		flags := cmd.LocalNonPersistentFlags()
		if cmd == root {
			flags = cmd.PersistentFlags()
		}
		flags.VisitAll(func(flag *pflag.Flag) {
			registrations++
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
	t.Logf("%d flags in %d registrations", len(first), registrations)
	if len(first) > mostFlags || registrations > mostRegistrations {
		t.Errorf("%d flags in %d registrations, want at most %d in %d", len(first), registrations, mostFlags, mostRegistrations)
	}
}

// elsewhere holds the settings whose flags do not point into the Config, and why. train
// copies them into it.
var elsewhere = map[string]string{
	"seed":      "samples names, exemplars and the validation set as well",
	"precision": "is the encoder's after training as well",
}

// Every field of contrastive.Config has a flag of its name, with its default. A value given to it reaches the field and
// no other.
func TestFlagsReachTheConfig(t *testing.T) {
	trainFlags := commandNamed(t, "train").Flags()
	fields := configFields(reflect.ValueOf(contrastive.DefaultConfig()), "")
	for i, field := range fields {
		if flag := trainFlags.Lookup(field.name); flag == nil || flag.DefValue != fmt.Sprint(field.value) {
			t.Errorf("the flag --%s is %+v, want one with the default %v", field.name, flag, field.value)
		}
		if _, ok := elsewhere[field.name]; ok {
			continue
		}
		config := contrastive.DefaultConfig()
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		addFlags(flags, configFlags(&config))
		if err := flags.Parse([]string{"--" + field.name + "=" + otherValue(field.value)}); err != nil {
			t.Errorf("--%s: %v", field.name, err)
			continue
		}
		for j, got := range configFields(reflect.ValueOf(config), "") {
			if changed := got.value != fields[j].value; changed != (i == j) {
				t.Errorf("--%s=%s: %s is %v", field.name, otherValue(field.value), got.name, got.value)
			}
		}
	}
}

func TestPaperRecipe(t *testing.T) {
	config := contrastive.DefaultConfig()
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	addFlags(flags, configFlags(&config))
	if err := flags.Parse(strings.Fields(paperRecipe)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(contrastive.PaperConfig(), config); diff != "" {
		t.Errorf("the recipe of train --help (-want +got):\n%s", diff)
	}
}

type configField struct {
	name  string // of its flag
	value any
}

// configFields returns the fields of a configuration, including those of a loss, with the
// names of their flags.
func configFields(v reflect.Value, prefix string) []configField {
	var fields []configField
	for i := range v.NumField() {
		name := prefix + flagName(v.Type().Field(i))
		if v.Field(i).Kind() == reflect.Struct {
			fields = append(fields, configFields(v.Field(i), name+"-")...)
			continue
		}
		fields = append(fields, configField{name, v.Field(i).Interface()})
	}
	return fields
}

// flagName returns the field's name in JSON, with dashes.
func flagName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return strings.ReplaceAll(name, "_", "-")
}

// otherValue returns a value that differs from v.
func otherValue(v any) string {
	switch v := v.(type) {
	case bool:
		return fmt.Sprint(!v)
	case contrastive.Pooling:
		return string(contrastive.PoolEnt)
	}
	return "7"
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
		{"link --input - --output folder", "--output folder: is a folder, where standard input has no file of its own"},
		{"link --input texts.txt --output missing/linked.jsonl", "--output missing/linked.jsonl: no such file or directory"},
		{"link --input texts.txt --offsets lines", `--offsets is "lines", want codepoints, bytes or utf16`},
		{"link --input missing.txt", "--input missing.txt: no such file or directory"},
		{"link --input texts.txt --method best", `--method is "best"`},
		{"eval --gold gold.jsonl --baselines exact,bert", `--baselines has "bert", want one of weighted`},
		{"eval --gold gold.jsonl --baselines all-bert", `--baselines has "all-bert", want one of weighted`},
		{"eval --gold gold.jsonl --compare missing.jsonl", "--compare missing.jsonl: no such file or directory"},
		{"eval --gold gold.jsonl --refined missing.jsonl", "--refined missing.jsonl: no such file or directory"},
		{"dict check dictionary.csv --corpus missing", "missing: no corpus here, or an unfinished one"},
		{"link --input texts.txt --min-score 2", `--min-score is "2", want auto or a number from 0 to 1`},
		{"link --input texts.txt --dict dictionary.csv --min-score 2", `--min-score is "2", want auto or a number from 0 to 1`},
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
