package matcher

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// dictionary returns a dictionary from "id: name | name" lines.
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
	must.Succeed(t, err)
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

// TestTag reads the cases in testdata/tags.txt: after "== title" come the concepts of a dictionary, and after "> " a
// text, which may be quoted, followed by a line with the expected mentions. "#" begins a comment.
func TestTag(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/tags.txt"))
	for _, section := range strings.Split(string(data), "== ")[1:] {
		title, lines, _ := strings.Cut(section, "\n")
		lines = regexp.MustCompile(`(?m)^(#.*)?\n`).ReplaceAllString(lines, "")
		cases := strings.Split("\n"+lines, "\n> ")
		tagger, dull := newTaggers(t, dictionary(strings.Split(strings.TrimSpace(cases[0]), "\n")...), DefaultNameFilter())
		for _, c := range cases[1:] {
			raw, found, _ := strings.Cut(c, "\n")
			if unquoted, err := strconv.Unquote(raw); err == nil {
				raw = unquoted
			}
			must.Equal(t, strings.Join(show(tagger.Tag(nil, raw), raw), " | "), strings.TrimSpace(found), title, raw)
			checkTags(t, tagger, dull, raw)
		}
	}
}

func TestTagAppends(t *testing.T) {
	tagger := newTestTagger(t, dictionary("D1: gout"), NameFilter{})
	first := tagger.Tag(nil, "gout")
	both := tagger.Tag(first, "the gout")
	must.Equal(t, both,
		append(first, text.Mention{Span: text.Span{Start: 4, End: 8}, Name: "gout", Concepts: []kb.ConceptID{"D1"}}))
}

// dullTagger is a simple tagger that makes every reading of a text and looks it up among the keys of names.
type dullTagger struct {
	*Tagger
	texts []string // keys, ascending
}

// newTaggers returns the tagger for a dictionary, and a dull one.
func newTaggers(t testing.TB, d *kb.Dictionary, filter NameFilter) (*Tagger, dullTagger) {
	t.Helper()
	b, _, err := filter.apply(t.Context(), d, d)
	must.Succeed(t, err)
	tagger := newTestTagger(t, d, filter)
	b.of = tagger.of
	keys := must.Get(b.makeKeys(t.Context()))
	dull := dullTagger{Tagger: tagger}
	for _, k := range keys {
		dull.texts = append(dull.texts, k.key)
	}
	slices.Sort(dull.texts)
	dull.texts = slices.Compact(dull.texts)
	return tagger, dull
}

// readings calls do with the end of each reading of the words from i on, up to the length of the longest key.
func (d *dullTagger) readings(s *scratch, i, next int, before, last string, isOrder bool, do func(end match)) {
	for _, step := range s.reader.steps(nil, next, next == i) {
		key, text := before, last
		if step.text != "" {
			if key != "" && s.separates(next, last, step.text) {
				key += " "
			} else if key != "" && !isBesideUnspaced(last, step.text) {
				continue
			}
			key, text = key+step.text, step.text
		}
		at, isKey := slices.BinarySearch(d.texts, key)
		if key == "" || at == len(d.texts) || !strings.HasPrefix(d.texts[at], key) {
			continue
		}
		token := &s.tokens[step.next-1]
		encoded, _ := d.encode(pieces(key))
		end := match{step.next - 1, token.Normal.End, uint32(d.after(d.start(), encoded).rank), isOrder || step.isOrder}
		if step.end == isLast {
			end.end += len(bare(s.normal, token)) - token.Normal.Len()
		}
		if isKey && step.end != noEnd {
			do(end)
		}
		if step.next < len(s.tokens) && step.end != isLast {
			d.readings(s, i, step.next, key, text, isOrder || step.isOrder, do)
		}
	}
}

func (d *dullTagger) tag(raw string) []text.Mention {
	s := &scratch{reader: reader{of: d.of, known: new(wordCache)}}
	s.read(raw)
	var mentions []text.Mention
words:
	for i := 0; i < len(s.tokens); {
		found := make(map[match][]match) // by their ends
		d.readings(s, i, i, "", "", false, func(end match) {
			keys := found[match{end.token, end.end, 0, false}]
			found[match{end.token, end.end, 0, false}] = append(keys, end)
		})
		for _, end := range slices.SortedFunc(maps.Keys(found), func(a, b match) int { return b.end - a.end }) {
			words := s.tokens[i : end.token+1]
			span := text.Span{Start: words[0].Raw.Start, End: words[len(words)-1].Raw.End}
			if end.end < words[len(words)-1].Normal.End {
				span.End = words[len(words)-1].Raw.Start + len(strings.TrimRightFunc(words[len(words)-1].Raw.Of(raw), normalize.IsNoWordRune))
			}
			name, concepts, ok := d.choose(found[end], span.Of(raw), s.normal[words[0].Normal.Start:end.end])
			if !ok || splitsWord(raw, span) || crossesBoundary(raw, words) || s.isCut(i, end.token) {
				continue
			}
			m := text.Mention{Span: span, Name: d.forms.At(int(name))}
			if s.isOtherWord(i, span, m.Name, d.rule(name)) {
				continue
			}
			for _, concept := range d.listOf(concepts) {
				m.Concepts = append(m.Concepts, kb.ConceptID(d.concepts.At(int(concept))))
			}
			mentions = append(mentions, m)
			i = end.token + 1
			continue words
		}
		i++
	}
	return mentions
}

