package matcher

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/realdata"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// dictionary returns a dictionary of "id: name | name" lines.
func dictionary(lines ...string) *kb.Dictionary {
	var concepts []kb.Concept
	for _, line := range lines {
		id, names, _ := strings.Cut(line, ": ")
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(id), Synonyms: strings.Split(names, " | ")})
	}
	return kb.NewDictionary(concepts)
}

func newTestTagger(t testing.TB, d *kb.Dictionary, filter NameFilter) *Tagger {
	t.Helper()
	tagger, _, err := NewTagger(d, filter)
	if err != nil {
		t.Fatal(err)
	}
	return tagger
}

// show formats mentions as "surface=[id id]".
func show(mentions []text.Mention, raw string) []string {
	var all []string
	for _, m := range mentions {
		all = append(all, fmt.Sprintf("%s=%v", m.Of(raw), m.Concepts))
	}
	return all
}

// TestTag reads the cases of testdata/tags.txt: behind "== title" the concepts of a dictionary, and behind "> " a text,
// which may be quoted, and on the next line what is found of it. "#" begins a comment.
func TestTag(t *testing.T) {
	data, err := os.ReadFile("testdata/tags.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range strings.Split(string(data), "== ")[1:] {
		title, lines, _ := strings.Cut(section, "\n")
		lines = regexp.MustCompile(`(?m)^(#.*)?\n`).ReplaceAllString(lines, "")
		cases := strings.Split("\n"+lines, "\n> ")
		tagger := newTestTagger(t, dictionary(strings.Split(strings.TrimSpace(cases[0]), "\n")...), DefaultNameFilter())
		for _, c := range cases[1:] {
			raw, found, _ := strings.Cut(c, "\n")
			if unquoted, err := strconv.Unquote(raw); err == nil {
				raw = unquoted
			}
			if got := strings.Join(show(tagger.Tag(nil, raw), raw), " | "); got != strings.TrimSpace(found) {
				t.Errorf("%s: %q: found %s, want %s", title, raw, got, found)
			}
			checkTags(t, tagger, raw)
		}
	}
}

func TestTagAppends(t *testing.T) {
	tagger := newTestTagger(t, dictionary("D1: gout"), NameFilter{})
	first := tagger.Tag(nil, "gout")
	both := tagger.Tag(first, "the gout")
	if want := append(first, text.Mention{Span: text.Span{Start: 4, End: 8}, Name: "gout", Concepts: []kb.ConceptID{"D1"}}); !cmp.Equal(both, want) {
		t.Errorf("got %v, want %v", both, want)
	}
}

// scan is Tag without a trie: at every word it tries all lengths in words, the longest
// first.
func scan(tagger *Tagger, raw string) []text.Mention {
	longest := 0
	forms := formsOf(tagger)
	for form := range forms {
		var n normalize.Normalizer
		n.Normalize(form)
		longest = max(longest, len(n.Tokens()))
	}
	return scanForms(forms, longest, raw)
}

// surfaceOf is a name or a variant of one.
type surfaceOf struct {
	entry   *nameEntry
	variant *variant
}

// formsOf returns the names and variants that a tagger looks for.
func formsOf(tagger *Tagger) map[string]surfaceOf {
	forms := make(map[string]surfaceOf)
	for i := range tagger.entries {
		forms[tagger.entries[i].name] = surfaceOf{entry: &tagger.entries[i]}
	}
	for i := range tagger.variants {
		v := &tagger.variants[i]
		forms[v.form] = surfaceOf{&tagger.entries[v.entry], v}
	}
	return forms
}

// scanForms is scan for forms of at most longest words.
func scanForms(forms map[string]surfaceOf, longest int, raw string) []text.Mention {
	var n normalize.Normalizer
	n.Normalize(raw)
	tokens, normal := n.Tokens(), string(n.Normal())
	var found []text.Mention
words:
	for i := 0; i < len(tokens); {
		for j := min(i+longest, len(tokens)) - 1; j >= i; j-- {
			span := text.Span{Start: tokens[i].Raw.Start, End: tokens[j].Raw.End}
			f, ok := forms[normal[tokens[i].Normal.Start:tokens[j].Normal.End]]
			if !ok || splitsWord(raw, span) || crossesBoundary(raw, tokens[i:j+1]) || f.variant == nil && !f.entry.allows(span.Of(raw)) || f.variant != nil && !f.variant.allows(raw, span, tokens[i:j+1]) {
				continue
			}
			found = append(found, text.Mention{Span: span, Name: f.entry.name, Concepts: f.entry.concepts})
			i = j + 1
			continue words
		}
		i++
	}
	return found
}

// checkTags compares Tag with scan, and the spans of its mentions with their names and variants.
func checkTags(t *testing.T, tagger *Tagger, raw string) {
	t.Helper()
	got := tagger.Tag(nil, raw)
	if diff := cmp.Diff(scan(tagger, raw), got); diff != "" {
		t.Errorf("%q (-scan +tagger):\n%s", raw, diff)
	}
	checkNames(t, formsOf(tagger), raw, got)
}

