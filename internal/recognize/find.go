package recognize

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// found is a mention that a recognizer found.
type found struct {
	text.Span
	score float64 // the network's probability that exactly this span is a mention
}

// sentenceView is a sentence in which mentions are being found.
type sentenceView struct {
	r      *Recognizer
	tokens []token
	used   []bool // token is in a mention
}

// tokenSpan is a span of tokens, first to last.
type tokenSpan struct{ first, last int }

func (s tokenSpan) contains(o tokenSpan) bool { return s.first <= o.first && o.last <= s.last }

// Annotate returns the document with the mentions that the recognizer finds. The document must have been tagged with
// the dictionary's names, as by [link.TagDocument]: a tagged mention stays as it is if the recognizer finds the same
// span, and mentions that the recognizer adds have [text.Mention.Recognized]. more is added to the bias: above 0 it
// finds more mentions, below 0 fewer. The result depends on the document alone.
func (r *Recognizer) Annotate(doc *text.Document, more float64) *text.Document {
	names := make(map[text.Span]*text.Mention)
	var spans []text.Span
	for i := range doc.Mentions {
		if m := &doc.Mentions[i]; len(m.Concepts) > 0 {
			names[m.Span] = m
			spans = append(spans, m.Span)
		}
	}
	result := &text.Document{ID: doc.ID, Text: doc.Text, Group: doc.Group}
	for _, f := range r.find(doc.Text, spans, r.bias+more) {
		if name := names[f.Span]; name != nil {
			result.Mentions = append(result.Mentions, *name)
			continue
		}
		result.Mentions = append(result.Mentions, text.Mention{Span: f.Span, Recognized: true, Score: f.score})
	}
	return result
}

// find returns the mentions of a text, in order, given the spans of the dictionary's names. A bias above 0 finds more.
func (r *Recognizer) find(body string, names []text.Span, bias float64) []found {
	definitions := definitionsIn(body)
	sentences := sentencesOf(body, definitions)
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	var all []found
	crf := chain{transition: r.transition()}
	var emissions []float32
	for i, tokens := range sentences {
		if len(emissions) == 0 {
			emissions = r.emissions(w, sentences[i:i+groupLength(sentences[i:])])
		}
		n := len(tokens) * int(labelCount)
		crf.emissions, emissions = emissions[:n], emissions[n:]
		for i := 0; i < len(crf.emissions); i += int(labelCount) {
			crf.emissions[i+int(outside)] -= float32(bias)
		}
		view := &sentenceView{r: r, tokens: tokens}
		final := view.mentions(crf.best(), namesWithin(names, tokens))
		if len(final) == 0 {
			continue
		}
		crf.run(allAllowed)
		for _, s := range final {
			span := text.Span{Start: tokens[s.first].Start, End: tokens[s.last].End}
			all = append(all, found{span, crf.probability(s.first, s.last)})
		}
	}
	withLongForms(definitions, all)
	return withRepeated(body, sentences, r.shortForms(body, definitions, all), names)
}

// leastRepeated is the minimum score for a mention to be repeated wherever its document has the same words.
const leastRepeated = .5

// withRepeated adds the other occurrences of mentions with high scores. It skips names of the dictionary, which the
// tagger has looked for everywhere. all is in order, and its mentions do not overlap.
func withRepeated(body string, sentences [][]token, all []found, names []text.Span) []found {
	scores, longest := make(map[string]float64), make(map[string]int) // by words; by first word, in bytes
	for _, f := range all {
		if _, isName := slices.BinarySearchFunc(names, f.Span, text.Span.Compare); isName || f.score < leastRepeated {
			continue
		}
		words, first := wordsOf(f.Of(body)), tokenize(body, f.Span)[0].word
		scores[words], longest[first] = max(scores[words], f.score), max(longest[first], f.End-f.Start)
	}
	added := slices.Clone(all)
	for _, tokens := range sentences {
		v := sentenceView{tokens: tokens}
		for i := 0; i < len(tokens); i++ {
			next, last := firstBehind(all, tokens[i].Start), i
			var repeated found
			for j := i; j < len(tokens) && tokens[j].End <= tokens[i].Start+longest[tokens[i].word]; j++ {
				at := text.Span{Start: tokens[i].Start, End: tokens[j].End}
				if next < len(all) && all[next].Start < at.End {
					break
				}
				if score, known := scores[wordsOf(at.Of(body))]; known && !v.glued(i) && !v.glued(j+2) {
					repeated, last = found{at, score}, j
				}
			}
			if repeated.score > 0 {
				added, i = append(added, repeated), last
			}
		}
	}
	slices.SortFunc(added, func(a, b found) int { return a.Compare(b.Span) })
	return added
}