// checkTags compares Tag with a dull tagger.
func checkTags(t *testing.T, tagger *Tagger, dull dullTagger, raw string) []text.Mention {
	t.Helper()
	got := tagger.Tag(nil, raw)
	if diff := cmp.Diff(dull.tag(raw), got); diff != "" {
		t.Fatalf("%q (-dull +tagger):\n%s", raw, diff)
	}
	return got
}

// randomText concatenates n pieces from a short list, so that names occur.
func randomText(r *rand.Rand, n int) string {
	pieces := []string{
		"a", "B", "ab", "Ab", "AB", "b2", "2", "é", "ﬁ", "α", "病", "糖", "が", "ｶﾞ", "น้ำ", "당", "word", "longer-than-eight-letters",
		" ", " ", " ", "-", "　", "\u00ad", "\u0301", "\xff", ".", "+", "(-)", "<",
	}
	var b strings.Builder
	for range n {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func TestTagRandom(t *testing.T) {
	must.SkipShort(t)
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		var concepts []kb.Concept
		for i := range 1 + r.IntN(40) {
			concepts = append(concepts, kb.Concept{
				ID:       kb.ConceptID(fmt.Sprint("C", i%7)),
				Synonyms: []string{randomText(r, 1+r.IntN(6))},
			})
		}
		tagger, dull := newTaggers(t, kb.NewDictionary(concepts), NameFilter{Acronyms: seed%2 == 0, Variants: seed%3 == 0})
		for range 20 {
			checkTags(t, tagger, dull, randomText(r, r.IntN(60)))
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func TestTagReal(t *testing.T) {
	must.SkipShort(t)
	texts := fixtures.Abstracts(t, 500)
	for d, filter := range map[*kb.Dictionary]NameFilter{fixtures.HalfOfMEDIC(t): {}, fixtures.UnionOfMEDIC(t): DefaultNameFilter()} {
		tagger, dull := newTaggers(t, d, filter)
		mentions := 0
		for _, raw := range texts {
			mentions += len(checkTags(t, tagger, dull, raw))
		}
		if mentions == 0 {
			t.Errorf("%+v: no mention in %d texts", filter, len(texts))
		}
	}
}

func TestTagConcurrently(t *testing.T) {
	tagger, dull := newTaggers(t, dictionary("D1: a b", "D2: b", "D3: 病 | が"), NameFilter{})
	var group sync.WaitGroup
	for worker := range uint64(8) {
		group.Go(func() {
			r := rand.New(rand.NewPCG(worker, 3))
			for range 50 {
				checkTags(t, tagger, dull, randomText(r, 100))
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
		for _, filter := range []NameFilter{{}, DefaultNameFilter()} {
			tagger, dull := newTaggers(t, d, filter)
			checkTags(t, tagger, dull, raw)
		}
	})
}

func BenchmarkTag(b *testing.B) {
	texts, size := fixtures.Abstracts(b, 1000), int64(0) // bytes
	for _, text := range texts {
		size += int64(len(text))
	}
	for name, d := range fixtures.BenchDictionaries(b) {
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

// TestCapitalsAreReadOnce tags a sentence of capitals that all look like short forms. The capitals must be examined
// once, and not again for each of 200,000 words.
func TestCapitalsAreReadOnce(t *testing.T) {
	tagger, _, err := NewTagger(kb.NewDictionary([]kb.Concept{{ID: "L", Name: "leukemia", Synonyms: []string{"ALL"}}}), DefaultNameFilter())
	must.Succeed(t, err)
	if found := tagger.Tag(nil, strings.Repeat("ALL ", 200_000)); len(found) > 0 {
		t.Errorf("%d mentions, want none", len(found))
	}
	if found := tagger.Tag(nil, "He has ALL.\nALL PATIENTS."); len(found) != 1 || found[0].Start != 7 {
		t.Errorf("mentions %v, want the first ALL alone", found)
	}
}

// TestJoinedWordsAreLinear tags a text in which every word is joined to the next. This takes hours if each word is
// joined to all later ones.
func TestJoinedWordsAreLinear(t *testing.T) {
	tagger, _, err := NewTagger(kb.NewDictionary([]kb.Concept{{ID: "L", Name: "beta blocker"}}), DefaultNameFilter())
	must.Succeed(t, err)
	for _, words := range []string{"Aベータ", "ベータ", "의"} {
		if found := tagger.Tag(nil, strings.Repeat(words, 20_000)); len(found) > 0 {
			t.Errorf("%d mentions in %s…, want none", len(found), words)
		}
	}
}