// checkNames compares the spans of mentions with their names and variants.
func checkNames(t *testing.T, forms map[string]surfaceOf, raw string, mentions []text.Mention) {
	t.Helper()
	for _, m := range mentions {
		if normal := normalize.Normal(m.Of(raw)); forms[normal].entry == nil || forms[normal].entry.name != m.Name {
			t.Errorf("%q: mention %q has the normal form %q and the name %q", raw, m.Of(raw), normal, m.Name)
		}
	}
}

// randomText concatenates n of a few pieces, so that names occur.
func randomText(r *rand.Rand, n int) string {
	pieces := []string{
		"a", "B", "ab", "Ab", "AB", "b2", "2", "é", "ﬁ", "α", "病", "糖", "が", "ｶﾞ", "น้ำ", "당", "word", "longer-than-eight-letters",
		" ", " ", " ", "-", "　", "\u00ad", "\u0301", "\xff", ".",
	}
	var b strings.Builder
	for range n {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func TestTagRandom(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		var concepts []kb.Concept
		for i := range 1 + r.IntN(40) {
			concepts = append(concepts, kb.Concept{
				ID:       kb.ConceptID(fmt.Sprint("C", i%7)),
				Synonyms: []string{randomText(r, 1+r.IntN(6))},
			})
		}
		tagger := newTestTagger(t, kb.NewDictionary(concepts), NameFilter{Acronyms: seed%2 == 0})
		for range 20 {
			checkTags(t, tagger, randomText(r, r.IntN(60)))
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestTagCollisions keeps 3 bits of hash, so that many words of a text are mistaken for
// words of names.
func TestTagCollisions(t *testing.T) {
	tagger := newTestTagger(t, dictionary("D1: a b | a b a", "D2: b a b b"), NameFilter{})
	names := []string{"a b", "a b a", "b a b b"}
	const fewBits = 7 << 32 // of the tag; every word probes from slot 0
	var err error
	if tagger.trie, err = newTrie(names, fewBits); err != nil { // there are no variants
		t.Fatal(err)
	}
	mistaken := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		var b strings.Builder
		for range 100 {
			fmt.Fprintf(&b, "%c ", 'a'+r.IntN(26)*r.IntN(2))
		}
		checkTags(t, tagger, b.String())
		var s scratch
		tagger.hash(&s, b.String())
		for i, hash := range s.hashes {
			raw := s.tokens[i].Normal.Of(string(s.normal))
			if tagger.trie.root(hash) != 0 && raw != "a" && raw != "b" {
				mistaken++
			}
		}
	}
	if mistaken == 0 {
		t.Error("no word was mistaken for another: this tests nothing")
	}
}

func TestTagReal(t *testing.T) {
	texts := realdata.Abstracts(t, 2000)
	const longest = 30 // words of a name
	for name, d := range map[string]*kb.Dictionary{"half": realdata.HalfOfMEDIC(t), "union": realdata.UnionOfMEDIC(t)} {
		for _, filter := range []NameFilter{{}, DefaultNameFilter()} {
			tagger := newTestTagger(t, d, filter)
			forms := formsOf(tagger)
			mentions := 0
			var n normalize.Normalizer
			for form := range forms {
				if n.Normalize(form); len(n.Tokens()) > longest {
					t.Errorf("%s has a name of %d words, the scan looks at %d", name, len(n.Tokens()), longest)
				}
			}
			for _, raw := range texts {
				got := tagger.Tag(nil, raw)
				mentions += len(got)
				if diff := cmp.Diff(scanForms(forms, longest, raw), got); diff != "" {
					t.Fatalf("%s, %+v: %q (-scan +tagger):\n%s", name, filter, raw, diff)
				}
				checkNames(t, forms, raw, got)
			}
			if mentions == 0 {
				t.Errorf("%s, %+v: no mention in %d texts", name, filter, len(texts))
			}
		}
	}
}

func TestTagConcurrently(t *testing.T) {
	tagger := newTestTagger(t, dictionary("D1: a b", "D2: b", "D3: 病 | が"), NameFilter{})
	var group sync.WaitGroup
	for worker := range uint64(8) {
		group.Go(func() {
			r := rand.New(rand.NewPCG(worker, 3))
			for range 50 {
				checkTags(t, tagger, randomText(r, 100))
			}
		})
	}
	group.Wait()
}

func FuzzTag(f *testing.F) {
	f.Add("a b|ab|病", "A b 病a.b")
	f.Add("ｶﾞﾝ|ガ", "ガン\u0301")
	f.Add("\u00ad|½|ﬁ b", "fi-b ½")
	f.Fuzz(func(t *testing.T, names, raw string) {
		d := kb.NewDictionary([]kb.Concept{{ID: "C", Synonyms: strings.Split(names, "|")}})
		checkTags(t, newTestTagger(t, d, NameFilter{}), raw)
		checkTags(t, newTestTagger(t, d, DefaultNameFilter()), raw)
	})
}

func BenchmarkTag(b *testing.B) {
	texts, size := realdata.BenchTexts(b)
	for name, d := range realdata.BenchDictionaries(b) {
		tagger := newTestTagger(b, d, DefaultNameFilter())
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			var mentions []text.Mention
			for b.Loop() {
				for _, raw := range texts {
					mentions = tagger.Tag(mentions[:0], raw)
				}
			}
		})
	}
}