// wordsOf returns the form in which a mention is compared with its repetitions: lower case, except for a short form.
func wordsOf(mention string) string {
	if normalize.LooksLikeAcronym(mention) {
		return mention
	}
	return strings.ToLower(mention)
}

// withLongForms extends each mention that begins within a long form and includes its end to the whole long form, unless
// another mention is there: "dehydrogenase (DPD) deficiency" to "dihydropyrimidine dehydrogenase (DPD) deficiency".
func withLongForms(definitions []abbrev.Definition, all []found) {
	for _, d := range definitions {
		i := firstBehind(all, d.Long.Start)
		if i < len(all) && all[i].Start > d.Long.Start && all[i].Start < d.Long.End && all[i].End >= d.Long.End {
			all[i].Start = d.Long.Start
		}
	}
}

// maxGroup is the largest number of tokens that the network reads at once. They take 2 kB each.
const maxGroup = 8192

// groupLength returns how many of the sentences, starting with the first, are read at once. Every sentence must be
// shorter than maxGroup.
func groupLength(sentences [][]token) int {
	tokens := 0
	for i, s := range sentences {
		if tokens += len(s); tokens > maxGroup {
			return i
		}
	}
	return len(sentences)
}

// namesWithin returns the names that begin in a sentence. names is in order.
func namesWithin(names []text.Span, tokens []token) []text.Span {
	before := func(at int) int {
		return sort.Search(len(names), func(i int) bool { return names[i].Start >= at })
	}
	return names[before(tokens[0].Start):before(tokens[len(tokens)-1].End)]
}

// mentions returns the mentions of the sentence: the spans that the network found and the names, with their borders
// adjusted.
func (v *sentenceView) mentions(spans []tokenSpan, names []text.Span) []tokenSpan {
	isName := make(map[tokenSpan]bool)
	var current []tokenSpan
	places := placesIn(v.tokens)
	for _, n := range names {
		if at, ok := places.of(n); ok {
			current, isName[at] = append(current, at), true
		}
	}
	for _, span := range spans { // a name stays unless a found span contains it
		contained := true
		for _, c := range current {
			overlaps := c.first <= span.last && span.first <= c.last
			contained = contained && (!overlaps || span.contains(c))
		}
		if contained {
			current = append(slices.DeleteFunc(current, span.contains), span)
		}
	}
	slices.SortFunc(current, func(a, b tokenSpan) int { return cmp.Or(a.first-b.first, a.last-b.last) })
	current = slices.DeleteFunc(current, func(s tokenSpan) bool {
		word := v.tokens[s.first].word
		isRelation := s.last+1 < len(v.tokens) && v.tokens[s.last+1].word == lang.Relation && !v.r.look(word).surely
		return s.first == s.last && !isName[s] &&
			(v.r.look(word).isGeneric() || len(word) < 2 || lang.Prepositions[word] ||
				lang.StopWords[word] || isRelation)
	})
	v.used = make([]bool, len(v.tokens))
	for _, s := range current {
		v.use(s)
	}
	for i := range current {
		extended := v.withBorders(current[i])
		isName[extended] = isName[current[i]]
		current[i] = extended
		v.use(extended)
	}
	current = slices.DeleteFunc(current, func(s tokenSpan) bool { // still one word after adjusting borders
		return s.first == s.last && !isName[s] && v.r.look(v.tokens[s.first].word).partOnly
	})
	return v.withAdjectives(current)
}

