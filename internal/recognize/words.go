package recognize

import (
	"context"
	"hash/fnv"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/logistic"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// wordStatistics is what the names of a dictionary, the hierarchy and raw text say of single words. All
// slices are by the number of the word in the vocabulary.
type wordStatistics struct {
	*vocabulary
	vectors *wordVectors

	counts wordCounts
	pairs  map[[2]int32]int32 // how often two words stand side by side in texts
	// The probabilities that a word ends a name, that it stands in one before its end, and that it is like a
	// name of one word: by vector and letters, and by its vector alone. Each is by a regression that has not
	// seen the word, so that a word of the dictionary looks like one that the dictionary lacks.
	head, modifier, single, singleByVector []float32

	thresholds thresholds
	tails      map[[2]string]bool // head and tail of a name: "diabetes", "2"
	surely     []bool             // see surelyEnds
	partOnly   []bool             // see isPartOnly
}

// wordCounts are counts of each word.
type wordCounts struct {
	heads     []int32   // names that it ends
	modifiers []int32   // names that it stands in elsewhere
	alone     []bool    // it is a name
	classed   []int32   // of the names that it ends, those whose concepts are in a branch of the hierarchy
	sameTop   []float32 // the share of these in the most frequent branch; 1 if there are none
	ends      []int32   // mentions in texts that it ends
	inside    []int32   // mentions in texts that it stands in elsewhere
	taken     []int32   // the same without mentions that hold a bracket or a period
	before    []int32   // mentions in texts that it stands right before
}

// thresholds are quantiles of the dictionary's own words: a small dictionary gives small probabilities.
type thresholds struct {
	head           float32 // of the probability to end a name
	modifier       float32 // of the probability to stand in one
	strictModifier float32
	single         float32 // of the probability to be like a name of one word
	singleByVector float32 // of the same by the vector alone
	headScale      float32 // how great the probability to end a name is beside that of half of MEDIC
}

func newWordCounts(n int) wordCounts {
	c := wordCounts{
		heads: make([]int32, n), modifiers: make([]int32, n), alone: make([]bool, n), classed: make([]int32, n),
		sameTop: make([]float32, n), ends: make([]int32, n), inside: make([]int32, n), taken: make([]int32, n),
		before: make([]int32, n),
	}
	for i := range c.sameTop {
		c.sameTop[i] = 1
	}
	return c
}

var bracketed = regexp.MustCompile(`\s*\([^)]*\)`)

// namesOf returns the names of a dictionary, in order, each once, with its concepts.
func namesOf(dict *kb.Dictionary) (names []string, concepts [][]int32) {
	number := make(map[string]int)
	for i := range dict.Len() {
		for _, name := range dict.At(i).Names() {
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
	for at := range concepts { // a concept may have a name in several cases
		concepts[at] = slices.Compact(concepts[at])
	}
	return names, concepts
}

// segmentsOf returns the words of a name without brackets, by the parts between commas.
func segmentsOf(name string) [][]string {
	var segments [][]string
	for part := range strings.SplitSeq(bracketed.ReplaceAllString(name, ""), ",") {
		if w := words(tokenize(part, wholeText(part))); len(w) > 0 {
			segments = append(segments, w)
		}
	}
	return segments
}

// countNames counts the words of the names.
func (s *wordStatistics) countNames(dict *kb.Dictionary) {
	names, concepts := namesOf(dict)
	branches := newBranches(dict)
	s.tails = make(map[[2]string]bool)
	byBranch := make(map[int32]map[int32]int32)
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
				if number, ok := s.number[w]; ok && w != head && !lang.Prepositions[w] {
					s.counts.modifiers[number]++
				}
			}
		}
		parts := strings.Fields(strings.ReplaceAll(name, ",", " "))
		for j := 1; j < len(parts); j++ {
			if lang.Tail.MatchString(parts[j]) {
				s.tails[[2]string{parts[j-1], parts[j]}] = true
			}
		}
		number, ok := s.number[head]
		if !ok {
			continue
		}
		s.counts.heads[number]++
		if len(segments) == 1 && len(segments[0]) == 1 {
			s.counts.alone[number] = true
		}
		if tops := branches.of(concepts[i]); len(tops) > 0 {
			s.counts.classed[number]++
			if byBranch[number] == nil {
				byBranch[number] = make(map[int32]int32)
			}
			for _, top := range tops {
				byBranch[number][top]++
			}
		}
	}
	for number, of := range byBranch {
		most := int32(0)
		for _, n := range of {
			most = max(most, n)
		}
		s.counts.sameTop[number] = float32(most) / float32(s.counts.classed[number])
	}
}

