package recognize

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/text"
)

// newRules returns a recognizer without networks whose vocabulary is the given words. In all ten of their occurrences
// the words of taken are part of names, and the words of sure surely end a mention.
func newRules(words, taken, sure, pairs string) *Recognizer {
	s := &wordStatistics{adjectives: map[string]bool{"nephrotic": true}}
	for _, w := range strings.Fields(words + " " + taken + " " + sure) {
		row := wordRow{Word: w, Count: 100, surely: slices.Contains(strings.Fields(sure), w)}
		if slices.Contains(strings.Fields(taken), w) {
			row.Taken, row.Inside, row.Modifier = 10, 10, 1
		}
		s.words = append(s.words, row)
	}
	s.index()
	p := strings.Fields(pairs)
	for i := 0; i+1 < len(p); i += 2 {
		s.setPair(p[i], p[i+1], minPairs)
	}
	return &Recognizer{wordStatistics: s}
}

// setPair sets how often b follows a. Other words may already follow it.
func (s *wordStatistics) setPair(a, b string, times int32) {
	w, next := s.row(a), s.number[b]
	at, _ := slices.BinarySearch(w.Next, next)
	w.Next, w.NextCount = slices.Insert(w.Next, at, next), slices.Insert(w.NextCount, at, times)
}

// TestBorders checks the rules: {} marks spans that the network found, [] marks names of the dictionary. The rules set
// the right border of both.
func TestBorders(t *testing.T) {
	r := newRules("and breast ovarian loss of in mice type papillary tumor dislike old ankylosing cell lack nephrotic の 浮 腫 disorder",
		"renal - 大 い", "cancer toxicity diabetes spondylitis",
		"breast cancer ovarian cancer old spondylitis and cancer")
	r.setPair("ankylosing", "spondylitis", 60) // of 100 occurrences of each word
	r.setPair("nephrotic", "cell", 50)
	r.setPair("の", "浮", 60)
	r.setPair("浮", "腫", 60)
	r.row("lack").partOnly = true
	r.row("disorder").Classed, r.row("disorder").SameTop = 20, .4
	r.row("disorder").Taken, r.row("disorder").Inside = 90, 90
	for _, test := range []struct{ marked, want string }{
		{"severe {cancer} in mice", "cancer"},
		{"old ankylosing {spondylitis}", "ankylosing spondylitis"},                   // words that hardly stand apart
		{"old ankylosing [spondylitis]", "ankylosing spondylitis"},                   // also as a name,
		{"old {spondylitis}", "spondylitis"},                                         // but not with a loose pair
		{"a {lack} in mice", ""},                                                     // a word that is only part of mentions
		{"renal {lack} in mice", "renal lack"},                                       // is a mention with others
		{"[lack] in mice", "lack"},                                                   // and as a name
		{"nephrotic cell in mice", ""},                                               // an adjective of another term
		{"a renal {cancer} in mice", "renal cancer"},                                 // a modifier that belongs to names
		{"breast and {ovarian cancer}", "breast and ovarian cancer"},                 // it stands beside "cancer" elsewhere
		{"old breast and {ovarian cancer}", "breast and ovarian cancer"},             // and no other word before it
		{"dislike and {ovarian cancer}", "ovarian cancer"},                           // it does not
		{"breast and/or {ovarian cancer}", "breast and/or ovarian cancer"},           // behind two conjunctions,
		{"dislike and/or {ovarian cancer}", "ovarian cancer"},                        // which alone belong to nothing
		{"non-{papillary tumor} in mice", "non-papillary tumor"},                     // a prefix that changes the meaning
		{"of {diabetes} type 2 in mice", "diabetes type 2"},                          // a type number after it,
		{"of type 2 {diabetes}", "type 2 diabetes"},                                  // or before it
		{"{loss} of papillary", ""},                                                  // a relation
		{"{toxicity} of papillary", "toxicity"},                                      // a word that is surely a mention
		{"[loss] of papillary", "loss"},                                              // a name
		{"{papillary loss} of mice", "papillary loss"},                               // more than one word
		{"G6PD-deficient mice", "G6PD-deficient"},                                    // a deficiency
		{"deficient mice", ""},                                                       // without saying of what
		{"nephrotic mice", "nephrotic"},                                              // an adjective of a mention
		{"{papillary [tumor]} of mice", "papillary tumor"},                           // a span that contains a name
		{"old disorder [tumor]", "tumor"},                                            // which does not belong to names
		{"[papillary {tumor] loss} of mice", "papillary tumor"},                      // one that does not contain it
		{"重い[浮腫]の薬", "浮腫"},                                                           // no space beside a name,
		{"重の{浮腫}", "浮腫"},                                                             // a particle before it,
		{"重い{浮腫}", "浮腫"},                                                             // an ending,
		{"重大{浮腫}", "大浮腫"},                                                            // and a letter that belongs to names
		{"重い浮{腫}", "浮腫"},                                                             // letters of one word
		{"{if-papillary} in mice", "if-papillary"},                                   // a hyphenated non-term
		{"{of} mice and [cancer] and {in}", "cancer"},                                // prepositions
		{"{papillary tumor} and renal {toxicity}", "papillary tumor|renal toxicity"}, // several
	} {
		body, spans, names := readBorders(test.marked)
		v := &sentenceView{r: r, tokens: sentencesOf(body, nil)[0]}
		places := placesIn(v.tokens)
		var found []tokenSpan
		for _, s := range spans {
			at, _ := places.of(s)
			found = append(found, tokenSpan{at.first, at.last})
		}
		var got []string
		for _, s := range v.mentions(found, names) {
			got = append(got, body[v.tokens[s.first].Start:v.tokens[s.last].End])
		}
		must.Equal(t, strings.Join(got, "|"), test.want, test.marked)
	}
}

