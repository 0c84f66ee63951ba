package abbrev

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestDefinitions(t *testing.T) {
	var d definedForms
	for _, body := range []string{
		"Action potentials (APs) of atopic dermatitis (AD).",
		"Alzheimer disease (AD), anterior pituitary (AP). AD (adenoid).", // another section, with its own definition of AP
	} {
		d.add(body, Find(body))
	}
	// The first text has 50 bytes, and AD is defined again at byte 19 of the second.
	for _, test := range []struct {
		short string
		at    int
		want  string
	}{
		{"APs", 0, "Action potentials"}, {"AP", 0, "anterior pituitary"}, {"AD", 0, "atopic dermatitis"},
		{"AD", 68, "atopic dermatitis"}, {"AD", 69, "Alzheimer disease"}, {"AD", 500, "Alzheimer disease"},
		{"ad", 0, ""}, {"ADs", 0, ""},
	} {
		if got, ok := d.longForm(test.short, test.at); got != test.want || ok != (test.want != "") {
			t.Errorf("LongForm(%q, %d) = %q, %t, want %q", test.short, test.at, got, ok, test.want)
		}
	}
	tagger := Tagger{definitions: d}
	if tagger.Reset(); len(tagger.definitions.occurrences("AD", 0, nil)) > 0 {
		t.Error("AD is defined after Reset")
	}
}

// dullOccurrences scans body from left to right. At each beginning of a word it takes the longest string that ends a
// word and is a short form, with or without a plural s.
func dullOccurrences(d *definedForms, body string) []occurrence {
	var found []occurrence
	for start := 0; start < len(body); {
		before, _ := utf8.DecodeLastRuneInString(body[:start])
		matched := false
		for end := len(body); end > start && utf8.RuneStart(body[start]) && (start == 0 || !normalize.JoinsWords(before)); end-- {
			if end < len(body) {
				if next, _ := utf8.DecodeRuneInString(body[end:]); !utf8.RuneStart(body[end]) || normalize.JoinsWords(next) {
					continue
				}
			}
			long, ok := d.longForm(body[start:end], start)
			if !ok {
				singular, plural := strings.CutSuffix(body[start:end], "s")
				if long, ok = d.longForm(singular, start); !plural || !ok {
					continue
				}
			}
			found = append(found, occurrence{text.Span{Start: start, End: end}, long})
			start, matched = end, true
			break
		}
		if !matched {
			start++
		}
	}
	return found
}

// checkOccurrences compares occurrences with dullOccurrences.
func checkOccurrences(t *testing.T, definitions, body string) {
	t.Helper()
	var d definedForms
	d.add(definitions, Find(definitions))
	got := d.occurrences(body, 0, nil)
	must.EqualBy(t, cmpopts.EquateEmpty(), got, dullOccurrences(&d, body), "definitions", definitions, "text", body)
}

// manyDefinitions returns a definition of a short form for each combination of two letters.
func manyDefinitions() string {
	var b strings.Builder
	for i := 'b'; i <= 'z'; i++ {
		for j := 'b'; j <= 'z'; j++ {
			fmt.Fprintf(&b, "and alpha %c%c %c%c group (A%c%cG), ", i, i, j, j, unicode.ToUpper(i), unicode.ToUpper(j))
		}
	}
	return b.String()
}

func TestOccurrences(t *testing.T) {
	many := manyDefinitions()
	if n := len(Find(many)); n < 500 {
		t.Fatalf("Find finds %d definitions, want 625", n)
	}
	definitions := []string{
		"action potentials (APs)", "anterior pituitary (AP)", "tumor necrosis factor (TNF)", "TNF-alpha (tumor necrosis factor-alpha)",
		"type two (T 2)", "acute pain (AP)", "applied potentials (APs)", "ÉÉ (éclair élan)", "all leukemias (ALLs)",
	}
	words := []string{"AP", "APs", "ALL", "ALLs", "ALLss", "TNF", "TNF-alpha", "T 2", "T", "2", "ÉÉ", "éÉÉ", "s", "x", "(", ")", "-", " ", " ", ",", "É"}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 9))
		var defined, body strings.Builder
		for range r.IntN(5) {
			defined.WriteString(definitions[r.IntN(len(definitions))] + ", ")
		}
		for range r.IntN(12) {
			body.WriteString(words[r.IntN(len(words))])
		}
		if seed%50 == 0 {
			defined.WriteString(many)
			body.WriteString(" ABCG ABCGs xABCG")
		}
		checkOccurrences(t, defined.String(), body.String())
	}
}

// The time for a text that defines many short forms is not quadratic in their number.
func TestOccurrencesIsLinear(t *testing.T) {
	var body strings.Builder
	var found []Definition
	for i := range 200_000 {
		span := text.Span{Start: body.Len()}
		fmt.Fprintf(&body, "A%d", i)
		span.End = body.Len()
		found = append(found, Definition{Short: span, Long: span})
		body.WriteByte(' ')
	}
	begin := time.Now()
	var d definedForms
	d.add(body.String(), found)
	must.Equal(t, len(d.occurrences(body.String(), 0, nil)), len(found), "occurrences of short forms")
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

func FuzzOccurrences(f *testing.F) {
	f.Add("action potentials (APs)", "AP, APs or AP-s; xAP")
	f.Add("tumor necrosis factor (TNF), TNF-alpha (tumor necrosis factor-alpha)", "TNF-alpha-TNFs")
	f.Fuzz(func(t *testing.T, definitions, body string) {
		checkOccurrences(t, strings.ToValidUTF8(definitions, "?"), strings.ToValidUTF8(body, "?"))
	})
}

// TestOverlay compares Overlay with the rule applied to every pair of mentions.
func TestOverlay(t *testing.T) {
	random := func(r *rand.Rand, name string) []text.Mention {
		var mentions []text.Mention
		for at := r.IntN(4); at < 20; at += r.IntN(4) {
			end := at + 1 + r.IntN(5)
			mentions = append(mentions, text.Mention{Span: text.Span{Start: at, End: end}, Name: name})
			at = end
		}
		return mentions
	}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		tagged, defined := random(r, "tagged"), random(r, "defined")
		overlap := func(a, b text.Mention) bool { return a.Start < b.End && b.Start < a.End }
		var want []text.Mention
		for _, m := range tagged {
			stays := true
			for _, d := range defined {
				stays = stays && (!overlap(m, d) || m.Contains(d.Span) && m.Len() > d.Len())
			}
			if stays {
				want = append(want, m)
			}
		}
		names := slices.Clone(want)
		for _, d := range defined {
			if !slices.ContainsFunc(names, func(m text.Mention) bool { return overlap(m, d) }) {
				want = append(want, d)
			}
		}
		slices.SortFunc(want, func(a, b text.Mention) int { return a.Start - b.Start })
		if diff := cmp.Diff(want, Overlay(nil, tagged, defined), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("seed %d: tagged %v, defined %v (-want +got):\n%s", seed, tagged, defined, diff)
		}
	}
}
