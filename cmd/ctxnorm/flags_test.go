package main

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// TestFlags compares the flags of train with contrastive.Config: every field has a flag of
// its name, with its default.
func TestFlags(t *testing.T) {
	p := &program{stdin: strings.NewReader(""), stdout: &output{w: io.Discard}, stderr: io.Discard}
	flags := p.trainCommand().Flags()
	for _, field := range configFields(reflect.ValueOf(contrastive.DefaultConfig()), "") {
		flag := flags.Lookup(field.name)
		if flag == nil {
			t.Errorf("train has no flag --%s", field.name)
			continue
		}
		if got, want := flag.DefValue, fmt.Sprint(field.value); got != want {
			t.Errorf("--%s is %s by default, contrastive.DefaultConfig has %s", field.name, got, want)
		}
		if flag.Usage == "" {
			t.Errorf("--%s has no help", field.name)
		}
	}
}

// elsewhere holds the settings whose flags do not point into the Config, and why. train
// copies them into it.
var elsewhere = map[string]string{
	"seed":      "samples names, exemplars and the validation set as well",
	"precision": "is the encoder's after training as well",
}

// A value given to a flag reaches the field of its name and no other.
func TestFlagsReachTheConfig(t *testing.T) {
	fields := configFields(reflect.ValueOf(contrastive.DefaultConfig()), "")
	for i, field := range fields {
		config := contrastive.DefaultConfig()
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		registerConfig(flags, &config)
		if _, ok := elsewhere[field.name]; ok {
			if flags.Lookup(field.name) != nil {
				t.Errorf("--%s is made twice", field.name)
			}
			continue
		}
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
	registerConfig(flags, &config)
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
		{"link --input texts.txt --format docx", "--format: "},
		{"link --input texts.txt --format brat", "--format brat has files for each document, want --output FOLDER"},
		{"link --input - --output folder", "--output folder: is a folder, where standard input has no name"},
		{"link --input texts.txt --output missing/linked.jsonl", "--output missing/linked.jsonl: no such file or directory"},
		{"link --input texts.txt --device tpu", `--device is "tpu", want cpu or cuda`},
		{"link --input texts.txt --precision float16", `--precision is "float16", want auto, float32, bfloat16 or int8`},
		{"link --input texts.txt --offsets lines", "--offsets: "},
		{"link --input missing.txt", "--input missing.txt: no such file or directory"},
		{"link --input texts.txt --method best", `--method is "best"`},
		{"eval --gold gold.jsonl --device tpu", `--device is "tpu", want cpu or cuda`},
		{"eval --gold gold.jsonl --baselines exact,bert", `--baselines has "bert", want one of weighted`},
		{"eval --gold gold.jsonl --baselines all-bert", `--baselines has "all-bert", want one of weighted`},
		{"eval --gold gold.jsonl --plots p --method lexical", "--plots: model: lexical returns no probabilities to plot"},
		{"eval --gold gold.jsonl --plots p --method tfidf", "--plots: model: tfidf returns no probabilities to plot"},
		{"eval --gold gold.jsonl --policy best", `--policy is "best"`},
		{"eval --gold gold.jsonl --compare missing.jsonl", "--compare missing.jsonl: no such file or directory"},
		{"eval --gold gold.jsonl --compare folder", "--compare folder: is a folder, want a file"},
		{"eval --gold gold.jsonl --refined missing.jsonl", "--refined missing.jsonl: no such file or directory"},
		{"dict check dictionary.csv --corpus missing", "missing: no corpus here, or an unfinished one"},
		{"link --input texts.txt --min-score 2", "--min-score has no effect with --method ranked"},
		{"link --input texts.txt --dict dictionary.csv --min-score 2", `--min-score is "2", want auto or a number from 0 to 1`},
		{"link --input texts.txt --spreadsheet-safe", "--spreadsheet-safe has no effect with the format jsonl, only with csv and tsv"},
		{"eval --gold gold.jsonl --errors missing/errors.txt", "--errors missing/errors.txt: no such file or directory"},
		{"calibrate --precision float16", `--precision is "float16"`},
		{"train --index tree", `--index is "tree"`},
		{"train --dict-fraction 0", "--dict-fraction is 0"},
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
	p := &program{stdin: strings.NewReader(""), stdout: &output{w: io.Discard}, stderr: io.Discard}
	flags := p.linkCommand().Flags()
	flags.AddFlagSet(p.trainCommand().Flags())
	flags.AddFlagSet(p.rootCommand().PersistentFlags())
	structs := map[string]reflect.Type{
		"Limits": reflect.TypeFor[ctxnorm.Limits](), "DictionaryOptions": reflect.TypeFor[ctxnorm.DictionaryOptions](),
		"formats.Options": reflect.TypeFor[formats.Options](), "TrainOptions": reflect.TypeFor[ctxnorm.TrainOptions](),
	}
	for pair := range slices.Chunk(namedOptions, 2) {
		option, flag := pair[0], pair[1]
		dot := strings.LastIndex(option, ".")
		options, found := structs[option[:dot]]
		if found {
			_, found = options.FieldByName(option[dot+1:])
		}
		if !found {
			t.Errorf("%s is no option of the library", option)
		}
		if flags.Lookup(strings.TrimPrefix(flag, "--")) == nil {
			t.Errorf("%s is no flag", flag)
		}
	}
	for i := range structs["Limits"].NumField() {
		if field := "Limits." + structs["Limits"].Field(i).Name; !slices.Contains(namedOptions, field) {
			t.Errorf("%s has no flag", field)
		}
	}
}
