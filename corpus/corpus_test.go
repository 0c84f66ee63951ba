package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// checked returns a manifest with a matching checksum.
func checked(t *testing.T, manifest string) []byte {
	t.Helper()
	var members map[string]any
	must.Succeed(t, json.Unmarshal([]byte(manifest), &members))
	delete(members, "crc32c")
	path := filepath.Join(t.TempDir(), manifestName)
	must.Succeed(t, artifact.WriteCheckedJSON(path, members))
	return must.Get(os.ReadFile(path))
}

func TestOpenDamaged(t *testing.T) {
	sources := world{files: 2, records: 30}.make(rand.New(rand.NewPCG(1, 8)))
	whole := testOptions(t.TempDir(), writeFiles(t, sources))
	mustBuild(t, whole)
	for _, c := range []struct {
		name, file string
		damage     func(data []byte) []byte
		want       string
	}{
		{"truncated", sentencesName, func(b []byte) []byte { return b[:len(b)-7] }, "bytes, want"},
		{"changed", sentencesName, func(b []byte) []byte { b[len(b)/2] ^= 1; return b }, "SHA-256 is"},
		{"records changed", recordsName, func(b []byte) []byte { b[9] ^= 1; return b }, "SHA-256 is"},
		{"pairs changed", pairsName, func(b []byte) []byte { b[9] ^= 1; return b }, "SHA-256 is"},
		{"empty", recordsName, func([]byte) []byte { return nil }, "has 0 bytes, want"},
		{"not JSON", manifestName, func([]byte) []byte { return []byte("{") }, "an unfinished value"},
		{"manifest changed", manifestName, func(b []byte) []byte { b[len(b)/2] ^= 1; return b }, "is not the manifest"},
		{"manifest without checksum", manifestName, func(b []byte) []byte { return b[:len(b)-3] }, "an unfinished value"},
		{"manifest with another end", manifestName, func(b []byte) []byte { return append(b, ' ') }, "does not end with its CRC-32C"},
		{"newer", manifestName, func(b []byte) []byte {
			return checked(t, strings.Replace(string(b), `"format": 1`, `"format": 99`, 1))
		}, "corpus format is 99, want 1"},
		{"file not listed", manifestName, func(b []byte) []byte {
			return checked(t, strings.Replace(string(b), recordsName, "others.parquet", 1))
		}, "does not list " + recordsName},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, data := range folder(t, whole.Dir) {
				content := []byte(data)
				if name == c.file {
					content = c.damage(content)
				}
				must.Succeed(t, os.WriteFile(filepath.Join(dir, name), content, 0o644))
			}
			_, err := Open(dir)
			var damaged *files.DamagedError
			if !errors.As(err, &damaged) || !strings.Contains(err.Error(), c.want) || damaged.Path != filepath.Join(dir, c.file) {
				t.Errorf("error is %v, want a DamagedError of %s with %q", err, c.file, c.want)
			}
			if _, err := Merge(context.Background(), t.TempDir(), []string{whole.Dir, dir}, nil); !errors.As(err, &damaged) {
				t.Errorf("Merge returned %v, want a DamagedError", err)
			}
		})
	}
	for _, name := range []string{manifestName, sentencesName, recordsName, pairsName} {
		dir := t.TempDir()
		must.Succeed(t, os.CopyFS(dir, os.DirFS(whole.Dir)))
		must.Succeed(t, os.Remove(filepath.Join(dir, name)))
		_, err := Open(dir)
		var damaged *files.DamagedError
		if isDamaged := errors.As(err, &damaged); isDamaged == errors.Is(err, fs.ErrNotExist) || isDamaged != (name != manifestName) || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: error is %v, want fs.ErrNotExist for the manifest, else DamagedError", name, err)
		}
	}
}