func (v *sentenceView) use(s tokenSpan) {
	for i := s.first; i <= s.last; i++ {
		v.used[i] = true
	}
}

// glued reports whether a token is joined to the word before it by a hyphen without spaces.
func (v *sentenceView) glued(i int) bool {
	return i >= 2 && i < len(v.tokens) && v.tokens[i-1].word == "-" && v.tokens[i-1].End == v.tokens[i].Start &&
		v.tokens[i-2].End == v.tokens[i-1].Start && startsWithWord(v.tokens[i-2].word)
}

// withBorders extends a span to words that belong to the mention.
func (v *sentenceView) withBorders(s tokenSpan) tokenSpan {
	r, t := v.r, v.tokens
	free := func(i int) bool { return !v.used[i] }
	word := func(i int) string { return t[i].word }
	if s.last > s.first && s.first >= 2 && lang.Conjunctions[word(s.first-1)] { // "breast and ovarian cancer"
		i := s.first - 2
		for i > 0 && lang.Conjunctions[word(i)] { // "and/or"
			i--
		}
		if !lang.StopWords[word(i)] && !lang.Conjunctions[word(i)] && r.beside(word(i), word(s.last)) > 0 {
			s.first = i
		}
	}
	switch next := s.last + 1; { // "diabetes type 2", "hepatitis B"
	case next+1 < len(t) && lang.TypesBehind[word(next)] && lang.Number.MatchString(t[next+1].raw) && free(next):
		s.last += 2
	case next < len(t) && free(next) && lang.Number.MatchString(t[next].raw) &&
		slices.Contains(r.look(word(s.last)).Tails, strings.ToLower(t[next].raw)):
		s.last++
	}
	for s.first < s.last && (word(s.first) == "-" || word(s.first) == "/" || word(s.first) == ",") {
		s.first++
	}
	for v.glued(s.first) && free(s.first-2) {
		s.first -= 2
	}
	if s.first >= 2 && lang.TypesBefore[word(s.first-2)] && lang.Number.MatchString(t[s.first-1].raw) &&
		free(s.first-1) {
		s.first -= 2
	}
	for k := s.first; s.first > 0 && k-s.first < 3 && free(s.first-1); s.first-- {
		before := word(s.first - 1)
		if r.look(before).isGeneric() || !r.isTakenIn(before) && !r.areBound(before, word(s.first)) {
			break
		}
	}
	for s.first < s.last && !startsWithWord(word(s.first)) { // a hyphen after a word that was not included
		s.first++
	}
	return s
}

// withAdjectives adds adjectives that name a deficiency or a disease: "G6PD-deficient", "nephrotic".
func (v *sentenceView) withAdjectives(spans []tokenSpan) []tokenSpan {
	for i, t := range v.tokens {
		if v.used[i] {
			continue
		}
		switch {
		case t.word == lang.Lacking && i > 0:
			first := i - 1
			if v.tokens[first].word == "-" {
				first--
			}
			if first < 0 || lang.StopWords[v.tokens[first].word] || !startsWithWord(v.tokens[first].word) {
				continue
			}
			for v.glued(first) {
				first -= 2
			}
			spans = append(spans, tokenSpan{first, i})
			v.use(tokenSpan{first, i})
		case v.r.adjectives[t.word] && (i+1 == len(v.tokens) ||
			!v.used[i+1] && !v.r.areBound(t.word, v.tokens[i+1].word)):
			spans = append(spans, tokenSpan{i, i})
		}
	}
	slices.SortFunc(spans, func(a, b tokenSpan) int { return a.first - b.first })
	return spans
}
