package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// commandNamed returns the command of a new program named by args, such as "link" or "corpus show".
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
	for command, want := range map[string]string{
		"link":        "columns:8 [id=Number text=Note], explain:9 [true], input:7 [a.txt b.txt], model:2 [a], top:6 [3]",
		"train":       "corpus:3 [texts], dict-fraction:11 [0.5], model:12 [b]",
		"corpus show": "corpus:3 [texts]",
		"doctor":      "",
	} {
		s := settings{path: "c.yaml"}
		must.Succeed(t, s.parse([]byte(file), commandNamed(t, command)), command)
		var got []string
		for _, name := range slices.Sorted(maps.Keys(s.flags)) {
			values := must.Get(s.values(name, s.flags[name]))
			got = append(got, fmt.Sprintf("%s:%d %v", name, s.flags[name].Line, values))
		}
		must.Equal(t, strings.Join(got, ", "), want, command)
	}
}

func TestConfigFaults(t *testing.T) {
	for _, tc := range []struct{ file, want string }{
		{"modle: a", `c.yaml:1: "modle" is neither a section of a command nor a flag of ctxnorm`},
		{"link:\n  modle: a", `c.yaml:2: "modle" is neither a section of a command nor a flag of ctxnorm link`},
		{"corpus:\n  show:\n    top: 3", `c.yaml:3: "top" is neither`},
		{"link: model", `c.yaml:1: "link" is neither`},
		{"eval:\n  seed: many", `c.yaml:2: seed is "many", want a whole number`},
		{"train:\n  dict-fraction: half", `c.yaml:2: dict-fraction is "half", want a number`},
		{"train:\n  dict-fraction:", `c.yaml:2: dict-fraction: want a value, a list of values or keys with a value each`},
		{"train:\n  dict-fraction: [3]", `c.yaml:2: dict-fraction is "3", want a number`},
		{"train:\n  seed: {a: b}", `c.yaml:2: seed is "a=b", want a whole number`},
		{"tag:\n  types:\n  - T047\n  - [T1]", `c.yaml:4: types: want a value, a list`},
		{"serve:\n  link-template: Note", `c.yaml:2: link-template is "Note", want names with values`},
		{"serve:\n  link-template: {text: [Note]}", `c.yaml:2: link-template: want a value, a list`},
		{"train: {seed: 1, seed: 2}", `c.yaml:1: mapping key "seed" already defined at line 1`},
		{"train:\n  model: &m a\n  corpus: *m", `c.yaml:3: corpus: want a value`},
		{"config: other.yaml", `c.yaml:1: "config" is neither`},
		{"help: true", `c.yaml:1: "help" is neither`},
		{"- model", `c.yaml:1: want flags and sections of commands`},
		{"model: a\n---\nmodel: b", `c.yaml: has several documents, want one`},
		{"model: 'a", `c.yaml:1: found unexpected end of stream`},
		{"model: a\nb: c: d", `c.yaml:2: mapping values are not allowed`},
		{strings.Repeat("#", maxConfig+1), `c.yaml: is longer than 1048576 bytes`},
	} {
		s := settings{path: "c.yaml"}
		err := s.parse([]byte(tc.file), commandNamed(t, "link"))
		must.Fail(t, err, tc.want, tc.file)
	}
	for _, empty := range []string{"", "# nothing\n", "---\n"} {
		s := settings{path: "c.yaml"}
		if err := s.parse([]byte(empty), commandNamed(t, "link")); err != nil || len(s.flags) > 0 {
			t.Errorf("%q: %v, want an empty file", empty, err)
		}
	}
}

// FuzzConfig checks that no settings file crashes the program, and that errors name the file.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{"model: a\nlink:\n  top: 3\n", "link: {columns: {id: a}}", "&a [*a]", "<<: {model: b}", "? {a: b}\n: c", "corpus: {show: {limit: !!int x}}"} {
		f.Add([]byte(seed))
	}
	link := commandNamed(f, "link")
	f.Fuzz(func(t *testing.T, data []byte) {
		s := settings{path: "c.yaml"}
		err := s.parse(data, link)
		for name, node := range s.flags {
			if err == nil {
				err = s.set(link.Flag(name), node)
			}
		}
		if err != nil && !strings.HasPrefix(err.Error(), "c.yaml:") {
			t.Errorf("error %q does not name the file", err)
		}
	})
}
