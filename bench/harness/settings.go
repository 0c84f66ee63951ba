package harness

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/dustin/go-humanize/english"
)

// Settings are the flags that the benchmark programs share.
type Settings struct {
	Quick   bool   `flag:"quick" usage:"small sizes and few repeats, to see that everything works"`
	Threads int    `flag:"threads" default:"1" usage:"threads of every process"`
	OnlyRE  string `flag:"only" usage:"run what matches this pattern by name"`
	Work    string `flag:"work" usage:"folder of the input, kept for the next run (default: ctxnorm-NAME in the temporary folder)"`
	Out     string `flag:"out" usage:"folder of the results (default: bench/results; with -quick, results in the work folder)"`
	Glob    string `flag:"pubmed" usage:"PubMed XML files to read, .xml.gz (default: made of the texts in $CTXNORM_DATA)"`
	Dict    string `flag:"dict" usage:"dictionary file (default: one in dict/ of $CTXNORM_DATA)"`
	Model   string `flag:"model" usage:"folder of the base model (default: $CTXNORM_MINILM)"`
	Python  string `flag:"python" usage:"program with bench/peers/requirements.txt (default: $CTXNORM_BENCH_PYTHON or python3)"`
	Peers   string `flag:"peers" default:"bench/peers" usage:"folder of the peers' scripts"`
	Subject string `flag:"subject" default:"build/bench/subject" usage:"program built of bench/subject"`
	Ctxnorm string `flag:"ctxnorm" default:"bin/ctxnorm" usage:"program that make build made"`

	Only   *regexp.Regexp
	PubMed []string // the files of Glob; empty to make some
	data   string   // CTXNORM_DATA
	sizes  string   // as described in reports
}

// AddFlags adds a flag for every field of a struct with a tag such as
// `flag:"docs" default:"40000" quick:"1500" usage:"records to make"`.
func AddFlags(flags *flag.FlagSet, options any) {
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

// Parse parses the flags of options, a struct that embeds s, and completes the
// defaults. A number with a quick default is a size, which is 1 or more. Name is the
// program's, and dict the default file in dict/ of CTXNORM_DATA.
func (s *Settings) Parse(options any, name, dict string, args []string) (err error) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	AddFlags(flags, options)
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
	s.sizes, s.data = strings.Join(sizes, ", "), os.Getenv("CTXNORM_DATA")
	if s.Only, err = regexp.Compile(s.OnlyRE); err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if s.Glob != "" {
		if s.PubMed, err = filepath.Glob(s.Glob); err != nil || len(s.PubMed) == 0 {
			return fmt.Errorf("-pubmed: no file matches %s", s.Glob)
		}
	}
	if s.data != "" {
		s.Dict = cmp.Or(s.Dict, filepath.Join(s.data, "dict", dict))
	}
	s.Model = cmp.Or(s.Model, os.Getenv("CTXNORM_MINILM"))
	s.Python = cmp.Or(s.Python, os.Getenv("CTXNORM_BENCH_PYTHON"), "python3")
	s.Work = cmp.Or(s.Work, filepath.Join(os.TempDir(), "ctxnorm-"+name))
	if s.Quick {
		s.Out = cmp.Or(s.Out, filepath.Join(s.Work, "results"))
	}
	s.Out = cmp.Or(s.Out, filepath.Join("bench", "results"))
	return nil
}

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
	for _, folder := range [][2]string{{s.Work, ""}, {s.data, "$CTXNORM_DATA/"}, {home, "~/"}} {
		if folder[0] != "" {
			pairs = append(pairs, strings.TrimSuffix(folder[0], "/")+"/", folder[1])
		}
	}
	return strings.NewReplacer(pairs...)
}

// Input is a file or folder that programs read. A command makes it once; it stays in
// the work folder, with the hash of the command in its name.
type Input struct {
	Path    string
	lacks   string // why it cannot be made; "" if it can
	from    []*Input
	command func(out string) []string // writes out
}

// NewInput returns an input named prefix-HASHsuffix. The inputs in from are made
// before it.
func (s *Settings) NewInput(prefix, suffix string, from []*Input, command func(out string) []string) *Input {
	sum := sha256.Sum256([]byte(strings.Join(command(""), "\x00")))
	return &Input{Path: filepath.Join(s.Work, prefix+"-"+hex.EncodeToString(sum[:4])+suffix), from: from, command: command}
}

// Missing returns why the input cannot be made, and "" if it can.
func (in *Input) Missing() string {
	for _, from := range in.from {
		if missing := from.Missing(); missing != "" {
			return missing
		}
	}
	return in.lacks
}

// Ensure makes the input unless it exists, and logs that it does.
func (in *Input) Ensure(ctx context.Context, logf func(format string, args ...any)) error {
	if _, err := os.Stat(in.Path); err == nil {
		return nil
	}
	if missing := in.Missing(); missing != "" {
		return fmt.Errorf("%s: %s", filepath.Base(in.Path), missing)
	}
	for _, from := range in.from {
		if err := from.Ensure(ctx, logf); err != nil {
			return err
		}
	}
	temporary := filepath.Join(filepath.Dir(in.Path), "part-"+filepath.Base(in.Path))
	if err := os.RemoveAll(temporary); err != nil {
		return err
	}
	logf("making %s", in.Path)
	command := in.command(temporary)
	if output, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, lastLine(string(output)))
	}
	return os.Rename(temporary, in.Path)
}

// XML is a set of PubMed XML files, and the inputs that make them: none for files of
// the user's.
type XML struct {
	Files []string
	Made  []*Input
}

// MadeXML returns XML made of the raw texts in CTXNORM_DATA. Every record occurs
// rounds times, each time with an id of its own.
func (s *Settings) MadeXML(prefix string, records, files, rounds int) XML {
	in := s.NewInput(prefix, "", nil, func(out string) []string {
		return []string{s.Python, s.Script("make_pubmed_xml.py"), "--docs", fmt.Sprint(records),
			"--repeat", fmt.Sprint(rounds), "--files", fmt.Sprint(files), "--out", out}
	})
	if s.data == "" {
		in.lacks = "there is no text to read: give -pubmed, or set CTXNORM_DATA"
	}
	xml := XML{Made: []*Input{in}}
	for i := range files {
		xml.Files = append(xml.Files, filepath.Join(in.Path, fmt.Sprintf("pubmed00n%04d.xml.gz", i+1)))
	}
	return xml
}

// NameDictionary returns the dictionary's names as bench/subject writes them, given
// more flags.
func (s *Settings) NameDictionary(prefix string, flags ...string) *Input {
	in := s.NewInput(prefix, ".jsonl", nil, func(out string) []string {
		return append([]string{s.Subject, "dictionary", "--from", s.Dict, "--out", out}, flags...)
	})
	if s.Dict == "" {
		in.lacks = "there is no dictionary: give -dict, or set CTXNORM_DATA"
	}
	return in
}

// Script returns the path of a script of bench/peers.
func (s *Settings) Script(name string) string { return filepath.Join(s.Peers, name) }
