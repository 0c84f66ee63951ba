package lexical

import (
	"cmp"
	"context"
	"math"
	"slices"
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
	// replaced lists, by word number, the more frequent words that replace the word in names of some concept, ascending:
	// see findReplaced. logReplaced holds for each of them ln P(same concept | one name has the first word where the other
	// has the second).
	replaced    safetensors.Lists
	logReplaced []float64
}

// wordEditPseudoCount is the number of pairs with which the mean over all words counts for each word, so that a single
// pair does not make a probability 0 or 1.
const wordEditPseudoCount = 3

// editCount counts pairs of names that differ in one way, and those of them in one concept.
type editCount struct{ pairs, same atomic.Int64 }

// logShare returns the logarithm of the share of pairs in one concept, smoothed by wordEditPseudoCount pairs with the
// mean share.
func (c *editCount) logShare(mean float64) float64 {
	return math.Log((float64(c.same.Load()) + wordEditPseudoCount*mean) / float64(c.pairs.Load()+wordEditPseudoCount))
}

// meanShare returns the share of all pairs in one concept, as if there were one more pair of either kind.
func meanShare(counts []editCount) float64 {
	var pairs, same int64
	for i := range counts {
		pairs, same = pairs+counts[i].pairs.Load(), same+counts[i].same.Load()
	}
	return float64(same+1) / float64(pairs+2)
}

// countEdits counts two kinds of pairs of names, searched or not: pairs where one name has all words of the other and
// one more, and pairs that share all words but one. Names with the same words count as one. concepts returns the
// concepts of the name in a row.
func (x *WordIndex) countEdits(ctx context.Context, concepts func(row int32) []int32) error {
	if err := x.findReplaced(ctx, concepts); err != nil {
		return err
	}
	hashes := newKeyTable(ctx, x.words.Len(), func(row int) uint32 { return uint32(hashOfWords(x.Words(int32(row)))) })
	// conceptsOf returns the concepts of the names whose words have a hash, and the first row of them. Of a million sets of
	// words no two share one by chance.
	conceptsOf := func(hash uint64) (of []int32, first int32) {
		for _, row := range slices.Backward(hashes.find(uint32(hash))) {
			if hashOfWords(x.Words(row)) == hash {
				of, first = append(of, concepts(row)...), row
			}
		}
		return of, first
	}
	added, replaced := make([]editCount, x.vocabulary.Len()), make([]editCount, len(x.replaced.Values()))
	err := parallel.For(ctx, x.words.Len(), 0, func(i int) {
		words := x.Words(int32(i))
		whole := hashOfWords(words)
		own, first := conceptsOf(whole)
		if first < int32(i) {
			return
		}
		count := func(c *editCount, hash uint64) {
			if of, _ := conceptsOf(hash); len(of) > 0 {
				c.pairs.Add(1)
				if slices.ContainsFunc(of, func(concept int32) bool { return slices.Contains(own, concept) }) {
					c.same.Add(1)
				}
			}
		}
		for _, word := range words {
			rest := whole - hashOfWord(word)
			if rest == 0 {
				return
			}
			count(&added[word], rest)
			start, _ := x.replaced.Range(word)
			for at, other := range x.replaced.At(word) {
				if !slices.Contains(words, other) {
					count(&replaced[int(start)+at], rest+hashOfWord(other))
				}
			}
		}
	})
	mean := meanShare(added)
	for word := range added {
		x.logP = append(x.logP, added[word].logShare(mean))
	}
	x.logP = append(x.logP, math.Log(mean))
	for pair := range replaced {
		x.logReplaced = append(x.logReplaced, replaced[pair].logShare(0))
	}
	return err
}

// hashOfWords returns the hash of a set of words, the sum of theirs; 0 without words.
func hashOfWords(words []int32) (hash uint64) {
	for _, word := range words {
		hash += hashOfWord(word)
	}
	return hash
}

func hashOfWord(word int32) uint64 { return sampling.Mix(uint64(word)) }

// findReplaced sets the words that replace each other in names of a concept, see replacementCounts. Too many words
// occur before "disease" to count all pairs of them.
func (x *WordIndex) findReplaced(ctx context.Context, concepts func(row int32) []int32) error {
	var ofRow safetensors.Lists
	n := 0 // number of concepts
	for row := range int32(x.words.Len()) {
		ofRow.Append(concepts(row)...)
		for _, concept := range ofRow.At(row) {
			n = max(n, int(concept)+1)
		}
	}
	rows, counts := ofRow.Inverted(n), newReplacementCounts()
	for concept := range n {
		if err := parallel.Step(ctx, concept, n); err != nil {
			return err
		}
		var names [][]int32
		for _, row := range rows.At(int32(concept)) {
			names = append(names, x.Words(row))
		}
		counts.add(names)
	}
	replaced := make([][]int32, x.vocabulary.Len())
	for pair, weight := range counts.pairs {
		if rarer, other := x.byFrequency(pair.from, pair.to); weight >= 1 && rarer == pair.from {
			replaced[rarer] = append(replaced[rarer], other)
		}
	}
	for _, others := range replaced {
		x.replaced.Append(sortedDistinct(others)...)
	}
	return nil
}

// SameConcept returns the probability that a name with these words and the mention mean the same concept, based on the
// words in which they differ. It treats each of these words, or each pair of words that replace each other, as
// independent. The probability is 1 if the words are the same. replaced reports whether the name has words and all
// differing words form such pairs.
func (x *WordIndex) SameConcept(words []int32, mention *MentionWords) (p float64, replaced bool) {
	var few [2][16]int32 // most names have fewer words
	inName := appendDifference(few[0][:0], words, mention.Known)
	inMention := appendDifference(few[1][:0], mention.Known, words)
	sum := float64(len(mention.Unknown)) * x.logP[len(x.logP)-1]
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
	replaced = len(words) > 0 && len(inName)+len(inMention)+len(mention.Unknown) == 0
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
	rarer, other := x.byFrequency(a, b)
	at, known := slices.BinarySearch(x.replaced.At(rarer), other)
	if !known {
		return 0, false
	}
	start, _ := x.replaced.Range(rarer)
	return x.logReplaced[int(start)+at], true
}

// byFrequency returns two words, the one in fewer names first.
func (x *WordIndex) byFrequency(a, b int32) (rarer, other int32) {
	if cmp.Or(cmp.Compare(x.weights[b], x.weights[a]), cmp.Compare(a, b)) > 0 {
		return b, a
	}
	return a, b
}
