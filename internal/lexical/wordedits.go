package lexical

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
)

// wordEdits estimates how likely two names belong to one concept if they differ only in one word, or if one has a word
// where the other has a second one. In half of MEDIC, four in five names with "primary" before or after another name
// mean the same as that name, and none of eleven names with "lung" does; "renal" in place of "kidney" nearly always
// keeps the concept.
type wordEdits struct {
	// logP holds ln P(same concept | the names differ by this word alone), by word number. The last element is the
	// value for any word.
	logP []float64
	// replaced lists, by word number, the higher-numbered words that replace the word in names of some concept, ascending.
	// logReplaced holds for each of them ln P(same concept | one name has the first word where the other has the second).
	replaced    safetensors.Lists
	logReplaced []float64
}

// wordEditPseudoCount is the number of pairs with which the mean over all words counts for each word, so that a single
// pair does not make a probability 0 or 1.
const wordEditPseudoCount = 3

// countEdits counts two kinds of pairs of names, searched or not: pairs where one name has all words of the other and
// one more, and pairs that share all words but one. concepts returns the concepts of the name in a row and is called
// concurrently.
func (x *WordIndex) countEdits(ctx context.Context, concepts func(row int32) []int32) error {
	n := x.vocabulary.Len()
	c := editCounts{pairs: make([]atomic.Int64, n+1), same: make([]atomic.Int64, n+1)}
	parts := x.gaps()
	var mu sync.Mutex
	parallel.Ranges(len(parts), 0, func(start, end int) {
		var replaced []uint64
		for i := start; i < end && parallel.Step(ctx, i*ofPart, len(parts)*ofPart) == nil; i++ {
			part := parts[i]
			slices.SortFunc(part, x.compareGaps)
			x.eachFrame(part, func(frame []gap) { replaced = c.count(replaced, frame, concepts) })
		}
		mu.Lock()
		defer mu.Unlock()
		c.replaced = append(c.replaced, replaced...)
	})
	mean := float64(c.same[n].Load()+1) / float64(c.pairs[n].Load()+2)
	for word := range n {
		x.logP = append(x.logP, logShare(c.same[word].Load(), c.pairs[word].Load(), mean))
	}
	x.logP = append(x.logP, math.Log(mean))
	x.setReplaced(ctx, &c, parts)
	return ctx.Err()
}

// logShare returns the logarithm of some/all, smoothed by wordEditPseudoCount pairs with the mean share.
func logShare(some, all int64, mean float64) float64 {
	return math.Log((float64(some) + wordEditPseudoCount*mean) / float64(all+wordEditPseudoCount))
}

// gap is the set of words of a name with one of them removed, its frame. Names that differ in one word share a frame:
// "kidney" and "renal" fill the frame "chronic … failure".
type gap struct {
	hash uint64 // of the frame's words
	row  int32
	word int32 // the removed word, or noWord
}

const (
	noWord = -1
	ofPart = 512 // words in a part, roughly: their gaps fit the cache
)

var hashOfWord = sampling.Mix // a test replaces it

// gaps returns a gap for each name without a removed word, and for each word of each name with several words. It splits
// them into parts that share no frame.
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
	parts := make([][]gap, 1+len(x.words.Values())/ofPart)
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

// compareGaps orders gaps by frame, then by removed word.
func (x *WordIndex) compareGaps(a, b gap) int {
	if a.hash != b.hash {
		return cmp.Compare(a.hash, b.hash)
	}
	return cmp.Or(x.compareFrames(a, b), cmp.Compare(a.word, b.word), cmp.Compare(a.row, b.row))
}

// compareFrames compares the words of two names without the removed ones.
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

// eachFrame calls do for each frame that several names share. The gaps must be sorted.
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

// editCounts counts pairs of names by the words in which they differ.
type editCounts struct {
	// by word number, pairs that differ by this word alone, and those of them in one concept; the last element counts
	// all words
	pairs, same []atomic.Int64
	fills       atomic.Int64 // pairs of words that fill the same frame
	replaced    []uint64     // those of them in names of one concept: lower number << 32 | higher number
}

// count counts the pairs of words that fill a frame, and the pairs of a name with and without one of these words. It
// appends the word pairs that occur in names of one concept to replaced.
func (c *editCounts) count(replaced []uint64, frame []gap, concepts func(row int32) []int32) []uint64 {
	var whole []int32 // concepts of the names that consist of the frame's words
	hasWhole, words := frame[0].word == noWord, int64(0)
	for ; len(frame) > 0 && frame[0].word == noWord; frame = frame[1:] {
		whole = append(whole, concepts(frame[0].row)...)
	}
	slices.Sort(whole)
	var few [64]uint64
	fillers := few[:0] // concept << 32 | word that fills the frame
	for ; len(frame) > 0; words++ {
		word, same, n := frame[0].word, int64(0), 0
		for ; n < len(frame) && frame[n].word == word; n++ {
			for _, concept := range concepts(frame[n].row) {
				if _, found := slices.BinarySearch(whole, concept); found {
					same = 1
				}
				fillers = append(fillers, uint64(concept)<<32|uint64(word))
			}
		}
		frame = frame[n:]
		if hasWhole {
			for _, counted := range []int{int(word), len(c.pairs) - 1} {
				c.pairs[counted].Add(1)
				c.same[counted].Add(same)
			}
		}
	}
	if words < 2 {
		return replaced
	}
	c.fills.Add(words * (words - 1) / 2)
	return appendReplaced(replaced, fillers)
}