// countMentions counts the words of the mentions of a tagged document.
func (s *wordStatistics) countMentions(doc *text.Document) {
	tokens := tokenize(doc.Text, wholeText(doc.Text))
	starts, ends := boundaries(tokens)
	for _, m := range doc.Mentions {
		first, ok := starts[m.Start]
		last, okEnd := ends[m.End]
		if !ok || !okEnd || len(m.Concepts) == 0 || m.LongForm != "" {
			continue
		}
		plain := true
		for i := first; i <= last; i++ {
			number, known := s.number[tokens[i].word]
			switch {
			case tokens[i].word == "." || tokens[i].word == "(":
				plain = false
			case known && i < last:
				s.counts.inside[number]++
			}
		}
		if number, known := s.number[tokens[last].word]; known {
			s.counts.ends[number]++
		}
		if !plain {
			continue
		}
		for i := first; i < last; i++ {
			if number, known := s.number[tokens[i].word]; known {
				s.counts.taken[number]++
			}
		}
		lead := first - 1
		for lead >= 0 && tokens[lead].word == "-" {
			lead--
		}
		if lead >= max(0, first-2) {
			if number, known := s.number[tokens[lead].word]; known {
				s.counts.before[number]++
			}
		}
	}
}

// boundaries returns the number of the token that starts, and of the one that ends, at each offset.
func boundaries(tokens []token) (starts, ends map[int]int) {
	starts, ends = make(map[int]int, len(tokens)), make(map[int]int, len(tokens))
	for i, t := range tokens {
		starts[t.Start], ends[t.End], ends[t.End+t.possessive] = i, i, i
	}
	return starts, ends
}

// folds is the number of parts of the vocabulary, for each of which regressions learn from the others.
const folds = 4

// divisions is how often the vocabulary is divided.
const divisions = 3

// regression is one of the regressions that [wordStatistics.fit] learns.
type regression struct {
	to         *[]float32 // the probabilities of all words
	features   *features
	positive   []bool
	use        []bool            // words that it learns from
	importance func(int) float64 // of a word
	cost       float64
}

// regressions returns what is learned of words from the counts.
func (s *wordStatistics) regressions() []regression {
	n := len(s.words)
	letters, columns := s.letterFeatures()
	both := &features{dense: s.vectors.decoded(), width: vectorDim, denseScale: 2, sparse: letters, columns: columns,
		setValue: .5}
	vectors := &features{dense: both.dense, width: vectorDim, denseScale: 3}
	c := &s.counts

	isHead, isModifier, isSingle := make([]bool, n), make([]bool, n), make([]bool, n)
	all, notOtherHeads, frequent := make([]bool, n), make([]bool, n), make([]bool, n)
	for i := range s.words {
		total := s.vocabulary.counts[i]
		isHead[i], isModifier[i], isSingle[i] = s.isHead(i), c.modifiers[i] > 0, s.isSingle(i)
		all[i] = true
		notOtherHeads[i] = c.heads[i] == 0 || isSingle[i] // heads of longer names may be names or not
		frequent[i] = notOtherHeads[i] && total >= 20
	}
	byCount := func(counts []int32, positive []bool) func(int) float64 {
		return func(i int) float64 {
			if !positive[i] {
				return 1
			}
			return min(4, 1+math.Log1p(float64(counts[i])))
		}
	}
	one := func(int) float64 { return 1 }
	rare := func(i int) float64 {
		if isSingle[i] {
			return 3
		}
		return 1
	}
	return []regression{
		{&s.head, both, isHead, all, byCount(c.heads, isHead), .3},
		{&s.modifier, both, isModifier, all, byCount(c.modifiers, isModifier), .3},
		{&s.single, both, isSingle, notOtherHeads, one, .3},
		{&s.singleByVector, vectors, isSingle, frequent, rare, 1},
	}
}

