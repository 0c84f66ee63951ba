package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// commandNamed returns the command of a new program that args name, "link" or "corpus show".
func commandNamed(t testing.TB, args string) *cobra.Command {
	t.Helper()
	cmd, rest, err := (&program{}).rootCommand().Find(strings.Fields(args))
	if err != nil || len(rest) > 0 {
		t.Fatalf("no command %q: %v", args, err)
	}
	return cmd
}

func TestConfigSettings(t *testing.T) {
	const file = `# Settings of this folder.
model: a
corpus: texts
top: 4
link:
  top: 3
  input: [a.txt, 'b.txt']
  columns: {id: Number, text: Note}
  explain: true
train:
  dict-fraction: 0.5
  model: b
`
	c, err := parseConfig("c.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]map[string]setting{
		"link": {
			"model": {[]string{"a"}, 2}, "top": {[]string{"3"}, 6}, "input": {[]string{"a.txt", "b.txt"}, 7},
			"columns": {[]string{"id=Number", "text=Note"}, 8}, "explain": {[]string{"true"}, 9},
		},
		"train":       {"model": {[]string{"b"}, 12}, "corpus": {[]string{"texts"}, 3}, "dict-fraction": {[]string{"0.5"}, 11}},
		"corpus show": {"corpus": {[]string{"texts"}, 3}},
		"version":     {},
	} {
		got, err := c.settings(commandNamed(t, command))
		if err != nil {
			t.Errorf("%s: %v", command, err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(setting{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", command, diff)
		}
	}
}

func TestConfigFaults(t *testing.T) {
	for _, tc := range []struct{ file, want string }{
		{"modle: a", `c.yaml:1: "modle" is neither a command nor a flag of ctxnorm`},
		{"link:\n  modle: a", `c.yaml:2: "modle" is no flag of ctxnorm link`},
		{"corpus:\n  show:\n    top: 3", `c.yaml:3: "top" is no flag of ctxnorm corpus show`},
		{"train:\n  hold-out: .1", `c.yaml:2: "hold-out" is no flag of ctxnorm train`},
		{"link: model", `c.yaml:1: link is "model", want a section with flags of ctxnorm link`},
		{"link:\n  top: many", `c.yaml:2: top is "many", want a whole number`},
		{"link:\n  top: 1.5", `c.yaml:2: top is "1.5", want a whole number`},
		{"link:\n  top:", `c.yaml:2: top is without a value, want a whole number`},
		{"\nlink:\n  top: [3]", `c.yaml:3: top is a list, want a whole number`},
		{"train:\n  dict-fraction: half", `c.yaml:2: dict-fraction is "half", want a number`},
		{"quiet: yes please", `c.yaml:1: quiet is "yes please", want true or false`},
		{"quiet: 1", `c.yaml:1: quiet is "1", want true or false`},
		{"model: [a, b]", `c.yaml:1: model is a list, want string`},
		{"model: {a: b}", `c.yaml:1: model is a section, want string`},
		{"tag:\n  types:\n  - T047\n  - [T1]", `c.yaml:4: types has a list, want a list of values`},
		{"link:\n  columns: Note", `c.yaml:2: columns is "Note", want keys with a value each`},
		{"link:\n  columns: {text: [Note]}", `c.yaml:2: columns: text is a list, want a value`},
		{"model: a\nmodel: b", `c.yaml:2: "model" is here twice`},
		{"model: &m a\ncorpus: *m", `c.yaml:2: corpus is an alias, want string`},
		{"config: other.yaml", `c.yaml:1: "config" is neither a command nor a flag of ctxnorm`},
		{"help: true", `c.yaml:1: "help" is neither`},
		{"- model", `c.yaml:1: want flags and sections of commands`},
		{"model: a\n---\nmodel: b", `c.yaml: has several documents, want one`},
		{"model: 'a", `c.yaml:1: found unexpected end of stream`},
		{"model: a\nb: c: d", `c.yaml:2: mapping values are not allowed`},
		{strings.Repeat("#", maxConfig+1), `c.yaml: is longer than 1048576 bytes`},
	} {
		c, err := parseConfig("c.yaml", []byte(tc.file))
		if err == nil {
			_, err = c.settings(commandNamed(t, "link"))
		}
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%.40q: error %v, want %s", tc.file, err, tc.want)
		}
	}
	for _, empty := range []string{"", "# nothing\n", "---\n"} {
		if c, err := parseConfig("c.yaml", []byte(empty)); err != nil || c.root != nil {
			t.Errorf("%q: %v, want an empty file", empty, err)
		}
	}
}

// A flag is stronger than its variable, the variable than the file, and of the files the one in the
// current folder than that of the user.
func TestConfigPrecedence(t *testing.T) {
	t.Chdir(t.TempDir())
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("HOME", home)
	t.Setenv("AppData", home)
	user := configPlaces()[1]
	if err := os.MkdirAll(filepath.Dir(user), 0o777); err != nil {
		t.Fatal(err)
	}
	check := func(args, want string) {
		t.Helper()
		code, _, stderr := runLine(t, args)
		if want = "ctxnorm: " + want + ": is not a model"; code != exitFailed || !strings.HasPrefix(stderr, want) {
			t.Errorf("%s: exit %d: %s want %s", args, code, stderr, want)
		}
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	check("inspect", "model")
	write(user, "model: of-the-user\n")
	check("inspect", "of-the-user")
	write(configName, "model: of-the-folder\ninspect: {model: of-the-section}\n")
	check("inspect", "of-the-section")
	check("verify", "of-the-folder")
	write("other.yaml", "model: of-the-file\n")
	check("inspect --config other.yaml", "of-the-file")
	t.Setenv("CTXNORM_CONFIG", "other.yaml")
	check("inspect", "of-the-file")
	t.Setenv("CTXNORM_MODEL", "of-the-variable")
	check("inspect", "of-the-variable")
	check("inspect --model of-the-flag", "of-the-flag")
}

// FuzzConfig checks that no file of settings ends the program, and that errors name it.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{"model: a\nlink:\n  top: 3\n", "link: {columns: {id: a}}", "&a [*a]", "<<: {model: b}", "? {a: b}\n: c", "corpus: {show: {limit: !!int x}}"} {
		f.Add([]byte(seed))
	}
	link := commandNamed(f, "link")
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseConfig("c.yaml", data)
		if err == nil {
			_, err = c.settings(link)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "c.yaml:") {
			t.Errorf("error %q does not name the file", err)
		}
	})
}
