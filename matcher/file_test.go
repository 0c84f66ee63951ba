package matcher

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
)

// reopen writes a tagger and opens the file.
func reopen(t testing.TB, tagger *Tagger) *Tagger {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tagger.idx")
	must.Succeed(t, tagger.Write(path))
	opened := must.Get(Open(path))
	t.Cleanup(func() { opened.Close() })
	return opened
}

func sample(t testing.TB) *Tagger {
	return newTestTagger(t, dictionary(
		"D1: AIDS | Acquired Immunodeficiency Syndrome | aids dementia",
		"D2: Gout | 病 気",
		"D3: Gout | Sjögren",
		"D4: α-mannosidosis",
	), DefaultNameFilter())
}

func TestFile(t *testing.T) {
	tagger := sample(t)
	opened := reopen(t, tagger)
	const text = "AIDS, aids and gout, 病 気, sjogren: Α-MANNOSIDOSIS"
	want := []string{"AIDS=[D1]", "gout=[D2 D3]", "病 気=[D2]", "sjogren=[D3]", "Α-MANNOSIDOSIS=[D4]"}
	must.Equal(t, show(opened.Tag(nil, text), text), want)
	must.Equal(t, opened.Fingerprint(), tagger.Fingerprint(), "fingerprint after opening")
	names := []string{"acquired immunodeficiency syndrome", "aids", "aids dementia", "gout", "sjogren", "α mannosidosis", "病 気"}
	if got := slices.Collect(maps.Keys(maps.Collect(opened.All()))); !slices.Equal(slices.Sorted(slices.Values(got)), names) {
		t.Errorf("names are %q, want %q", got, names)
	}
	for word, want := range map[string]bool{"mannosidosis": true, "気": true, "alpha": true, "a": false, "": false} {
		must.Equal(t, opened.HasWord(word), want, "HasWord", word)
	}
	must.Succeed(t, opened.Close())
}

// TestFileReal compares the files of two taggers of the same dictionary, and of one that was opened.
func TestFileReal(t *testing.T) {
	must.SkipShort(t)
	var first []byte
	tagger := newTestTagger(t, fixtures.UnionOfMEDIC(t), DefaultNameFilter())
	for i, same := range []*Tagger{tagger, newTestTagger(t, fixtures.UnionOfMEDIC(t), DefaultNameFilter()), reopen(t, tagger)} {
		path := filepath.Join(t.TempDir(), "tagger.idx")
		must.Succeed(t, same.Write(path))
		data := must.Get(os.ReadFile(path))
		if first == nil {
			first = data
		}
		if !bytes.Equal(data, first) {
			t.Errorf("file %d differs", i)
		}
	}
}

func TestFingerprint(t *testing.T) {
	seen := map[string]string{}
	for name, tagger := range map[string]*Tagger{
		"sample":          sample(t),
		"other names":     newTestTagger(t, dictionary("D1: gout"), NameFilter{}),
		"other concept":   newTestTagger(t, dictionary("D2: gout"), NameFilter{}),
		"other filter":    newTestTagger(t, dictionary("D1: gout"), NameFilter{Numbers: true}),
		"other case rule": newTestTagger(t, dictionary("D1: GOUT"), NameFilter{Acronyms: true}),
		"empty":           newTestTagger(t, dictionary(), NameFilter{}),
	} {
		if other, ok := seen[tagger.Fingerprint()]; ok {
			t.Errorf("%s has the fingerprint of %s", name, other)
		}
		seen[tagger.Fingerprint()] = name
	}
	must.Equal(t, sample(t).Fingerprint(), sample(t).Fingerprint(),
		"two taggers of one dictionary have different fingerprints")
}

// TestFileDamaged opens files with missing tensors, or with tensors of inconsistent lengths.
func TestFileDamaged(t *testing.T) {
	tagger := sample(t)
	tests := []struct {
		name string
		data any // nil to omit it
		want string
	}{
		{"keys", &[]byte{}, "and others"},
		{"keys", &[]float32{1}, "has the type F32"},
		{"values", &[]uint32{}, "0 values"},
		{"cased_names", &[]uint32{0, 1, 2}, "forms of 3 names"},
	}
	for _, field := range tagger.fields() {
		tests = append(tests, struct {
			name string
			data any
			want string
		}{field.Name, nil, `"` + field.Name})
	}
	for _, test := range tests {
		fields := tagger.fields()
		i := slices.IndexFunc(fields, func(f safetensors.Field) bool { return f.Name == test.name })
		if fields[i].Data = test.data; test.data == nil {
			fields = slices.Delete(fields, i, i+1)
		}
		path := filepath.Join(t.TempDir(), "tagger.idx")
		must.Succeed(t, safetensors.WriteArrays(path, safetensors.Arrays("", fields)))
		_, err := Open(path)
		if fault, ok := errors.AsType[*files.DamagedError](err); !ok || !strings.Contains(err.Error(), test.want) || fault.Path != path {
			t.Errorf("%s %v: error is %v, want a DamagedError: %s", test.name, test.data, err, test.want)
		}
	}
}
