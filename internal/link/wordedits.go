package link

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// wordEdits knows for each word how often two names that differ by this word alone are names
// of one concept, and for two words how often two names that differ in that one has the first
// and the other the second are. Of the names of half of MEDIC that have "primary" before or
// after another name four in five mean the same as that, of those that have "lung" none of
// eleven; "renal" in place of "kidney" nearly always leaves the concept the same.
type wordEdits struct {
	index *wordIndex
	// logP holds ln P(same concept | two names differ by the word alone), by the number of
	// the word.
	logP []float64
	// meanLogP is that of any word.
	meanLogP float64
	// logReplaced holds ln P(same concept | one name has the first word where the other has the
	// second), the lower number first, for the words that replace each other in names of some
	// concept.
	logReplaced map[[2]int32]float64
}

// wordEditPseudoCount is the number of pairs of names as which the mean over all words counts
// for each word, so that a word that two names differ by is not all or nothing.
const wordEditPseudoCount = 3

// newWordEdits counts the pairs of indexed names one of which has all content words of the
// other and one more, and those that have all content words but one in common. concepts
// returns the concepts of the name in a row.
func newWordEdits(x *wordIndex, concepts func(row int32) []int32) *wordEdits {
	byWords := make(map[string]*wordSet)
	var key []byte
	var sets []*wordSet // the distinct sets of words that names have, in the order of rows
	for row, words := range x.words {
		if len(words) == 0 {
			continue
		}
		key = appendWordsKey(key[:0], words, -1)
		set := byWords[string(key)]
		if set == nil {
			set = &wordSet{words: words}
			byWords[string(key)] = set
			sets = append(sets, set)
		}
		set.concepts = append(set.concepts, concepts(int32(row))...)
	}
	for _, set := range sets {
		slices.Sort(set.concepts)
		set.concepts = slices.Compact(set.concepts)
	}
	e := &wordEdits{index: x}
	e.countAdded(sets, byWords)
	e.countReplaced(sets)
	return e
}

// wordSet is the content words of names, and the concepts of these names, both ascending.
type wordSet struct{ words, concepts []int32 }

// sharesConcept reports whether two sets of words name a common concept.
func (s *wordSet) sharesConcept(other *wordSet) bool {
	return slices.ContainsFunc(s.concepts, func(c int32) bool {
		_, found := slices.BinarySearch(other.concepts, c)
		return found
	})
}

// countAdded sets logP and meanLogP.
func (e *wordEdits) countAdded(sets []*wordSet, byWords map[string]*wordSet) {
	same, pairs := make([]float64, len(e.index.vocabulary)), make([]float64, len(e.index.vocabulary))
	allSame, allPairs := 0., 0.
	var key []byte
	for _, long := range sets {
		for i, word := range long.words {
			key = appendWordsKey(key[:0], long.words, i)
			short := byWords[string(key)]
			if short == nil {
				continue
			}
			pairs[word]++
			allPairs++
			if long.sharesConcept(short) {
				same[word]++
				allSame++
			}
		}
	}
	mean := (allSame + 1) / (allPairs + 2)
	e.meanLogP = math.Log(mean)
	e.logP = make([]float64, len(e.index.vocabulary))
	for word := range e.logP {
		e.logP[word] = math.Log((same[word] + wordEditPseudoCount*mean) / (pairs[word] + wordEditPseudoCount))
	}
}

// frame is what names have in common that differ in one word, and the words that fill it:
// "kidney" and "renal" fill the frame "chronic … failure".
type frame struct {
	number int32
	words  []int32    // distinct
	names  []*wordSet // with each of the words
}

