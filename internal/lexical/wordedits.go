package lexical

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
)

// WordEdits knows for each word how often two names that differ by this word alone are names
// of one concept, and for two words how often two names that differ in that one has the first
// and the other the second are. Of the names of half of MEDIC that have "primary" before or
// after another name four in five mean the same as that, of those that have "lung" none of
// eleven; "renal" in place of "kidney" nearly always leaves the concept the same.
type WordEdits struct {
	index *WordIndex
	// logP holds ln P(same concept | two names differ by the word alone), by the number of the word, and last that of any
	// word.
	logP []float64
	// replaced holds the higher numbers of the words that replace a word in names of some concept, ascending, by its number,
	// and logReplaced, for each of them, ln P(same concept | one name has the first word where the other has the second).
	replaced    safetensors.Lists
	logReplaced []float64
}

// wordEditPseudoCount is the number of pairs of names as which the mean over all words counts
// for each word, so that a word that two names differ by is not all or nothing.
const wordEditPseudoCount = 3

// NewWordEdits counts the pairs of names of the index, searched or not, one of which has all words of the other and one
// more, and those that have all words but one in common. concepts returns the concepts of the name in a row. It is called
// concurrently.
func NewWordEdits(x *WordIndex, concepts func(row int32) []int32) *WordEdits {
	parts := x.gaps()
	c := newEditCounts(x)
	inEachPart(parts, func(parts [][]gap) func() {
		own := newEditCounts(x)
		for _, part := range parts {
			slices.SortFunc(part, x.compareGaps)
			x.eachFrame(part, func(frame []gap) { own.count(frame, concepts) })
		}
		return func() { c.add(own) }
	})
	e := &WordEdits{index: x, logP: make([]float64, len(c.pairs))}
	n := x.vocabulary.Len()
	mean := (c.same[n] + 1) / (c.pairs[n] + 2)
	for word := range n {
		e.logP[word] = math.Log((c.same[word] + wordEditPseudoCount*mean) / (c.pairs[word] + wordEditPseudoCount))
	}
	e.logP[n] = math.Log(mean)
	e.setReplaced(c, parts)
	return e
}

// inEachPart calls count concurrently with ranges of the parts, and what it returns once at a time.
func inEachPart(parts [][]gap, count func([][]gap) (add func())) {
	var mu sync.Mutex
	parallel.Ranges(len(parts), 0, func(start, end int) {
		add := count(parts[start:end])
		mu.Lock()
		defer mu.Unlock()
		add()
	})
}

// gap is the words of a name without one of them. Names that differ in one word have a frame in common: "kidney" and
// "renal" fill the frame "chronic … failure".
type gap struct {
	hash uint64 // of the words
	row  int32
	word int32 // that is left out, or noWord
}

const noWord = -1

var hashOfWord = sampling.Mix // another in a test

// gaps returns all names that have words, and all that have more without each of them, in parts that have no frame in
// common.
func (x *WordIndex) gaps() [][]gap {
	each := func(do func(g gap)) {
		for row := range int32(x.words.Len()) {
			words, hash := x.Words(row), uint64(0)
			for _, word := range words {
				hash += hashOfWord(uint64(word))
			}
			if len(words) > 0 {
				do(gap{hash, row, noWord})
			}
			if len(words) > 1 {
				for _, word := range words {
					do(gap{hash - hashOfWord(uint64(word)), row, word})
				}
			}
		}
	}
	parts := make([][]gap, 1+len(x.words.Values())/32) // so that each is sorted fast
	part := func(g gap) uint64 {
		at, _ := bits.Mul64(g.hash, uint64(len(parts)))
		return at
	}
	sizes, count := make([]int, len(parts)), 0
	each(func(g gap) { sizes[part(g)]++; count++ })
	free := make([]gap, count)
	for at, size := range sizes {
		parts[at], free = free[:0:size], free[size:]
	}
	each(func(g gap) { parts[part(g)] = append(parts[part(g)], g) })
	return parts
}

// compareGaps orders gaps by their frame, then by the word that is left out.
func (x *WordIndex) compareGaps(a, b gap) int {
	if a.hash != b.hash {
		return cmp.Compare(a.hash, b.hash)
	}
	return cmp.Or(x.compareFrames(a, b), cmp.Compare(a.word, b.word), cmp.Compare(a.row, b.row))
}

// compareFrames compares the words of two names but for those left out.
func (x *WordIndex) compareFrames(a, b gap) int {
	left, right := x.Words(a.row), x.Words(b.row)
	for {
		if len(left) > 0 && left[0] == a.word {
			left = left[1:]
		}
		if len(right) > 0 && right[0] == b.word {
			right = right[1:]
		}
		if len(left) == 0 || len(right) == 0 || left[0] != right[0] {
			return slices.Compare(left, right)
		}
		left, right = left[1:], right[1:]
	}
}