// TestCheckTarget puts foreign files where a corpus is to be written. They are named in the error, and stay.
func TestCheckTarget(t *testing.T) {
	in := writeFiles(t, world{files: 1, records: 10}.make(rand.New(rand.NewPCG(1, 10))))
	whole := buildEach(t, in)[0]
	const shard = "0123456789abcdef0123456789abcdef"
	for _, c := range []struct {
		name    string
		corpus  bool              // whether there is a corpus
		files   map[string]string // the other files; a path that ends in a slash is a folder
		foreign string            // the path in the error; empty if the folder may be replaced
	}{
		{"an empty folder", false, nil, ""},
		{"a corpus", true, nil, ""},
		{"a corpus and what a killed process left", true, map[string]string{"manifest.json.tmp-elsewhere-7-1": "{"}, ""},
		{"a marked work folder", false, map[string]string{"shards/ctxnorm-work-folder.txt": "", "shards/x": ""}, ""},
		{"a corpus with a marked work folder", true, map[string]string{"shards/ctxnorm-work-folder.txt": ""}, ""},
		{"an empty work folder", false, map[string]string{"shards/": ""}, ""},
		{"a thesis", false, map[string]string{"thesis.tex": "years"}, "thesis.tex"},
		{"notes with a corpus", true, map[string]string{"notes.txt": "mine"}, "notes.txt"},
		{"a folder with a corpus", true, map[string]string{"runs/": ""}, "runs"},
		{"sentences", false, map[string]string{"sentences.parquet": "mine"}, "sentences.parquet"},
		{"a manifest", false, map[string]string{"manifest.json": `{"mine": 1}`}, "manifest.json"},
		{"a manifest with a format", false, map[string]string{"manifest.json": `{"format": 1}`}, "manifest.json"},
		{"the user's parts", false, map[string]string{"parts/engine.txt": "mine"}, "parts"},
		{"the user's shards", false, map[string]string{"shards/engine.txt": "mine"}, "shards/engine.txt"},
		{"the user's shards with a corpus", true, map[string]string{"shards/" + shard + ".json": "{}", "shards/0.json": "mine"}, "shards/0.json"},
		{"a file called shards", false, map[string]string{"shards": "mine"}, "shards"},
		{"temporary files of the user's", true, map[string]string{"notes.tmp-host-7-1": "mine"}, "notes.tmp-host-7-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "p")
			must.Succeed(t, os.Mkdir(dir, 0o777))
			if c.corpus {
				must.Succeed(t, os.CopyFS(dir, os.DirFS(whole)))
			}
			for name, content := range c.files {
				path := filepath.Join(dir, filepath.FromSlash(name))
				if strings.HasSuffix(name, "/") {
					path = filepath.Join(path, "unused")
				}
				must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o777))
				if strings.HasSuffix(name, "/") {
					continue
				}
				must.Succeed(t, os.WriteFile(path, []byte(content), 0o666))
			}
			before := os.DirFS(dir)
			build := func() error { _, err := Build(t.Context(), testOptions(dir, in)); return err }
			merge := func() error { _, err := Merge(t.Context(), dir, []string{whole}, nil); return err }
			if c.foreign == "" {
				for _, write := range []func() error{build, merge} {
					must.Succeed(t, write())
					sameFolders(t, whole, dir)
				}
				return
			}
			want := filepath.Join(dir, filepath.FromSlash(c.foreign))
			for what, write := range map[string]func() error{"CheckTarget": func() error { return CheckTarget(dir) }, "Build": build, "Merge": merge} {
				var foreign *files.ForeignError
				if err := write(); !errors.As(err, &foreign) || foreign.Path != want {
					t.Errorf("%s: %v, want an error that names %s", what, err, want)
				}
			}
			for name, content := range c.files {
				if data, err := fs.ReadFile(before, strings.TrimSuffix(name, "/")); !strings.HasSuffix(name, "/") && (err != nil || string(data) != content) {
					t.Errorf("%s holds %q, %v; it was %q", name, data, err, content)
				}
			}
			if beside, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(beside) != 1 {
				t.Errorf("left beside the folder: %v, %v", beside, err)
			}
		})
	}
	must.Succeed(t, CheckTarget(filepath.Join(t.TempDir(), "none")), "a folder that does not exist")
	must.Fail(t, CheckTarget(in[0]), "", "a file may be overwritten")
}

// TestSentencesDamaged reads mentions that lie outside the text.
func TestSentencesDamaged(t *testing.T) {
	for _, m := range []rowMention{{Start: 5, End: 7}, {Start: -1, End: 2}, {Start: 3, End: 2}} {
		dir := t.TempDir()
		path := filepath.Join(dir, sentencesName)
		good := row{PMID: "1", Text: "Ménière", Mentions: []rowMention{{Start: 0, End: 7, Name: "ménière"}}}
		bad := row{PMID: "2", Text: "gicht", Mentions: []rowMention{m}}
		must.Get(writeTable(path, shardCodec, 1, valuesOf([]row{good, bad})))
		n := 0
		var last error
		for _, err := range (&Corpus{dir: dir}).Sentences(t.Context()) {
			n++
			last = err
		}
		var damaged *files.DamagedError
		if n != 2 || !errors.As(last, &damaged) || !strings.HasSuffix(last.Error(), sentencesName+": row 1: a mention lies outside the text") {
			t.Errorf("%+v: %d iterations, last error is %v", m, n, last)
		}
	}
}

