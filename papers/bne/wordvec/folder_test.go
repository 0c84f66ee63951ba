package wordvec

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestSaveAndOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vectors")
	v := fixed(t)
	for range 2 { // the second replaces the first
		must.Succeed(t, v.Save(dir))
	}
	got := must.Get(Open(dir))
	if !slices.Equal(got.data, v.data) || !slices.Equal(got.words, v.words) || !slices.Equal(got.counts, v.counts) || got.Total() != v.Total() || got.config.Window != 6 {
		t.Errorf("vectors are %v of %v, want %v of %v", got.data, got.words, v.data, v.words)
	}
	vocabulary, err := os.ReadFile(filepath.Join(dir, vocabularyName))
	if want := "a\t4\nb\t3\nc\t2\nd\t2\ne\t1\n"; err != nil || string(vocabulary) != want {
		t.Errorf("vocabulary is %q, %v; want %q", vocabulary, err, want)
	}
}

func TestOpenRefuses(t *testing.T) {
	root := t.TempDir()
	_, err := Open(filepath.Join(root, "none"))
	must.FailWith(t, err, fs.ErrNotExist)
	dir := filepath.Join(root, "vectors")
	must.Succeed(t, fixed(t).Save(dir))
	for _, name := range []string{manifestName, vocabularyName, vectorsName} {
		path := filepath.Join(dir, name)
		good := must.Get(os.ReadFile(path))
		for what, data := range map[string][]byte{
			"a byte less":  good[:len(good)-1],
			"another byte": slices.Concat(good[:9], []byte{good[9] ^ 1}, good[10:]),
			"nothing":      nil,
			"a byte more":  append(slices.Clone(good), 'x'),
		} {
			must.Succeed(t, os.WriteFile(path, data, 0o600))
			_, err := Open(dir)
			if _, damaged := errors.AsType[*files.DamagedError](err); !damaged || !strings.Contains(err.Error(), name) {
				t.Errorf("%s with %s: error is %v, want one that names the damaged file", name, what, err)
			}
		}
		must.Succeed(t, os.WriteFile(path, good, 0o600))
	}
	must.Get(Open(dir))
}

func TestSaveKeepsForeignFiles(t *testing.T) {
	dir := t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "thesis.tex"), []byte("mine"), 0o600))
	_, foreign := errors.AsType[*files.ForeignError](fixed(t).Save(dir))
	if !foreign {
		t.Error("Save replaces a folder with other files")
	}
}

func TestParseVocabularyRefuses(t *testing.T) {
	for data, want := range map[string]string{
		"a\t2\nb":                        `line 2 is "b", want a word, a tab and a count`,
		"a\t2\nb\t1":                     `line 2 is "b\t1", want a word, a tab and a count`,
		"\t2\n":                          `line 1 is "\t2", want a word, a tab and a count`,
		"a\t+2\n":                        `line 1 is "a\t+2", want a word, a tab and a count`,
		"a\t0\n":                         `word "a": count is 0, want 1 or more`,
		"a\t1\nb\t2\n":                   `word "b" comes after "a", want words by count, the most frequent first, then alphabetically`,
		"b\t1\na\t1\n":                   `word "a" comes after "b", want words by count, the most frequent first, then alphabetically`,
		"a\t1\na\t1\n":                   `word "a" comes after "a", want words by count, the most frequent first, then alphabetically`,
		"a\t2\na\t1\n":                   "has a word twice",
		"a\t9223372036854775807\nb\t1\n": "counts sum to more than an int64 holds",
	} {
		_, err := parseVocabulary([]byte(data))
		must.Equal(t, fmt.Sprint(err), want, data)
	}
}

// FuzzParse reads any bytes as a vocabulary: anything that is accepted is written as the same bytes.
func FuzzParse(f *testing.F) {
	f.Add([]byte("a\t1\n"))
	f.Add([]byte("a\t2\na\t1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if v, err := parseVocabulary(data); err == nil {
			var again bytes.Buffer
			if _ = v.write(&again); !bytes.Equal(again.Bytes(), data) {
				t.Errorf("vocabulary %q is written as %q", data, again.Bytes())
			}
		}
	})
}
