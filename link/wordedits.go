package link

import (
	"encoding/binary"
	"math"
	"slices"
)

// wordEdits knows for each word how often two names that differ by this word alone are names
// of one concept. Of the names of half of MEDIC that have "primary" before or after another
// name four in five mean the same as that, of those that have "lung" none of eleven.
type wordEdits struct {
	index *wordIndex
	// logP holds ln P(same concept | two names differ by the word alone), by the number of
	// the word.
	logP []float64
	// meanLogP is that of any word.
	meanLogP float64
}

// wordEditPseudoCount is the number of pairs of names as which the mean over all words counts
// for each word, so that a word that two names differ by is not all or nothing.
const wordEditPseudoCount = 3

// newWordEdits counts the pairs of indexed names one of which has all content words of the
// other and one more. concepts returns the concepts of the name in a row.
func newWordEdits(x *wordIndex, concepts func(row int32) []int32) *wordEdits {
	conceptsOf := make(map[string][]int32) // words of a name -> concepts of the names with these words, ascending
	for row, words := range x.words {
		if len(words) > 0 {
			key := wordsKey(words, -1)
			conceptsOf[key] = append(conceptsOf[key], concepts(int32(row))...)
		}
	}
	for key, all := range conceptsOf {
		slices.Sort(all)
		conceptsOf[key] = slices.Compact(all)
	}
	same, pairs := make([]float64, len(x.vocabulary)), make([]float64, len(x.vocabulary))
	allSame, allPairs := 0., 0.
	seen := make(map[string]bool)
	for _, words := range x.words {
		key := wordsKey(words, -1)
		if len(words) < 2 || seen[key] {
			continue
		}
		seen[key] = true
		for i, word := range words {
			shorter, found := conceptsOf[wordsKey(words, i)]
			if !found {
				continue
			}
			pairs[word]++
			allPairs++
			if intersect(conceptsOf[key], shorter) {
				same[word]++
				allSame++
			}
		}
	}
	mean := (allSame + 1) / (allPairs + 2)
	e := &wordEdits{index: x, logP: make([]float64, len(x.vocabulary)), meanLogP: math.Log(mean)}
	for word := range e.logP {
		e.logP[word] = math.Log((same[word] + wordEditPseudoCount*mean) / (pairs[word] + wordEditPseudoCount))
	}
	return e
}

// wordsKey returns a key of the words, without the one at the position without, if any.
func wordsKey(words []int32, without int) string {
	key := make([]byte, 0, 4*len(words))
	for i, word := range words {
		if i != without {
			key = binary.LittleEndian.AppendUint32(key, uint32(word))
		}
	}
	return string(key)
}

// intersect reports whether two ascending lists have an element in common.
func intersect(a, b []int32) bool {
	return slices.ContainsFunc(a, func(x int32) bool { _, found := slices.BinarySearch(b, x); return found })
}

// sameConcept returns the probability that the name in a row and the mention mean the same
// concept by the words that only one of them has, as if each of these words told it
// independently: 1 if they have the same words.
func (e *wordEdits) sameConcept(row int32, mention mentionNumbers) float64 {
	name := e.index.words[row]
	sum := float64(mention.unknown) * e.meanLogP
	shared := 0
	for _, word := range name {
		if slices.Contains(mention.known, word) {
			shared++
		} else {
			sum += e.logP[word]
		}
	}
	if shared < len(mention.known) {
		for _, word := range mention.known {
			if !slices.Contains(name, word) {
				sum += e.logP[word]
			}
		}
	}
	return math.Exp(sum)
}

// mentionNumbers holds the content words of a mention as a [wordIndex] knows them.
type mentionNumbers struct {
	known   []int32
	unknown int // of the words, those that no name has
}

// numbersOf returns the numbers of the words of a mention.
func (x *wordIndex) numbersOf(words []string) mentionNumbers {
	var m mentionNumbers
	for _, word := range words {
		if number, known := x.numbers[word]; known {
			m.known = append(m.known, number)
		} else {
			m.unknown++
		}
	}
	return m
}