// readBorders returns the text without the marks of TestBorders, and the spans that they mark.
func readBorders(marked string) (body string, spans, names []text.Span) {
	var b strings.Builder
	var span, name int
	for _, c := range marked {
		switch c {
		case '{':
			span = b.Len()
		case '}':
			spans = append(spans, text.Span{Start: span, End: b.Len()})
		case '[':
			name = b.Len()
		case ']':
			names = append(names, text.Span{Start: name, End: b.Len()})
		default:
			b.WriteRune(c)
		}
	}
	return b.String(), spans, names
}

// TestDerivedAdjectives checks that adjectives are derived from words that surely end a mention, and from names that
// end mentions of many kinds.
func TestDerivedAdjectives(t *testing.T) {
	r := newRules("hypertensive hypertension hypothyroid chromosomal chromosome infected choreoathetoid ischaemic", "",
		"hypothyroidism infection choreoathetosis ischemia", "")
	hypertension := r.row("hypertension") // a name itself that is spread over many branches: "portal hypertension"
	hypertension.Alone, hypertension.Ends, hypertension.Classed, hypertension.SameTop = true, 50, 20, .4
	var got []string
	for w, is := range r.derivedAdjectives() {
		if is {
			got = append(got, w)
		}
	}
	slices.Sort(got)
	must.Equal(t, got, []string{"choreoathetoid", "hypertensive", "hypothyroid", "ischaemic"}, "adjectives")
}

// TestPartsOnly checks that a word is not a mention by itself if it ends many names, but none of its forms is a name or
// has a vector like those of names.
func TestPartsOnly(t *testing.T) {
	for _, test := range []struct {
		change func(deficit, deficits *wordRow)
		want   bool
	}{
		{func(_, _ *wordRow) {}, true},
		{func(w, _ *wordRow) { w.Heads = 19 }, false},
		{func(_, w *wordRow) { w.Alone = true }, false},
		{func(_, w *wordRow) { w.SingleByVector = .5 }, false},
		{func(_, w *wordRow) { w.SingleByVector, w.Count = .5, 19 }, true}, // too rare
	} {
		s := newRules("deficit deficits", "", "", "").wordStatistics
		s.thresholds.singleByVector = .4
		w := s.words
		w[0].Heads, w[0].SingleByVector, w[1].SingleByVector = 20, .1, .1
		test.change(&w[0], &w[1])
		if s.setPartsOnly(); w[0].partOnly != test.want {
			t.Errorf("%+v, %+v: want %t", w[0], w[1], test.want)
		}
	}
}

// A mention that begins within a long form is extended to the whole of it, unless another mention is there.
func TestWithLongForms(t *testing.T) {
	const body = "In dihydropyrimidine dehydrogenase (DPD) deficiency and breast and ovarian cancer (BOC)."
	span := func(s string) found {
		start := strings.Index(body, s)
		return found{text.Span{Start: start, End: start + len(s)}, 1}
	}
	all := []found{span("dehydrogenase (DPD) deficiency"), span("breast"), span("ovarian cancer")}
	withLongForms(definitionsIn(body), all)
	want := []found{span("dihydropyrimidine dehydrogenase (DPD) deficiency"), span("breast"), span("ovarian cancer")}
	if !slices.Equal(all, want) {
		t.Errorf("mentions are %v, want %v", all, want)
	}
}

// TestWithRepeated checks that a mention is repeated wherever the text has its words: [] marks found mentions, {} a
// name of the dictionary. The score of the first mention is too low.
func TestWithRepeated(t *testing.T) {
	const marked = "A [spasm], [renal loss] and [AT] with {gout}. Renal loss, renal loss-like spasm of renal at AT or gout."
	body, names, spans := readBorders(marked)
	all := []found{}
	for i, s := range append(spans, names...) {
		all = append(all, found{s, .4 + .2*float64(i)})
	}
	var got []string
	for _, f := range withRepeated(body, sentencesOf(body, nil), all, names)[len(all):] {
		got = append(got, f.Of(body))
	}
	must.Equal(t, got, []string{"Renal loss", "AT"}, "found behind what was found")
	long := strings.Repeat("renal ", 20_000) // it took hours to look for it within itself
	all = []found{{text.Span{End: len(long) - 1}, .9}}
	if again := withRepeated(long, sentencesOf(long, nil), all, nil); !slices.Equal(again, all) {
		t.Errorf("found %v in a long mention, want it alone", again)
	}
}

