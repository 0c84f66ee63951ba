package link

import (
	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// otherNames are names that a filter left out: no candidates, but they tell how much a word weighs and which words
// are synonyms.
type otherNames struct {
	names    []normalize.TokenizedName
	concepts [][]int32 // of each; those that the dictionary lacks have numbers of their own, after its
	first    int       // of these numbers
	count    int       // of these concepts
}

func newOtherNames(dict *kb.Dictionary, leftOut []text.Exemplar) *otherNames {
	o := &otherNames{first: dict.Len()}
	texts := make([]string, len(leftOut))
	numbers := make(map[kb.ConceptID]int32)
	for row := range leftOut {
		texts[row] = leftOut[row].Text
		var concepts []int32
		for _, id := range leftOut[row].Mention.Concepts {
			number, known := numbers[id]
			if at, kept := dict.Index(id); kept {
				number, known = int32(at), true
			}
			if !known {
				number = int32(o.first + o.count)
				numbers[id] = number
				o.count++
			}
			concepts = append(concepts, number)
		}
		o.concepts = append(o.concepts, concepts)
	}
	o.names = lexical.TokenizeNames(texts)
	return o
}

// byConcept returns the names of each concept that the dictionary lacks.
func (o *otherNames) byConcept() [][]normalize.TokenizedName {
	names := make([][]normalize.TokenizedName, o.count)
	for row, concepts := range o.concepts {
		for _, concept := range concepts {
			if at := int(concept) - o.first; at >= 0 {
				names[at] = append(names[at], o.names[row])
			}
		}
	}
	return names
}