// eachFrame calls do for each frame of several names, among sorted gaps.
func (x *WordIndex) eachFrame(sorted []gap, do func(frame []gap)) {
	for start, end := 0, 1; start < len(sorted); start, end = end, end+1 {
		for end < len(sorted) && sorted[end].hash == sorted[start].hash && x.compareFrames(sorted[end], sorted[start]) == 0 {
			end++
		}
		if end > start+1 {
			do(sorted[start:end])
		}
	}
}

// editCounts counts pairs of sets of words that names have.
type editCounts struct {
	// of those that differ by a word alone, by its number, and last by any word; of these, those of one concept
	pairs, same []float64
	fills       float64  // pairs of words that fill one frame
	replaced    []uint64 // of these, those in names of one concept: the lower number << 32 and the higher

	whole           []int32  // scratch: concepts of the names that have the words of the frame alone
	fillers, ofPair []uint64 // scratch
}

func newEditCounts(x *WordIndex) *editCounts {
	n := x.vocabulary.Len() + 1
	return &editCounts{pairs: make([]float64, n), same: make([]float64, n)}
}

// add adds other counts.
func (c *editCounts) add(other *editCounts) {
	for word := range c.pairs {
		c.pairs[word] += other.pairs[word]
		c.same[word] += other.same[word]
	}
	c.fills += other.fills
	c.replaced = append(c.replaced, other.replaced...)
}

// count counts the pairs of words that fill a frame, and those of a name with one of these and one without.
func (c *editCounts) count(frame []gap, concepts func(row int32) []int32) {
	c.whole, c.fillers = c.whole[:0], c.fillers[:0]
	hasWhole, words := frame[0].word == noWord, 0.
	for ; len(frame) > 0 && frame[0].word == noWord; frame = frame[1:] {
		c.whole = append(c.whole, concepts(frame[0].row)...)
	}
	slices.Sort(c.whole)
	for len(frame) > 0 {
		word, same, n := frame[0].word, 0., 0
		for ; n < len(frame) && frame[n].word == word; n++ {
			for _, concept := range concepts(frame[n].row) {
				if _, found := slices.BinarySearch(c.whole, concept); found {
					same = 1
				}
				c.fillers = append(c.fillers, uint64(concept)<<32|uint64(word))
			}
		}
		if hasWhole {
			last := len(c.pairs) - 1
			c.pairs[word]++
			c.pairs[last]++
			c.same[word] += same
			c.same[last] += same
		}
		words++
		frame = frame[n:]
	}
	if words > 1 {
		c.fills += words * (words - 1) / 2
		c.countReplaced()
	}
}

// maxFrameWords is the number of words that may fill a frame in names of one concept to be counted. A concept with more
// numbers its names, as in "type 1", "type 2", …, and their pairs would grow with the square.
const maxFrameWords = 256

// countReplaced counts the pairs of words that fill a frame in names of one concept. The fillers are these words behind
// the concept.
func (c *editCounts) countReplaced() {
	slices.Sort(c.fillers)
	fillers := slices.Compact(c.fillers)
	c.ofPair = c.ofPair[:0]
	for len(fillers) > 0 {
		n := 1
		for n < len(fillers) && fillers[n]>>32 == fillers[0]>>32 {
			n++
		}
		for i, a := range fillers[:n] {
			if n > maxFrameWords {
				break
			}
			for _, b := range fillers[i+1 : n] {
				c.ofPair = append(c.ofPair, a<<32|b&math.MaxUint32)
			}
		}
		fillers = fillers[n:]
	}
	slices.Sort(c.ofPair)
	c.replaced = append(c.replaced, slices.Compact(c.ofPair)...)
}

// setReplaced sets the words that replace each other. "… disease" is filled by too many words to compare all: only those
// are counted that replace each other in names of one concept.
func (e *WordEdits) setReplaced(c *editCounts, parts [][]gap) {
	slices.Sort(c.replaced)
	mean := (float64(len(c.replaced)) + 1) / (c.fills + 2)
	var same []float64 // frames of each pair of words, in names of one concept
	rest := c.replaced
	for word := range uint64(e.index.vocabulary.Len()) {
		var higher []int32
		for len(rest) > 0 && rest[0]>>32 == word {
			n := 1
			for n < len(rest) && rest[n] == rest[0] {
				n++
			}
			higher, same = append(higher, int32(rest[0])), append(same, float64(n))
			rest = rest[n:]
		}
		e.replaced.Append(higher...)
	}
	both := make([]float64, len(same)) // frames that both words fill
	inEachPart(parts, func(parts [][]gap) func() {
		own := make([]float64, len(both))
		for _, part := range parts {
			e.index.eachFrame(part, func(frame []gap) { e.countFilled(own, frame) })
		}
		return func() {
			for pair, n := range own {
				both[pair] += n
			}
		}
	})
	for pair, n := range same {
		e.logReplaced = append(e.logReplaced, math.Log((n+wordEditPseudoCount*mean)/(both[pair]+wordEditPseudoCount)))
	}
}