// fit learns the probabilities of words from the counts, and decides by them.
func (s *wordStatistics) fit(ctx context.Context) error {
	n, tasks := len(s.words), s.regressions()
	// Each division of the words has its own probabilities, whose mean is taken: near a threshold, that of one
	// division is a matter of chance.
	probabilities := make([][]float32, len(tasks)*divisions)
	for i := range probabilities {
		probabilities[i] = make([]float32, n)
	}
	foldOf := func(i, division int) int { return int(letterHash(s.words[i])>>(7+2*division)) % folds }
	err := parallel.For(ctx, len(tasks)*divisions*folds, 0, func(job int) {
		t, division, part := &tasks[job/(divisions*folds)], job/folds%divisions, job%folds
		var rows []int
		for i := range n {
			if t.use[i] && foldOf(i, division) != part {
				rows = append(rows, i)
			}
		}
		weights := fitLogistic(t.features, rows, t.positive, t.importance, t.cost)
		to := probabilities[job/folds]
		for i := range n {
			if foldOf(i, division) == part {
				to[i] = float32(logistic.Sigmoid(t.features.score(i, weights)))
			}
		}
	})
	if err != nil {
		return err
	}
	for k := range tasks {
		mean := make([]float32, n)
		for i := range mean {
			for d := range divisions {
				mean[i] += probabilities[k*divisions+d][i] / divisions
			}
		}
		*tasks[k].to = mean
	}
	s.decide()
	return nil
}

// isHead reports whether a word ends names of the dictionary, and is found in names in texts.
func (s *wordStatistics) isHead(i int) bool {
	found := float64(s.counts.ends[i] + s.counts.inside[i])
	return s.counts.heads[i] > 0 && found >= max(1, .0005*float64(s.vocabulary.counts[i]))
}

// isSingle reports whether a word is a name of the dictionary that texts mention.
func (s *wordStatistics) isSingle(i int) bool {
	return s.counts.alone[i] && float64(s.counts.ends[i]) >= .2*float64(s.vocabulary.counts[i]) &&
		normalize.IsLetters(s.words[i]) && utf8.RuneCountInString(s.words[i]) > 3
}

// quantile returns a quantile of sorted values, 1 of none.
func quantile(sorted []float32, share float64) float32 {
	if len(sorted) == 0 {
		return 1
	}
	at := share * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + float32(at-float64(low))*(sorted[high]-sorted[low])
}

