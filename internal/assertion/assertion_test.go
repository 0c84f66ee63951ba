package assertion

import (
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// marked returns a document, given its text with the mentions in square brackets.
func marked(s string) *text.Document {
	doc := &text.Document{}
	var body strings.Builder
	for {
		before, rest, found := strings.Cut(s, "[")
		body.WriteString(before)
		if !found {
			doc.Text = body.String()
			return doc
		}
		mention, after, _ := strings.Cut(rest, "]")
		start := body.Len()
		body.WriteString(mention)
		doc.Mentions = append(doc.Mentions, text.Mention{Span: text.Span{Start: start, End: body.Len()}})
		s = after
	}
}

// letters encodes an assertion in letters: n, u, h, y (hypothetical), o (other person), or "-".
func letters(s linked.Assertion) string {
	word := ""
	for i, is := range []bool{s.Negated, s.Uncertain, s.Historical, s.Hypothetical, s.OtherPerson} {
		if is {
			word += "nuhyo"[i : i+1]
		}
	}
	if word == "" {
		return "-"
	}
	return word
}

func classified(doc *text.Document) string {
	var words []string
	for _, s := range Classify(doc) {
		words = append(words, letters(s))
	}
	return strings.Join(words, " ")
}

// TestOverlappingMentions has a mention within another, and one that crosses a sentence boundary and covers a trigger
// of the next sentence.
func TestOverlappingMentions(t *testing.T) {
	doc := &text.Document{Text: "No breast cancer. No fever was found.", Mentions: []text.Mention{
		{Span: text.Span{Start: 3, End: 16}}, {Span: text.Span{Start: 10, End: 16}}, // breast cancer, cancer
		{Span: text.Span{Start: 10, End: 20}}, // cancer. No
		{Span: text.Span{Start: 21, End: 26}}, // fever
	}}
	must.Equal(t, classified(doc), "n n n -")
}

// expandAll returns the terms of a row of the table.
func expandAll(row string) []string {
	var all []string
	for term := range strings.SplitSeq(row, ",") {
		all = append(all, expand(term)...)
	}
	return all
}

// TestTerms finds terms that can never match, because they have the normal form of another term in the same row, and
// terms with a slash in only some of their spellings in the table.
func TestTerms(t *testing.T) {
	slash := make(map[string]bool)
	for i, row := range lang.Triggers {
		inRow := make(map[string]bool)
		for _, term := range expandAll(row.Terms) {
			name := normalize.Normal(term)
			if name == "" || inRow[name] {
				t.Errorf("row %d: term %q is empty or repeated", i, strings.TrimSpace(term))
			}
			inRow[name] = true
			has := strings.Contains(term, "/")
			if before, ok := slash[name]; ok && before != has {
				t.Errorf("row %d: term %q is elsewhere with a slash, or without", i, strings.TrimSpace(term))
			}
			slash[name] = has
		}
	}
	if n := len(triggers().effects); n != len(slash) || n < 300 {
		t.Errorf("lexicon has %d terms, the table %d", n, len(slash))
	}
}

// dullClassify is Classify for one sentence without a line break or a full stop inside. It loops over all strings of up
// to ten words, and over all pairs of mentions and terms.
func dullClassify(doc *text.Document) []linked.Assertion {
	var n normalize.Normalizer
	n.Normalize(doc.Text)
	tokens, effectsOf := n.Tokens(), triggers().effects
	var found []event
	for i := 0; i < len(tokens); i++ {
		longest := 0
		var term event
		for words := 1; words <= 10 && i+words <= len(tokens); words++ {
			span := text.Span{Start: tokens[i].Raw.Start, End: tokens[i+words-1].Raw.End}
			if strings.Contains(span.Of(doc.Text), ";") { // no term extends across a sentence or semicolon
				break
			}
			if name := normalize.Normal(span.Of(doc.Text)); effectsOf[name] != nil {
				longest, term = words, event{span, -1, triggers().of(&text.Mention{Span: span, Name: name}, doc.Text), 0}
			}
		}
		if longest > 0 {
			i += longest - 1
			whole := text.Span{End: len(doc.Text)}
			switch {
			case term.effects.slash && !strings.Contains(term.Of(doc.Text), "/"):
			case term.effects.between && !isEither(doc.Text, term.Span, whole, doc.Mentions):
			default:
				found = append(found, term)
			}
		}
	}
	for _, s := range signs(nil, doc.Text) {
		found = slices.DeleteFunc(found, func(term event) bool { return term.Start < s.End && s.Start < term.End })
		found = append(found, event{s.Span, -1, s.effects, 0})
	}
	found = slices.DeleteFunc(found, func(term event) bool {
		return slices.ContainsFunc(doc.Mentions, func(m text.Mention) bool { return m.Start < term.End && term.Start < m.End })
	})
	speaksOfNext := func(term event) bool { // and not of the one before
		return term.effects.touchedAfter != [dimensions]value{} &&
			slices.ContainsFunc(doc.Mentions, func(m text.Mention) bool { return m.Start == term.End+1 })
	}
	assertions := make([]linked.Assertion, len(doc.Mentions))
	for i, m := range doc.Mentions {
		var values [dimensions]value
		for d := range values {
			best, nearest := -1, len(doc.Text) // their distances: of the value, and of a term before the mention
			suspected, denied := false, false
			for _, term := range found {
				distance, v, touched := m.Start-term.End, term.effects.after[d], term.effects.touchedAfter[d]
				between := text.Span{Start: term.Start + 1, End: m.Start}
				back := term.Start >= m.End
				if back {
					distance, v, touched = term.Start-m.End, term.effects.before[d], term.effects.touchedBefore[d]
					between = text.Span{Start: m.Start, End: term.Start - 1}
				}
				blocked := slices.ContainsFunc(found, func(other event) bool {
					return other.effects.acts[d] && !(back && speaksOfNext(other)) && !(other.effects.past && v == hypothetical) &&
						between.Start <= other.Start && other.Start <= between.End
				})
				next := sort.Search(len(doc.Mentions), func(i int) bool { return doc.Mentions[i].Start > term.Start })
				blocked = blocked || back && (speaksOfNext(term) || m.Start < backTo(doc.Text, 0, doc.Mentions[next-1].Span, term.Span))
				if distance == 1 && touched != usual {
					v, blocked = touched, false
				}
				if v == usual || blocked {
					continue
				}
				if !back && distance < nearest {
					nearest, suspected = distance, v == uncertain
				}
				denied = denied || back && v == negated && !startsBetween(found, doc.Mentions, m.End, term.Start)
				if best < 0 || distance < best || distance == best && v >= values[d] {
					best, values[d] = distance, v
				}
			}
			if suspected && denied {
				values[d] = negated
			}
		}
		assertions[i] = newAssertion(values)
	}
	return assertions
}

// startsBetween reports whether a term or a mention starts in a part of the text.
func startsBetween(terms []event, mentions []text.Mention, start, end int) bool {
	within := func(s text.Span) bool { return start <= s.Start && s.Start < end }
	return slices.ContainsFunc(terms, func(e event) bool { return within(e.Span) }) ||
		slices.ContainsFunc(mentions, func(m text.Mention) bool { return within(m.Span) })
}

// randomDocument returns a sentence of terms and other words, some of them mentions.
func randomDocument(r *rand.Rand, names []string) *text.Document {
	words := []string{"fever", "asthma", "the", "of", "no", "not", "history", "is", "was", "excluded", "é", "and"}
	doc := &text.Document{}
	var body strings.Builder
	for range 1 + r.IntN(25) {
		if body.Len() > 0 {
			body.WriteString([]string{" ", " ", " ", ", ", "; ", "-"}[r.IntN(6)])
		}
		start := body.Len()
		if r.IntN(3) == 0 {
			body.WriteString(names[r.IntN(len(names))])
		} else {
			body.WriteString(words[r.IntN(len(words))])
		}
		if r.IntN(4) == 0 {
			doc.Mentions = append(doc.Mentions, text.Mention{Span: text.Span{Start: start, End: body.Len()}})
		}
	}
	doc.Text = body.String()
	return doc
}

func TestClassifyRandom(t *testing.T) {
	var names []string
	for _, row := range lang.Triggers {
		names = append(names, expandAll(row.Terms)...)
	}
	seen := make(map[string]int)
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 1))
		doc := randomDocument(r, names)
		got := Classify(doc)
		if diff := cmp.Diff(dullClassify(doc), got); diff != "" {
			t.Fatalf("seed %d: %q, %v (-dull +got):\n%s", seed, doc.Text, doc.Mentions, diff)
		}
		for _, s := range got {
			seen[letters(s)]++
		}
	}
	for _, assertion := range []string{"-", "n", "u", "h", "y", "o"} {
		if seen[assertion] == 0 {
			t.Errorf("no mention is %q: %v", assertion, seen)
		}
	}
}