// countFilled adds a frame to the counts of the pairs of words that replace each other and fill it.
func (e *WordEdits) countFilled(counts []float64, frame []gap) {
	var few [16]int32
	words := few[:0]
	for _, g := range frame {
		if g.word != noWord && (len(words) == 0 || words[len(words)-1] != g.word) {
			words = append(words, g.word)
		}
	}
	for i, word := range words {
		start, _ := e.replaced.Range(word)
		eachCommon(e.replaced.At(word), words[i+1:], func(at, _ int) { counts[int(start)+at]++ })
	}
}

// Arrays returns what the index lacks as arrays to write, whose names begin with a prefix.
func (e *WordEdits) Arrays(prefix string) []safetensors.Array {
	return append(e.replaced.Tensors(prefix+"replaced"), safetensors.Array{Name: prefix + "log_p", Data: e.logP},
		safetensors.Array{Name: prefix + "log_replaced", Data: e.logReplaced})
}

// ViewWordEdits returns what [WordEdits.Arrays] wrote for the names of an index, in the mapped file: see
// [safetensors.View].
func ViewWordEdits(x *WordIndex, f *safetensors.File, prefix string) (*WordEdits, error) {
	e := &WordEdits{index: x}
	var errs [3]error
	e.replaced, errs[0] = safetensors.ViewLists(f, prefix+"replaced")
	e.logP, errs[1] = safetensors.View[float64](f, prefix+"log_p")
	e.logReplaced, errs[2] = safetensors.View[float64](f, prefix+"log_replaced")
	if err := cmp.Or(errs[:]...); err != nil {
		return nil, err
	}
	n := x.vocabulary.Len()
	if e.replaced.Len() != n || len(e.logP) != n+1 || len(e.logReplaced) != len(e.replaced.Values()) {
		return nil, artifact.Damaged(f.Path(), "%d words have %d lists of others and %d probabilities, and %d others have %d", n,
			e.replaced.Len(), len(e.logP), len(e.replaced.Values()), len(e.logReplaced))
	}
	return e, nil
}

// SameConcept returns the probability that the name in a row and the mention mean the same
// concept by the words that only one of them has, as if each of these words, or each pair of
// words that replace each other, told it independently: 1 if they have the same words. It
// also reports whether they have words, and the same but for such pairs.
func (e *WordEdits) SameConcept(row int32, mention *MentionWords) (p float64, replaced bool) {
	var few [2][16]int32 // most names have fewer words
	words := e.index.Words(row)
	inName := appendDifference(few[0][:0], words, mention.Known)
	inMention := appendDifference(few[1][:0], mention.Known, words)
	sum := float64(mention.Unknown) * e.logP[len(e.logP)-1]
	for len(inName) > 0 && len(inMention) > 0 {
		// The pair that raises the probability the most is taken for a replacement.
		gain, atName, atMention := 0., 0, 0
		for i, a := range inName {
			for j, b := range inMention {
				if logP, known := e.logReplacedOf(a, b); known && logP-e.logP[a]-e.logP[b] > gain {
					gain, atName, atMention = logP-e.logP[a]-e.logP[b], i, j
				}
			}
		}
		if gain == 0 {
			break
		}
		sum += gain + e.logP[inName[atName]] + e.logP[inMention[atMention]]
		inName, inMention = slices.Delete(inName, atName, atName+1), slices.Delete(inMention, atMention, atMention+1)
	}
	replaced = len(words) > 0 && len(inName)+len(inMention)+mention.Unknown == 0
	for _, word := range inName {
		sum += e.logP[word]
	}
	for _, word := range inMention {
		sum += e.logP[word]
	}
	return math.Exp(sum), replaced
}

// logReplacedOf returns the element of logReplaced of two words.
func (e *WordEdits) logReplacedOf(a, b int32) (logP float64, known bool) {
	lower, higher := min(a, b), max(a, b)
	at, known := slices.BinarySearch(e.replaced.At(lower), higher)
	if !known {
		return 0, false
	}
	start, _ := e.replaced.Range(lower)
	return e.logReplaced[int(start)+at], true
}