// letterFeatures returns, for each word, the numbers of its endings and beginnings that at least three
// words have, and how many there are.
func (s *wordStatistics) letterFeatures() (sets [][]int32, columns int) {
	counts := make(map[string]int)
	for _, w := range s.words {
		for _, f := range letterGroups(w) {
			counts[f]++
		}
	}
	number := make(map[string]int32)
	sets = make([][]int32, len(s.words))
	for i, w := range s.words {
		for _, f := range letterGroups(w) {
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

// letterGroups returns the endings of 2 to 6 and 8 letters, the beginnings of 3 to 5 and the length of a word.
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

// isGeneric reports whether the names that a word ends lie in many branches of the hierarchy: "disease",
// "loss", "lesion". Such a word alone is no mention.
func (s *wordStatistics) isGeneric(word string) bool {
	i, ok := s.number[word]
	return ok && s.generic(i)
}

func (s *wordStatistics) generic(i int32) bool {
	return s.counts.classed[i] >= 8 && s.counts.sameTop[i] < .66
}

// isPartOnly reports whether a word is no mention alone, such as "deficiency" and "loss": see wordsOfPartsOnly.
func (s *wordStatistics) isPartOnly(word string) bool {
	i, ok := s.number[word]
	return ok && s.partOnly[i]
}

// wordsOfPartsOnly says of each word whether it is no mention alone: it ends many names, none of its forms is a name,
// and no vector of its forms is like those of names of one word.
func (s *wordStatistics) wordsOfPartsOnly() []bool {
	const manyNames, enoughTexts = 20, 20
	like, alone := make(map[string]float32), make(map[string]bool)
	forms := make([]string, len(s.words))
	for i, w := range s.words {
		canonical := normalize.CanonicalTokens(w)
		if len(canonical) != 1 {
			continue
		}
		form := canonical[0]
		forms[i] = form
		alone[form] = alone[form] || s.counts.alone[i]
		if s.vocabulary.counts[i] >= enoughTexts {
			like[form] = max(like[form], s.singleByVector[i])
		}
	}
	partOnly := make([]bool, len(s.words))
	for i, form := range forms {
		partOnly[i] = s.counts.heads[i] >= manyNames && form != "" && !alone[form] && like[form] < s.thresholds.singleByVector
	}
	return partOnly
}

// takenShare estimates how often names take a word in that stands right before or in a mention: "breast" .9,
// "severe" .05. Without a count it is .5.
func (s *wordStatistics) takenShare(word string) (share float64, taken int32) {
	i, ok := s.number[word]
	if !ok {
		return .5, 0
	}
	taken = s.counts.taken[i]
	return (float64(taken) + .5) / float64(taken+s.counts.before[i]+1), taken
}

// isTakenIn reports whether names nearly always take a word in that stands right before their other words.
func (s *wordStatistics) isTakenIn(word string) bool {
	share, taken := s.takenShare(word)
	return s.mayModify(word, true) && share >= .6 && taken >= 5
}

// mayModify reports whether a word may stand in a mention before its end. Strictly, it must look more like
// the dictionary's words that do.
func (s *wordStatistics) mayModify(word string, strictly bool) bool {
	if lang.Prepositions[word] || lang.StopWords[word] || isHiragana(word) {
		return false
	}
	i, ok := s.number[word]
	if !ok {
		return normalize.IsLetters(word)
	}
	least := s.thresholds.modifier
	if strictly {
		least = s.thresholds.strictModifier
	}
	share, _ := s.takenShare(word)
	return share >= .2 && (s.modifier[i] >= least || float64(s.counts.inside[i])/float64(s.vocabulary.counts[i]) > .01)
}

// standsInside reports whether a word stands in names rather than at their end. A word that ends several names and is
// like a name of one word does not, even if most names go on: "diabetes mellitus".
func (s *wordStatistics) standsInside(i int32) bool {
	c := &s.counts
	if c.heads[i] >= 8 && s.single[i] >= .8*s.thresholds.single && s.singleByVector[i] >= s.thresholds.singleByVector {
		return false
	}
	return float64(c.inside[i])/float64(s.vocabulary.counts[i]) > .05 && c.inside[i] > 2*c.ends[i] &&
		float64(c.heads[i]) < .25*float64(c.modifiers[i])
}

// mayEnd reports whether a word may end a mention: its occurrences outside of tagged names are unknown,
// not negative.
func (s *wordStatistics) mayEnd(word string) bool {
	i, ok := s.number[word]
	if !ok || isShort(word) || !startsWithLetter(word) || s.standsInside(i) {
		return false
	}
	ends := float64(s.counts.ends[i]) / float64(s.vocabulary.counts[i])
	return s.head[i] >= s.thresholds.head || ends >= .02 || s.counts.heads[i] >= 3 && ends >= .005
}

// surelyEnds reports whether a word surely ends a mention: it is like names of one word, or the end of many
// names in one branch of the hierarchy, or a compound of such a word ("nephrotoxicity").
func (s *wordStatistics) surelyEnds(word string) bool {
	i, ok := s.number[word]
	return ok && s.surely[i]
}

// A quantile of a few words says little: texts had four names of one word of 300 names of MEDIC drawn by chance, and a
// quarter of all words was more like a name than the middle one of these.
const (
	likeNames   = .02 // the largest share of the words that are like names of one word, beside twice the known ones
	minFrequent = 5   // without so many frequent names of one word, vectors alone make no word like a name
)

// decide sets what follows from counts and probabilities.
func (s *wordStatistics) decide() {
	s.thresholds = s.newThresholds()
	s.partOnly = s.wordsOfPartsOnly()
	s.surely = s.wordsThatSurelyEnd()
}

// newThresholds returns the quantiles of the dictionary's words.
func (s *wordStatistics) newThresholds() thresholds {
	where := func(values []float32, keep func(i int) bool) []float32 {
		var kept []float32
		for i, x := range values {
			if keep(i) {
				kept = append(kept, x)
			}
		}
		slices.Sort(kept)
		return kept
	}
	heads := where(s.head, s.isHead)
	modifiers := where(s.modifier, func(i int) bool { return s.counts.modifiers[i] > 0 })
	singles := where(s.single, s.isSingle)
	frequent := where(s.singleByVector, func(i int) bool { return s.isSingle(i) && s.vocabulary.counts[i] >= 100 })
	if len(frequent) < minFrequent {
		frequent = nil
	}
	every := slices.Sorted(slices.Values(s.single))
	leastSingle := quantile(every, max(0, 1-likeNames-2*float64(len(singles))/float64(len(every))))
	return thresholds{
		head: quantile(heads, .26), modifier: quantile(modifiers, .13), strictModifier: quantile(modifiers, .365),
		single: max(quantile(singles, .535), leastSingle), singleByVector: quantile(frequent, .17),
		headScale: min(1, quantile(heads, .5)/.557),
	}
}

// wordsThatSurelyEnd says of each word what surelyEnds reports. Without a hierarchy nothing tells generic words, so no
// word is sure.
func (s *wordStatistics) wordsThatSurelyEnd() []bool {
	surely := make([]bool, len(s.words))
	if !slices.ContainsFunc(s.counts.classed, func(n int32) bool { return n > 0 }) {
		return surely
	}
	possible := func(i int) bool {
		return utf8.RuneCountInString(s.words[i]) > 3 && !s.generic(int32(i)) && !s.standsInside(int32(i))
	}
	for i := range surely {
		surely[i] = possible(i) && s.isSureAlone(i)
	}
	compounds := slices.Clone(surely)
	for i, w := range s.words {
		if surely[i] || !possible(i) {
			continue
		}
		runes := []rune(w)
		for j := 3; j < len(runes)-6; j++ {
			if rest, known := s.number[string(runes[j:])]; known && surely[rest] {
				compounds[i] = true
				break
			}
		}
	}
	return compounds
}

// isSureAlone reports whether a word is like names of one word, or the end of many names in one branch of the
// hierarchy.
func (s *wordStatistics) isSureAlone(i int) bool {
	t := &s.thresholds
	classed, same, total := s.counts.classed[i], s.counts.sameTop[i], s.vocabulary.counts[i]
	isLikeNames := s.single[i] >= 1.1*t.single
	if total >= 100 {
		isLikeNames = s.single[i] >= t.single && s.singleByVector[i] >= t.singleByVector
	}
	if isLikeNames && (classed < 8 || same >= .85) {
		return true
	}
	return s.counts.heads[i] >= 10 && s.head[i] >= .65*t.headScale && same >= .85 && s.counts.ends[i] >= 3 &&
		(s.singleByVector[i] >= .75*t.singleByVector || s.head[i] >= .85 && same >= .95)
}