// FuzzClassify looks for panics and for mentions with two attributes that exclude each other.
func FuzzClassify(f *testing.F) {
	f.Add("No fever; but possible pneumonia. History of asthma was ruled out.", 3, 8, 20, 30)
	f.Add("s/p\xff stroke\n\nno \u00e9 if", 4, 4, 5, 9)
	f.Fuzz(func(t *testing.T, body string, a, b, c, d int) {
		doc := &text.Document{Text: body}
		for _, span := range []text.Span{{Start: a, End: b}, {Start: c, End: d}} {
			if 0 <= span.Start && span.Start <= span.End && span.End <= len(body) {
				doc.Mentions = append(doc.Mentions, text.Mention{Span: span})
			}
		}
		slices.SortFunc(doc.Mentions, func(a, b text.Mention) int { return a.Start - b.Start })
		for _, s := range Classify(doc) {
			if s.Negated && s.Uncertain || s.Historical && s.Hypothetical {
				t.Errorf("%q: %+v", body, s)
			}
		}
	})
}

// The order of the mentions of a document does not matter.
func TestMentionsInAnyOrder(t *testing.T) {
	doc := &text.Document{Text: "No fever. Cough is possible. A rash."}
	for _, word := range []string{"rash", "fever", "Cough"} {
		start := strings.Index(doc.Text, word)
		doc.Mentions = append(doc.Mentions, text.Mention{Span: text.Span{Start: start, End: start + len(word)}})
	}
	must.Equal(t, Classify(doc), []linked.Assertion{{}, {Negated: true}, {Uncertain: true}})
}

// A long cell takes time linear in its length; it takes minutes if that is quadratic.
func TestBareIsLinear(t *testing.T) {
	cell := "gout" + strings.Repeat(" known, 2019", 5000)
	must.Equal(t, Bare(cell), []text.Span{{End: len("gout")}})
}