func TestManifest(t *testing.T) {
	o := testOptions(t.TempDir(), writeFiles(t, []testFile{{name: "a.xml", records: []testRecord{
		{pmid: "12", version: 1, title: "Flu, or influenza.", sections: [][2]string{{"METHODS", "None. Gout was seen."}}},
		{pmid: "3", version: 1, title: "Cold."}, // testOptions excludes it
	}, deleted: []string{"77"}}}))
	m := mustBuild(t, o)
	c := must.Get(Open(o.Dir))
	must.Equal(t, c.Manifest(), m, "manifest, returned by Build and read")
	// Record 12 has the sentences "Flu, or influenza.", "None." and "Gout was seen."
	wantInput := Input{Name: "a.xml", Records: 2, Excluded: 1, Deletions: 1, Sentences: 3, Tagged: 2, Mentions: 3}
	must.EqualBy(t, cmpopts.IgnoreFields(Input{}, "SHA256", "Bytes"), m.Inputs, []Input{wantInput}, "inputs")
	d := testDictionary()
	must.Equal(t, m.Settings.Dictionary, (DictionaryInfo{"dictionary.tsv", d.Hash(), d.Len(), d.CountNames()}),
		"dictionary")
	if m.Settings.ExcludedPMIDs != 2 || string(m.Settings.NameFilterReport) != `{"stop words":3}` {
		t.Errorf("settings are %+v", m.Settings)
	}
	want := []*Sentence{
		{Section: titleSection, Index: 0, Document: text.Document{ID: "12", Text: "Flu, or influenza.", Mentions: []text.Mention{
			{Span: text.Span{Start: 0, End: 3}, Name: "flu", Concepts: []kb.ConceptID{"D:1"}},
			{Span: text.Span{Start: 8, End: 17}, Name: "influenza", Concepts: []kb.ConceptID{"D:1"}},
		}}},
		{Section: "METHODS", Index: 2, Document: text.Document{ID: "12", Text: "Gout was seen.", Mentions: []text.Mention{
			{Span: text.Span{Start: 0, End: 4}, Name: "gout", Concepts: []kb.ConceptID{"D:4"}},
		}}},
	}
	must.Equal(t, readAll(o.Dir), want, "sentences")
}

func TestStats(t *testing.T) {
	var records []testRecord
	for i := range 25 {
		title := "Gout."
		if i < 5 {
			title = "Tumour and gout."
		}
		if i == 0 {
			title = "Tumour, gout and flu."
		}
		records = append(records, testRecord{pmid: string(rune('A' + i)), version: 1, title: title})
	}
	for i := range records { // PMIDs are digits
		records[i].pmid = strings.Repeat("1", i+10)
	}
	o := testOptions(t.TempDir(), writeFiles(t, []testFile{{name: "a.xml", records: records}}))
	o.SentencesPerName = 100
	mustBuild(t, o)
	c := must.Get(Open(o.Dir))
	got := must.Get(c.Stats(t.Context()))
	want := &Stats{
		Sentences: 25,
		Records:   25,
		Mentions:  25 + 5 + 1,
		Ambiguous: 5, // "tumour" is D:2 and D:3
		Names:     3,
		Concepts:  4, // D:1 is mentioned once, D:2 and D:3 5 times, D:4 25 times
		ConceptsWith: []ConceptCount{
			{1, 4}, {5, 3}, {25, 1},
		},
		TopNames: []NameCount{{"gout", 25}, {"tumour", 5}, {"flu", 1}},
	}
	must.Equal(t, got, want)
}

// FuzzRow checks that a sentence survives the conversion to a row and back, and that offsets in the row count code
// points.
func FuzzRow(f *testing.F) {
	f.Add("Ménière’s disease and 糖尿病", 0, 9, 22, 31)
	f.Add("abc", 3, 3, 0, 1)
	f.Add("\xff\xc3 x", 1, 2, 0, 4)
	f.Fuzz(func(t *testing.T, body string, a, b, c, d int) {
		var mentions []text.Mention
		for _, s := range []text.Span{{Start: a, End: b}, {Start: c, End: d}} {
			if s.Start < 0 || s.End < s.Start || s.End > len(body) || !runeStart(body, s.Start) || !runeStart(body, s.End) {
				return
			}
			mentions = append(mentions, text.Mention{Span: s, Name: "n", Concepts: []kb.ConceptID{"D:1"}})
		}
		r := newRow("1", titleSection, 3, body, mentions)
		for i, m := range mentions {
			points := []rune(body)[r.Mentions[i].Start:r.Mentions[i].End]
			if utf8.ValidString(body) && string(points) != m.Of(body) {
				t.Errorf("%q: %+v is %q, want %q", body, r.Mentions[i], string(points), m.Of(body))
			}
		}
		want := &Sentence{text.Document{ID: "1", Text: body, Mentions: mentions}, titleSection, 3}
		got, ok := r.sentence()
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("ok is %v, (-want +got):\n%s", ok, diff)
		}
	})
}

// runeStart reports whether a rune or an invalid byte begins at i, or s ends there.
func runeStart(s string, i int) bool {
	for at := range s {
		if at >= i {
			return at == i
		}
	}
	return i == len(s)
}

func BenchmarkBuild(b *testing.B) {
	files := world{files: 4, records: 10000}.make(rand.New(rand.NewPCG(1, 9)))
	size := 0
	for i := range files {
		size += len(files[i].xml())
	}
	o := testOptions(b.TempDir(), writeFiles(b, files))
	o.Workers = 0
	b.SetBytes(int64(size)) // of XML
	for b.Loop() {
		mustBuild(b, o)
	}
}
