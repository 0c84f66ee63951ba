package recognize

import (
	"cmp"
	"context"
	"hash/fnv"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// wordStatistics holds statistics of single words from the names of a dictionary, its hierarchy and raw text.
type wordStatistics struct {
	words      []wordRow // most frequent first
	number     map[string]int32
	thresholds thresholds
	adjectives map[string]bool // derived from words that surely end a mention
	counted    map[kind]bool   // the kinds seen so far; only while mentions are counted
}

// kind identifies a mention beside a word, or, if the word is part of the mention, its words from there on.
type kind struct {
	counter *int32 // of the word: TakenKinds, BeforeKinds, EndKinds or BehindKinds
	hash    uint32 // of the mention's words
}

// wordRow is a word of the vocabulary: a row of [WordsFile].
type wordRow struct {
	Word  string `parquet:"word,zstd"`
	Count int64  `parquet:"count,zstd"` // in texts

	Heads     int32   `parquet:"heads,zstd"`     // names that end with it
	Modifiers int32   `parquet:"modifiers,zstd"` // names with it elsewhere
	Alone     bool    `parquet:"alone"`          // it is a name
	Classed   int32   `parquet:"classed,zstd"`   // names that end with it and have concepts in a branch of the hierarchy
	SameTop   float32 `parquet:"same_top,zstd"`  // the share of Classed in the most frequent branch; 1 if there are none
	Ends      int32   `parquet:"ends,zstd"`      // mentions in texts that end with it
	Inside    int32   `parquet:"inside,zstd"`    // mentions in texts with it elsewhere
	Taken     int32   `parquet:"taken,zstd"`     // like Inside, but only mentions without brackets or periods
	Before    int32   `parquet:"before,zstd"`    // mentions in texts right after it

	TakenKinds  int32 `parquet:"taken_kinds,zstd"`  // distinct rests of the mentions counted by Taken
	BeforeKinds int32 `parquet:"before_kinds,zstd"` // distinct mentions counted by Before
	EndKinds    int32 `parquet:"end_kinds,zstd"`    // distinct mentions of several words that end with it
	BehindKinds int32 `parquet:"behind_kinds,zstd"` // distinct mentions right before it

	// The probabilities that a word ends a name, that it occurs in one before its end, and that it is like a one-word
	// name, by vector and letters or by vector alone. Each comes from a regression that has not seen the word, so that
	// words in the dictionary look like words that are missing from it.
	Head           float32 `parquet:"p_head,zstd"`
	Modifier       float32 `parquet:"p_modifier,zstd"`
	Single         float32 `parquet:"p_single,zstd"`
	SingleByVector float32 `parquet:"p_single_by_vector,zstd"`

	Tails     []string `parquet:"tails,list,zstd"`      // words after it in names: "2" after "diabetes"
	Next      []int32  `parquet:"next,list,zstd"`       // numbers of words that follow it in texts, ascending
	NextCount []int32  `parquet:"next_count,list,zstd"` // how often each follows
	Vector    []byte   `parquet:"vector,zstd"`          // vectorDim signed bytes; Scale makes it a unit vector
	Scale     float32  `parquet:"vector_scale,zstd"`

	// surely means that the word surely ends a mention: it is like one-word names, or the end of many names in one
	// branch of the hierarchy, or a compound of such a word ("nephrotoxicity"). partOnly means that it is not a mention
	// by itself, such as "deficiency" and "loss".
	surely, partOnly bool
}

// row returns the row of a word, or nil if it is not in the vocabulary.
func (s *wordStatistics) row(word string) *wordRow {
	if i, ok := s.number[word]; ok {
		return &s.words[i]
	}
	return nil
}

// look is like row, but returns an empty row for a word that is not in the vocabulary. The row must not be modified.
func (s *wordStatistics) look(word string) *wordRow { return cmp.Or(s.row(word), &nothing) }

var nothing wordRow

// index numbers the words.
func (s *wordStatistics) index() {
	s.number = make(map[string]int32, len(s.words))
	for i := range s.words {
		s.number[s.words[i].Word] = int32(i)
	}
}

// share returns a count as a share of the word's occurrences.
func (w *wordRow) share(count int32) float64 { return float64(count) / float64(w.Count) }

// thresholds are quantiles of the dictionary's own words, because a small dictionary gives small probabilities.
type thresholds struct {
	head           float32 // for the probability of ending a name
	modifier       float32 // for the probability of occurring in one
	strictModifier float32
	single         float32 // for the probability of being like a one-word name
	singleByVector float32 // for the same probability by the vector alone
	headScale      float32 // the probability of ending a name relative to that of half of MEDIC
}

// lang holds the rules for where a mention begins and ends. Its sets contain no words of other languages, so the rules
// leave those alone.
var lang = &language.Rules.Recognition

// headOf returns the head of a name, given the words before its first comma: "carcinoma" of "carcinoma, renal cell",
// "deficiency" of "deficiency of lactase". It returns "" if there is none.
func headOf(name []string) string {
	var words []string
	for _, w := range name {
		if w == "'" {
			continue
		}
		if len(words) > 0 && lang.Prepositions[w] {
			break
		}
		words = append(words, w)
	}
	for len(words) > 1 && (lang.Tail.MatchString(words[len(words)-1]) || !startsWithLetter(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

var bracketed = regexp.MustCompile(`\s*\([^)]*\)`)

// namesOf returns the distinct names of a dictionary, in order, with their concepts.
func namesOf(dict *kb.Dictionary) (names []string, concepts [][]int32) {
	number := make(map[string]int)
	for i := range dict.Len() {
		for _, name := range dict.Names(i) {
			name = strings.ToLower(name)
			at, known := number[name]
			if !known {
				at = len(names)
				number[name] = at
				names, concepts = append(names, name), append(concepts, nil)
			}
			concepts[at] = append(concepts[at], int32(i))
		}
	}
	for at := range concepts { // a concept may have a name in several letter cases
		concepts[at] = slices.Compact(concepts[at])
	}
	return names, concepts
}

// segmentsOf returns the words of each comma-separated part of a name, without brackets.
func segmentsOf(name string) [][]string {
	var segments [][]string
	for part := range strings.SplitSeq(bracketed.ReplaceAllString(name, ""), ",") {
		var words []string
		for _, t := range tokenize(part, wholeText(part)) {
			words = append(words, t.word)
		}
		if len(words) > 0 {
			segments = append(segments, words)
		}
	}
	return segments
}

// countNames counts the words of the dictionary's names.
func (s *wordStatistics) countNames(dict *kb.Dictionary) {
	names, concepts := namesOf(dict)
	branches := newBranches(dict)
	byBranch := make(map[*wordRow]map[int32]int32)
	for i, name := range names {
		segments := segmentsOf(name)
		if len(segments) == 0 {
			continue
		}
		head := headOf(segments[0])
		if head == "" {
			continue
		}
		for _, segment := range segments {
			for _, w := range segment {
				if row := s.row(w); row != nil && w != head && !lang.Prepositions[w] {
					row.Modifiers++
				}
			}
		}
		parts := strings.Fields(strings.ReplaceAll(name, ",", " "))
		for j := 1; j < len(parts); j++ {
			if row := s.row(parts[j-1]); row != nil && lang.Tail.MatchString(parts[j]) && !slices.Contains(row.Tails, parts[j]) {
				row.Tails = append(row.Tails, parts[j])
			}
		}
		row := s.row(head)
		if row == nil {
			continue
		}
		row.Heads++
		row.Alone = row.Alone || len(segments) == 1 && len(segments[0]) == 1
		if tops := branches.of(concepts[i]); len(tops) > 0 {
			row.Classed++
			if byBranch[row] == nil {
				byBranch[row] = make(map[int32]int32)
			}
			for _, top := range tops {
				byBranch[row][top]++
			}
		}
	}
	for row, of := range byBranch {
		row.SameTop = float32(slices.Max(slices.Collect(maps.Values(of)))) / float32(row.Classed)
	}
}

// countMentions counts the words of the mentions in a tagged document.
func (s *wordStatistics) countMentions(doc *text.Document) {
	tokens := tokenize(doc.Text, wholeText(doc.Text))
	places := placesIn(tokens)
	for _, m := range doc.Mentions {
		at, ok := places.of(m.Span)
		if !ok || len(m.Concepts) == 0 || m.LongForm != "" {
			continue
		}
		first, last := at.first, at.last
		plain := !slices.ContainsFunc(tokens[first:last+1], func(t token) bool { return t.word == "." || t.word == "(" })
		behind := fnv.New32a() // hash of the words after a word, last one first
		for i := last; i >= first; i-- {
			word := tokens[i].word
			if row := s.row(word); i < last && row != nil && word != "." && word != "(" {
				row.Inside++
				if plain {
					row.Taken++
					s.countKind(kind{&row.TakenKinds, behind.Sum32()})
				}
			}
			behind.Write([]byte(word + " "))
		}
		if row := s.row(tokens[last].word); row != nil {
			row.Ends++
			if first < last {
				s.countKind(kind{&row.EndKinds, behind.Sum32()})
			}
		}
		if plain && last+1 < len(tokens) {
			if row := s.row(tokens[last+1].word); row != nil {
				s.countKind(kind{&row.BehindKinds, behind.Sum32()})
			}
		}
		lead := first - 1
		for lead >= 0 && tokens[lead].word == "-" {
			lead--
		}
		if plain && lead >= max(0, first-2) {
			if row := s.row(tokens[lead].word); row != nil {
				row.Before++
				s.countKind(kind{&row.BeforeKinds, behind.Sum32()})
			}
		}
	}
}

// countKind counts a kind the first time it occurs.
func (s *wordStatistics) countKind(k kind) {
	if !s.counted[k] {
		s.counted[k] = true
		*k.counter++
	}
}

// tokenPlaces maps offsets to the tokens that start or end there.
type tokenPlaces struct{ starts, ends map[int]int }

func placesIn(tokens []token) tokenPlaces {
	p := tokenPlaces{make(map[int]int, len(tokens)), make(map[int]int, len(tokens))}
	for i, t := range tokens {
		p.starts[t.Start], p.ends[t.End], p.ends[t.End+t.possessive] = i, i, i
	}
	return p
}

// of returns the tokens of a span, and whether its borders are borders of tokens.
func (p tokenPlaces) of(span text.Span) (tokenSpan, bool) {
	first, starts := p.starts[span.Start]
	last, ends := p.ends[span.End]
	return tokenSpan{first, last}, starts && ends && first <= last
}

// folds is the number of cross-validation folds: the regressions for one learn from the others.
const folds = 4

// divisions is the number of times that the vocabulary is divided into folds.
const divisions = 3

// regression describes one of the regressions that [wordStatistics.fit] learns.
type regression struct {
	to       func(*wordRow) *float32 // where the probability of a word is stored
	features *features
	// example returns the importance of a word: negative for a negative example, 0 for no example.
	example func(*wordRow) float64
	cost    float64
}

// regressions returns the regressions that learn probabilities of words from the counts.
func (s *wordStatistics) regressions() []regression {
	letters, columns := s.letterFeatures()
	both := &features{dense: make([]float32, len(s.words)*vectorDim), width: vectorDim, denseScale: 2, sparse: letters,
		columns: columns, setValue: .5}
	vectors := &features{dense: both.dense, width: vectorDim, denseScale: 3, sparse: make([][]int32, len(s.words))}
	for i := range s.words {
		s.words[i].writeVector(both.dense[i*vectorDim:], 1)
	}
	byCount := func(is bool, count int32) float64 {
		if !is {
			return -1
		}
		return min(4, 1+math.Log1p(float64(count)))
	}
	head := func(w *wordRow) float64 { return byCount(w.isHead(), w.Heads) }
	modifier := func(w *wordRow) float64 { return byCount(w.Modifiers > 0, w.Modifiers) }
	single := func(w *wordRow) float64 {
		switch {
		case w.isSingle():
			return 1
		case w.Heads > 0: // heads of longer names may or may not be names
			return 0
		}
		return -1
	}
	singleByVector := func(w *wordRow) float64 {
		importance := single(w)
		switch {
		case w.Count < 20:
			return 0
		case importance > 0: // such words are few
			return 3
		}
		return importance
	}
	return []regression{
		{func(w *wordRow) *float32 { return &w.Head }, both, head, .3},
		{func(w *wordRow) *float32 { return &w.Modifier }, both, modifier, .3},
		{func(w *wordRow) *float32 { return &w.Single }, both, single, .3},
		{func(w *wordRow) *float32 { return &w.SingleByVector }, vectors, singleByVector, 1},
	}
}

// fit learns the probabilities of words from the counts and calls decide.
func (s *wordStatistics) fit(ctx context.Context) error {
	n, tasks := len(s.words), s.regressions()
	// Probabilities are averaged over several divisions of the words: near a threshold, the result of a single division
	// is a matter of chance.
	probabilities := make([][]float32, len(tasks)*divisions)
	for i := range probabilities {
		probabilities[i] = make([]float32, n)
	}
	foldOf := func(i, division int) int { return int(letterHash(s.words[i].Word)>>(7+2*division)) % folds }
	err := parallel.For(ctx, len(tasks)*divisions*folds, 0, func(job int) {
		t, division, part := &tasks[job/(divisions*folds)], job/folds%divisions, job%folds
		var rows []int
		importance := make([]float64, n)
		for i := range n {
			importance[i] = t.example(&s.words[i])
			if importance[i] != 0 && foldOf(i, division) != part {
				rows = append(rows, i)
			}
		}
		weights := fitLogistic(t.features, rows, importance, t.cost)
		to := probabilities[job/folds]
		for i := range n {
			if foldOf(i, division) == part {
				to[i] = float32(dot.Sigmoid(t.features.score(i, weights)))
			}
		}
	})
	if err != nil {
		return err
	}
	for k := range tasks {
		for i := range s.words {
			mean := float32(0)
			for d := range divisions {
				mean += probabilities[k*divisions+d][i] / divisions
			}
			*tasks[k].to(&s.words[i]) = mean
		}
	}
	s.decide()
	return nil
}

// isHead reports whether a word ends names of the dictionary and occurs in mentions in texts.
func (w *wordRow) isHead() bool {
	return w.Heads > 0 && float64(w.Ends+w.Inside) >= max(1, .0005*float64(w.Count))
}

// isSingle reports whether a word is a name of the dictionary that occurs in texts.
func (w *wordRow) isSingle() bool {
	return w.Alone && float64(w.Ends) >= .2*float64(w.Count) && normalize.IsLetters(w.Word) &&
		utf8.RuneCountInString(w.Word) > 3
}

// quantile returns a quantile of sorted values, or 1 if there are none.
func quantile(sorted []float32, share float64) float32 {
	if len(sorted) == 0 {
		return 1
	}
	at := share * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + float32(at-float64(low))*(sorted[high]-sorted[low])
}

// letterFeatures returns, for each word, the numbers of those letter groups that occur in at least three words, and the
// total number of such groups.
func (s *wordStatistics) letterFeatures() (sets [][]int32, columns int) {
	counts := make(map[string]int)
	for i := range s.words {
		for _, f := range letterGroups(s.words[i].Word) {
			counts[f]++
		}
	}
	number := make(map[string]int32)
	sets = make([][]int32, len(s.words))
	for i := range s.words {
		for _, f := range letterGroups(s.words[i].Word) {
			if counts[f] < 3 {
				continue
			}
			at, known := number[f]
			if !known {
				at = int32(len(number))
				number[f] = at
			}
			sets[i] = append(sets[i], at)
		}
	}
	return sets, len(number)
}

// letterGroups returns the endings of 2 to 6 and 8 letters, the beginnings of 3 to 5 letters and the length of a word.
func letterGroups(w string) []string {
	runes := []rune(w)
	n := len(runes)
	length := "length " + string(rune('0'+min(n, 12)))
	if !unicode.IsLetter(runes[0]) {
		return []string{"no letter", length}
	}
	var groups []string
	for _, k := range []int{2, 3, 4, 5, 6, 8} {
		if n > k {
			groups = append(groups, "ends "+string(runes[n-k:]))
		}
	}
	for _, k := range []int{3, 4, 5} {
		if n > k {
			groups = append(groups, "begins "+string(runes[:k]))
		}
	}
	return append(groups, length)
}

func letterHash(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}

// isGeneric reports whether the names that end with a word are spread over many branches of the hierarchy: "disease",
// "loss", "lesion". Such a word alone is not a mention.
func (w *wordRow) isGeneric() bool { return w.Classed >= 8 && w.SameTop < .66 }

// manyNames is the number of names a word must end to count as an ending rather than as a name that ends a few others.
const manyNames = 20

// setPartsOnly sets partOnly for each word that is not a mention by itself: it ends many names, but none of its forms
// is a name or has a vector like those of one-word names.
func (s *wordStatistics) setPartsOnly() {
	const enoughTexts = 20
	like, alone := make(map[string]float32), make(map[string]bool)
	forms := make([]string, len(s.words))
	for i := range s.words {
		w := &s.words[i]
		canonical := normalize.CanonicalTokens(w.Word)
		if len(canonical) != 1 {
			continue
		}
		form := canonical[0]
		forms[i] = form
		alone[form] = alone[form] || w.Alone
		if w.Count >= enoughTexts {
			like[form] = max(like[form], w.SingleByVector)
		}
	}
	for i, form := range forms {
		s.words[i].partOnly = s.words[i].Heads >= manyNames && form != "" && !alone[form] &&
			like[form] < s.thresholds.singleByVector
	}
}

// shareWithin estimates the share of mentions that contain a word among those that contain it or are beside it. Without
// a count it returns .5.
func shareWithin(containing, beside int32) float64 {
	return (float64(containing) + .5) / float64(containing+beside+1)
}

// isTakenIn reports whether a word right before the other words of a name is nearly always part of the name: "breast"
// .9, "severe" .05.
func (s *wordStatistics) isTakenIn(word string) bool {
	w := s.look(word)
	return s.mayModify(word, true) && shareWithin(w.Taken, w.Before) >= .6 && w.Taken >= 5
}

// leastKinds is the minimum share of a word's distinct continuations that are in a mention with it, not mentions alone,
// for it to be part of names rather than to describe what they name: "breast" .28, "acute" .21, "severe" .02.
const leastKinds = .25

// mayModify reports whether a word may occur in a mention before its end. If strictly is set, it must be more like the
// dictionary's own modifiers. Each continuation counts once: "low back pain" does not make "low" a modifier.
func (s *wordStatistics) mayModify(word string, strictly bool) bool {
	if lang.Prepositions[word] || lang.StopWords[word] || isHiragana(word) {
		return false
	}
	w := s.row(word)
	if w == nil {
		return normalize.IsLetters(word)
	}
	least := s.thresholds.modifier
	if strictly {
		least = s.thresholds.strictModifier
	}
	return shareWithin(w.TakenKinds, w.BeforeKinds) >= leastKinds && (w.Modifier >= least || w.share(w.Inside) > .01)
}

// leastEndKinds is the minimum share of the distinct mentions that end with a word, not right before it, for it to be
// part of names rather than to say something about what they name: "lesions" .21, "symptoms" .10, "cases" .01.
const leastEndKinds = .15

// standsBehind reports whether a word follows mentions rather than ends them: "cases", "episodes", "severity". A word
// that is often a mention by itself does not: "metastasis".
func (w *wordRow) standsBehind() bool {
	return shareWithin(w.EndKinds, w.BehindKinds) < leastEndKinds && w.Ends < 2*w.BehindKinds
}

// standsInside reports whether a word occurs inside names rather than at their end. A word that ends several names and
// is like a one-word name does not, even if most names continue after it: "diabetes mellitus".
func (s *wordStatistics) standsInside(w *wordRow) bool {
	if w.Heads >= 8 && w.Single >= .8*s.thresholds.single && w.SingleByVector >= s.thresholds.singleByVector {
		return false
	}
	return w.share(w.Inside) > .05 && w.Inside > 2*w.Ends && float64(w.Heads) < .25*float64(w.Modifiers)
}

// mayEnd reports whether a word may end a mention, so that its occurrences outside tagged names are unknown, not
// negative.
func (s *wordStatistics) mayEnd(word string) bool {
	w := s.row(word)
	if w == nil || isShort(word) || !startsWithLetter(word) || s.standsInside(w) || w.standsBehind() {
		return false
	}
	ends := w.share(w.Ends)
	return w.Head >= s.thresholds.head || ends >= .02 || w.Heads >= 3 && ends >= .005
}

// A quantile of a few words is unreliable: in texts, only four one-word names of a random sample of 300 names of MEDIC
// occurred, and a quarter of all words was more like a name than the median of these.
const (
	likeNames   = .02 // maximum share of words that are like one-word names, in addition to twice the known ones
	minFrequent = 5   // with fewer frequent one-word names, vectors alone never make a word like a name
)

// decide sets the fields that follow from counts and probabilities.
func (s *wordStatistics) decide() {
	s.thresholds = s.newThresholds()
	s.setPartsOnly()
	s.setSure()
	s.adjectives = s.derivedAdjectives()
}

// newThresholds computes the quantiles of the dictionary's words.
func (s *wordStatistics) newThresholds() thresholds {
	where := func(value func(w *wordRow) float32, keep func(w *wordRow) bool) []float32 {
		var kept []float32
		for i := range s.words {
			if w := &s.words[i]; keep(w) {
				kept = append(kept, value(w))
			}
		}
		slices.Sort(kept)
		return kept
	}
	single := func(w *wordRow) float32 { return w.Single }
	heads := where(func(w *wordRow) float32 { return w.Head }, (*wordRow).isHead)
	modifiers := where(func(w *wordRow) float32 { return w.Modifier }, func(w *wordRow) bool { return w.Modifiers > 0 })
	singles, every := where(single, (*wordRow).isSingle), where(single, func(*wordRow) bool { return true })
	frequent := where(func(w *wordRow) float32 { return w.SingleByVector },
		func(w *wordRow) bool { return w.isSingle() && w.Count >= 100 })
	if len(frequent) < minFrequent {
		frequent = nil
	}
	leastSingle := quantile(every, max(0, 1-likeNames-2*float64(len(singles))/float64(len(every))))
	return thresholds{
		head: quantile(heads, .26), modifier: quantile(modifiers, .13), strictModifier: quantile(modifiers, .365),
		single: max(quantile(singles, .535), leastSingle), singleByVector: quantile(frequent, .17),
		headScale: min(1, quantile(heads, .5)/.557),
	}
}

// setSure sets surely for each word that surely ends a mention. Without a hierarchy nothing identifies generic words,
// so no word is sure.
func (s *wordStatistics) setSure() {
	if !slices.ContainsFunc(s.words, func(w wordRow) bool { return w.Classed > 0 }) {
		return
	}
	possible := func(w *wordRow) bool {
		return utf8.RuneCountInString(w.Word) > 3 && !w.isGeneric() && !s.standsInside(w) && !w.standsBehind()
	}
	for i := range s.words {
		s.words[i].surely = possible(&s.words[i]) && s.isSureAlone(&s.words[i])
	}
	var compounds []*wordRow
	for i := range s.words {
		w := &s.words[i]
		if w.surely || !possible(w) {
			continue
		}
		runes := []rune(w.Word)
		for j := 3; j < len(runes)-6; j++ {
			if s.look(string(runes[j:])).surely {
				compounds = append(compounds, w)
				break
			}
		}
	}
	for _, w := range compounds {
		w.surely = true
	}
}

// isSureAlone reports whether a word is like one-word names, or is the end of many names in one branch of the
// hierarchy.
func (s *wordStatistics) isSureAlone(w *wordRow) bool {
	t := &s.thresholds
	isLikeNames := w.Single >= 1.1*t.single
	if w.Count >= 100 {
		isLikeNames = w.Single >= t.single && w.SingleByVector >= t.singleByVector
	}
	if isLikeNames && (w.Classed < 8 || w.SameTop >= .85) {
		return true
	}
	return w.Heads >= 10 && w.Head >= .65*t.headScale && w.SameTop >= .85 && w.Ends >= 3 &&
		(w.SingleByVector >= .75*t.singleByVector || w.Head >= .85 && w.SameTop >= .95)
}
