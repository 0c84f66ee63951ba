package harness

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"
)

// Settings are the flags that measurements of speed share. In their commands {-NAME} stands for the value of a flag.
type Settings struct {
	Quick  bool   `flag:"quick" usage:"small sizes and few repeats, to see that everything works"`
	OnlyRE string `flag:"only" usage:"run what matches this pattern by name"`
	Work   string `flag:"work" usage:"folder of the input, kept for the next run (default: ctxnorm-NAME in the temporary folder)"`
	Out    string `flag:"out" usage:"folder of the results (default: bench/results; with -quick, results in the work folder)"`
	Data   string `flag:"data" usage:"folder of real data (default: $CTXNORM_DATA)"`
	Glob   string `flag:"pubmed" usage:"PubMed XML files to read, .xml.gz (default: made of the texts in -data)"`
	Dict   string `flag:"dict" usage:"dictionary file (default: one in dict/ of -data)"`
	Model  string `flag:"model" usage:"folder of the base model (default: $CTXNORM_MINILM)"`
	Python string `flag:"python" usage:"program with bench/peers/requirements.txt (default: $CTXNORM_BENCH_PYTHON or python3)"`

	Threads int `flag:"threads" default:"1" usage:"threads of every process"`

	Only   *regexp.Regexp
	PubMed []string          // the files of Glob; empty to make some
	values map[string]string // of all flags, by name
	sizes  string            // as described in reports
}

// addFlags adds a flag for every field of a struct with a tag such as
// `flag:"docs" default:"40000" quick:"1500" usage:"records to make"`.
func addFlags(flags *flag.FlagSet, options any) {
	for field, value := range fields(options) {
		name, usage := field.Tag.Get("flag"), field.Tag.Get("usage")
		switch value := value.(type) {
		case *string:
			flags.StringVar(value, name, "", usage)
		case *int:
			flags.IntVar(value, name, 0, usage)
		case *float64:
			flags.Float64Var(value, name, 0, usage)
		case *bool:
			flags.BoolVar(value, name, false, usage)
		}
		if initial, ok := field.Tag.Lookup("default"); ok {
			f := flags.Lookup(name)
			if err := f.Value.Set(initial); err != nil {
				panic(err) // a tag is wrong
			}
			f.DefValue = initial
		}
	}
}

// fields visits the fields that have flags, with pointers to their values.
func fields(options any) func(yield func(reflect.StructField, any) bool) {
	return func(yield func(reflect.StructField, any) bool) {
		v := reflect.ValueOf(options).Elem()
		for _, field := range reflect.VisibleFields(v.Type()) {
			if _, ok := field.Tag.Lookup("flag"); ok && !yield(field, v.FieldByIndex(field.Index).Addr().Interface()) {
				return
			}
		}
	}
}

// ParseFlags parses the flags of options and returns the other arguments. A text whose tag required has the program's
// name must be given.
func ParseFlags(options any, name string, args []string) ([]string, error) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	addFlags(flags, options)
	err := flags.Parse(args)
	for field, value := range fields(options) {
		text, ok := value.(*string)
		if err == nil && ok && *text == "" && slices.Contains(strings.Fields(field.Tag.Get("required")), name) {
			err = fmt.Errorf("-%s is not given", field.Tag.Get("flag"))
		}
	}
	return flags.Args(), err
}

// Parse parses the flags of options, a struct that embeds s, and completes the
// defaults. A number with a quick default is a size, which is 1 or more. Name is the
// program's, and dict the default file in dict/ of the data.
func (s *Settings) Parse(options any, name, dict string, args []string) (err error) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	addFlags(flags, options)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q is not a flag", flags.Arg(0))
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	var sizes []string
	for field, value := range fields(options) {
		name := field.Tag.Get("flag")
		quick, isSize := field.Tag.Lookup("quick")
		if isSize && s.Quick && !given[name] {
			if err := flags.Lookup(name).Value.Set(quick); err != nil {
				panic(err) // a tag is wrong
			}
		}
		if n, ok := value.(*int); ok && *n < 1 {
			return fmt.Errorf("-%s is %d, want 1 or more", name, *n)
		}
		if isSize {
			sizes = append(sizes, name+" "+flags.Lookup(name).Value.String())
		}
	}
	s.sizes = strings.Join(sizes, ", ")
	if s.Only, err = regexp.Compile(s.OnlyRE); err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if s.Glob != "" {
		if s.PubMed, err = filepath.Glob(s.Glob); err != nil || len(s.PubMed) == 0 {
			return fmt.Errorf("-pubmed: no file matches %s", s.Glob)
		}
	}
	if s.Data = cmp.Or(s.Data, os.Getenv("CTXNORM_DATA")); s.Data != "" {
		s.Dict = cmp.Or(s.Dict, filepath.Join(s.Data, "dict", dict))
	}
	s.Model = cmp.Or(s.Model, os.Getenv("CTXNORM_MINILM"))
	s.Python = cmp.Or(s.Python, os.Getenv("CTXNORM_BENCH_PYTHON"), "python3")
	s.Work = cmp.Or(s.Work, filepath.Join(os.TempDir(), "ctxnorm-"+name))
	if s.Quick {
		s.Out = cmp.Or(s.Out, filepath.Join(s.Work, "results"))
	}
	s.Out = cmp.Or(s.Out, filepath.Join("bench", "results"))
	s.values = map[string]string{}
	flags.VisitAll(func(f *flag.Flag) { s.values[f.Name] = f.Value.String() })
	return nil
}

// Set sets a value of {-NAME} that is no flag.
func (s *Settings) Set(name string, value int) { s.values[name] = strconv.Itoa(value) }

// Runs returns the folder of what the measured programs write. It is removed before a run.
func (s *Settings) Runs() string { return filepath.Join(s.Work, "runs") }

// String describes for a report what was asked for.
func (s *Settings) String() string {
	source := "text of CTXNORM_DATA"
	if len(s.PubMed) > 0 {
		source = english.Plural(len(s.PubMed), "file", "") + " of PubMed XML"
	}
	return fmt.Sprintf("%s, %s, dictionary %s; %s", english.Plural(s.Threads, "thread", ""), source, filepath.Base(s.Dict), s.sizes)
}

// Redact returns a replacer of this machine's folders in what is reported.
func (s *Settings) Redact() *strings.Replacer {
	home, _ := os.UserHomeDir()
	var pairs []string
	for _, folder := range [][2]string{{s.Work, ""}, {s.Data, "$CTXNORM_DATA/"}, {home, "~/"}} {
		if folder[0] != "" {
			pairs = append(pairs, strings.TrimSuffix(folder[0], "/")+"/", folder[1])
		}
	}
	return strings.NewReplacer(pairs...)
}