// TestMayEnd checks which words may end a mention: a word that usually occurs inside names may not, unless it ends
// several of them and is like a one-word name, and neither may a word that follows several mentions, unless some end
// with it or it often is one.
func TestMayEnd(t *testing.T) {
	r := newRules("liver diabetes", "", "", "")
	s := r.wordStatistics
	s.thresholds = thresholds{head: .2, single: .4, singleByVector: .4}
	liver := wordRow{Word: "liver", Count: 100, Heads: 20, Modifiers: 120, Inside: 50, Ends: 1, Head: .9, Single: .02, SingleByVector: .01}
	diabetes := liver
	diabetes.Word, diabetes.Single, diabetes.SingleByVector = "diabetes", .35, .8
	s.words = []wordRow{liver, diabetes}
	if s.mayEnd("liver") || !s.mayEnd("diabetes") {
		t.Errorf("liver may end a mention: %t, want false; diabetes: %t, want true", s.mayEnd("liver"), s.mayEnd("diabetes"))
	}
	s.words[1].Heads = 7 // too few names
	if s.mayEnd("diabetes") {
		t.Error("a word that ends 7 names and mostly stands inside may end a mention")
	}
	for _, test := range []struct {
		endKinds, behindKinds, ends int32
		want                        bool
	}{{0, 2, 0, true}, {0, 3, 0, false}, {0, 3, 6, true}, {1, 8, 0, true}, {1, 9, 0, false}, {2, 9, 2, true}} {
		s.words[0] = wordRow{Word: "cases", Count: 100, Head: .9, EndKinds: test.endKinds, BehindKinds: test.behindKinds, Ends: test.ends}
		s.index()
		must.Equal(t, s.mayEnd("cases"), test.want, test)
	}
}

// A sentence gives the same result anywhere in a text, even in another group of those that the network reads at once, and
// while other texts are read.
func TestFindInLongText(t *testing.T) {
	r := newRules("", "", "", "")
	r.wordStatistics = smallStatistics("renal", "failure", "and", "acute", "nephritis")
	r.ensemble = newEnsemble(newNetwork(r.wordStatistics, 1), newNetwork(r.wordStatistics, 2))
	const one = "Acute renal failure and nephritis. An unknown nephropathy of a kidney, and failure.\n"
	first := r.find(one, nil, 0)
	const copies = 2 * maxGroup / 15
	var other sync.WaitGroup
	other.Go(func() { r.find(strings.Repeat(one, copies), nil, 0) })
	all := r.find(strings.Repeat(one, copies), nil, 0)
	other.Wait()
	if len(first) == 0 || len(all) != copies*len(first) {
		t.Fatalf("%d mentions in a text and %d in %d of them", len(first), len(all), copies)
	}
	for i, f := range all {
		want := first[i%len(first)]
		at := i / len(first) * len(one)
		if f.Start != at+want.Start || f.End != at+want.End || f.score != want.score {
			t.Fatalf("mention %d: %+v, want %+v %d bytes further on", i, f, want, at)
		}
	}
}

// TestDefiningBrackets compares the tokens in defining brackets with a search of all brackets for each token.
func TestDefiningBrackets(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	parts := []string{"celiac disease (CD) ", "CD (celiac disease) ", "(", ")", "[CD] ", "cell death (CD, type 2) ", "x. ", "heart rate ( HR ) ", "-"}
	for range 300 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		body := b.String()
		definitions := definitionsIn(body)
		brackets := definingBrackets(body, definitions)
		var want, got []token
		for _, span := range sentence.Split(body) {
			for _, token := range tokenize(body, span) {
				within := func(s text.Span) bool { return s.Start <= token.Start && token.End <= s.End }
				if !slices.ContainsFunc(brackets, within) {
					want = append(want, token)
				}
			}
		}
		for _, tokens := range sentencesOf(body, definitions) {
			got = append(got, tokens...)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: tokens %+v, want %+v", body, got, want)
		}
	}
}

// A text made up of definitions alone is read in bounded time.
func TestManyDefinitions(t *testing.T) {
	must.SkipShort(t)
	r := newRules("", "", "", "")
	r.wordStatistics = smallStatistics("celiac", "disease")
	r.ensemble = newEnsemble(newNetwork(r.wordStatistics, 1))
	var names []text.Span
	body := strings.Repeat("celiac disease (CD) ", 8000)
	for at := 0; at < len(body); at += len("celiac disease (CD) ") {
		names = append(names, text.Span{Start: at, End: at + len("celiac disease")})
	}
	if all := r.find(body, names, -100); len(all) < len(names) {
		t.Errorf("%d mentions, want those of the %d names", len(all), len(names))
	}
}