// countReplaced sets logReplaced.
func (e *wordEdits) countReplaced(sets []*wordSet) {
	byWords := make(map[string]*frame)
	var frames []*frame
	var key []byte
	framesOf := make([][]int32, len(e.index.vocabulary)) // word -> frames that it fills, of those that others fill too
	for _, set := range sets {
		if len(set.words) < 2 {
			continue
		}
		for i, word := range set.words {
			key = appendWordsKey(key[:0], set.words, i)
			f := byWords[string(key)]
			if f == nil {
				f = &frame{number: int32(len(frames))}
				byWords[string(key)] = f
				frames = append(frames, f)
			}
			f.words, f.names = append(f.words, word), append(f.names, set)
			framesOf[word] = append(framesOf[word], f.number)
		}
	}
	// "… disease" is filled by too many words to compare all: only those are counted that
	// replace each other in names of one concept.
	same := make(map[[2]int32]float64)
	allSame, allPairs := 0., 0.
	for _, f := range frames {
		allPairs += float64(len(f.words)) * float64(len(f.words)-1) / 2
		for pair := range f.pairsOfOneConcept() {
			same[pair]++
			allSame++
		}
	}
	for _, numbers := range framesOf {
		slices.Sort(numbers)
	}
	mean := (allSame + 1) / (allPairs + 2)
	e.logReplaced = make(map[[2]int32]float64, len(same))
	for pair, n := range same {
		both := float64(countCommon(framesOf[pair[0]], framesOf[pair[1]]))
		e.logReplaced[pair] = math.Log((n + wordEditPseudoCount*mean) / (both + wordEditPseudoCount))
	}
}

// maxFrameWords is the number of words that may fill a frame in names of one concept to be counted. A concept with more
// numbers its names, as in "type 1", "type 2", …, and their pairs would grow with the square.
const maxFrameWords = 256

// pairsOfOneConcept returns the pairs of words that fill the frame in names of one concept.
func (f *frame) pairsOfOneConcept() map[[2]int32]bool {
	if len(f.words) < 2 { // as in most frames
		return nil
	}
	ofConcept := make(map[int32][]int32) // concept -> words
	for i, name := range f.names {
		for _, c := range name.concepts {
			ofConcept[c] = append(ofConcept[c], f.words[i])
		}
	}
	pairs := make(map[[2]int32]bool)
	for _, words := range ofConcept {
		if len(words) > maxFrameWords {
			continue
		}
		for i, a := range words {
			for _, b := range words[i+1:] {
				pairs[wordPair(a, b)] = true
			}
		}
	}
	return pairs
}

// wordPair returns two words, the lower number first.
func wordPair(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }

// countCommon returns the number of elements that two ascending lists have in common.
func countCommon[T cmp.Ordered](a, b []T) int {
	count := 0
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			count++
			a, b = a[1:], b[1:]
		}
	}
	return count
}

// appendWordsKey appends a key of the words to dst, without the one at the position without, if any.
func appendWordsKey(dst []byte, words []int32, without int) []byte {
	for i, word := range words {
		if i != without {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(word))
		}
	}
	return dst
}

// sameConcept returns the probability that the name in a row and the mention mean the same
// concept by the words that only one of them has, as if each of these words, or each pair of
// words that replace each other, told it independently: 1 if they have the same words. It
// also reports whether they have words, and the same but for such pairs.
func (e *wordEdits) sameConcept(row int32, mention mentionNumbers) (p float64, replaced bool) {
	var few [2][16]int32 // most names have fewer words
	inName := missing(few[0][:0], e.index.words[row], mention.known)
	inMention := missing(few[1][:0], mention.known, e.index.words[row])
	sum := float64(mention.unknown) * e.meanLogP
	for len(inName) > 0 && len(inMention) > 0 {
		// The pair that raises the probability the most is taken for a replacement.
		gain, atName, atMention := 0., 0, 0
		for i, a := range inName {
			for j, b := range inMention {
				logP, known := e.logReplaced[wordPair(a, b)]
				if g := logP - e.logP[a] - e.logP[b]; known && g > gain {
					gain, atName, atMention = g, i, j
				}
			}
		}
		if gain == 0 {
			break
		}
		sum += gain + e.logP[inName[atName]] + e.logP[inMention[atMention]]
		inName, inMention = slices.Delete(inName, atName, atName+1), slices.Delete(inMention, atMention, atMention+1)
	}
	replaced = len(e.index.words[row]) > 0 && len(inName)+len(inMention)+mention.unknown == 0
	for _, word := range inName {
		sum += e.logP[word]
	}
	for _, word := range inMention {
		sum += e.logP[word]
	}
	return math.Exp(sum), replaced
}

// missing appends the words that are not in the other list to dst.
func missing(dst, words, other []int32) []int32 {
	for _, word := range words {
		if !slices.Contains(other, word) {
			dst = append(dst, word)
		}
	}
	return dst
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