// maxFrameWords is the maximum number of words that fill a frame in names of one concept. Concepts with more are
// skipped: they number their names, as in "type 1", "type 2", …, and the number of pairs would grow quadratically.
const maxFrameWords = 256

// appendReplaced appends the pairs of words that fill a frame in names of one concept. fillers holds concept << 32 |
// word.
func appendReplaced(replaced, fillers []uint64) []uint64 {
	slices.Sort(fillers)
	fillers = slices.Compact(fillers)
	first := len(replaced)
	for len(fillers) > 0 {
		n := 1
		for n < len(fillers) && fillers[n]>>32 == fillers[0]>>32 {
			n++
		}
		if n <= maxFrameWords {
			for i, a := range fillers[:n] {
				for _, b := range fillers[i+1 : n] {
					replaced = append(replaced, a<<32|b&math.MaxUint32)
				}
			}
		}
		fillers = fillers[n:]
	}
	slices.Sort(replaced[first:])
	return replaced[:first+len(slices.Compact(replaced[first:]))]
}

// setReplaced sets the words that replace each other. Too many words fill "… disease" to compare all pairs, so it only
// counts the pairs that occur in names of one concept.
func (x *WordIndex) setReplaced(ctx context.Context, c *editCounts, parts [][]gap) {
	mean := float64(len(c.replaced)+1) / float64(c.fills.Load()+2)
	slices.Sort(c.replaced)
	var same []int64 // for each pair of words, the number of frames that they fill in names of one concept
	rest := c.replaced
	for word := range uint64(x.vocabulary.Len()) {
		var higher []int32
		for len(rest) > 0 && rest[0]>>32 == word {
			n := 1
			for n < len(rest) && rest[n] == rest[0] {
				n++
			}
			higher, same = append(higher, int32(rest[0])), append(same, int64(n))
			rest = rest[n:]
		}
		x.replaced.Append(higher...)
	}
	both := make([]atomic.Int64, len(same)) // number of frames that both words fill
	parallel.Ranges(len(parts), 0, func(start, end int) {
		for i := start; i < end && ctx.Err() == nil; i++ {
			x.eachFrame(parts[i], func(frame []gap) { x.countFilled(both, frame) })
		}
	})
	for pair, n := range same {
		x.logReplaced = append(x.logReplaced, logShare(n, both[pair].Load(), mean))
	}
}

// countFilled adds a frame to the counts of all pairs in replaced that fill it.
func (x *WordIndex) countFilled(counts []atomic.Int64, frame []gap) {
	var few [64]int32
	words := few[:0]
	for _, g := range frame {
		if g.word != noWord {
			words = append(words, g.word)
		}
	}
	words = slices.Compact(words)
	for i, word := range words {
		start, _ := x.replaced.Range(word)
		eachCommon(x.replaced.At(word), words[i+1:], func(at, _ int) { counts[int(start)+at].Add(1) })
	}
}

// SameConcept returns the probability that the name in a row and the mention mean the same concept, based on the words
// in which they differ. It treats each of these words, or each pair of words that replace each other, as independent.
// The probability is 1 if the words are the same. replaced reports whether the name has words and all differing words
// form such pairs.
func (x *WordIndex) SameConcept(row int32, mention *MentionWords) (p float64, replaced bool) {
	var few [2][16]int32 // most names have fewer words
	words := x.Words(row)
	inName := appendDifference(few[0][:0], words, mention.Known)
	inMention := appendDifference(few[1][:0], mention.Known, words)
	sum := float64(mention.Unknown) * x.logP[len(x.logP)-1]
	for len(inName) > 0 && len(inMention) > 0 {
		// Take the pair that raises the probability the most as a replacement.
		gain, atName, atMention := 0., 0, 0
		for i, a := range inName {
			for j, b := range inMention {
				if logP, known := x.logReplacedOf(a, b); known && logP-x.logP[a]-x.logP[b] > gain {
					gain, atName, atMention = logP-x.logP[a]-x.logP[b], i, j
				}
			}
		}
		if gain == 0 {
			break
		}
		sum += gain + x.logP[inName[atName]] + x.logP[inMention[atMention]]
		inName, inMention = slices.Delete(inName, atName, atName+1), slices.Delete(inMention, atMention, atMention+1)
	}
	replaced = len(words) > 0 && len(inName)+len(inMention)+mention.Unknown == 0
	for _, word := range inName {
		sum += x.logP[word]
	}
	for _, word := range inMention {
		sum += x.logP[word]
	}
	return math.Exp(sum), replaced
}

// logReplacedOf returns the element of logReplaced for two words.
func (x *WordIndex) logReplacedOf(a, b int32) (logP float64, known bool) {
	lower, higher := min(a, b), max(a, b)
	at, known := slices.BinarySearch(x.replaced.At(lower), higher)
	if !known {
		return 0, false
	}
	start, _ := x.replaced.Range(lower)
	return x.logReplaced[int(start)+at], true
}
