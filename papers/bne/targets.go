package bne

import (
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
)

// targetVectors holds the vectors of contexts and concepts, which are not trained (section 3.2):
//
//	option 1, tokens  q(s) and g(c) are the vectors of the name's and the concept's token, trained on text with
//	                  [wordvec.Text]. A name or concept that the text lacks has that of option 2.
//	option 2          q(s) is the mean of the vectors of the name's words, and g(c) the mean of q over the
//	                  concept's names
type targetVectors struct {
	vectors *wordvec.Vectors
	tokens  bool
}

// Context returns q(s), or nil if none of the name's words has a vector. The result must not be modified.
func (t targetVectors) Context(name string) []float32 {
	if t.tokens {
		if row := t.vectors.Vector(wordvec.NameToken(normalize.Normal(name))); row != nil {
			return row
		}
	}
	return t.vectors.Mean(wordvec.Words(name))
}

// Concept returns g(c), or nil if no word of its names has a vector. The result must not be modified.
func (t targetVectors) Concept(c *kb.Concept) []float32 {
	if t.tokens {
		if row := t.vectors.Vector(wordvec.ConceptToken(c.ID)); row != nil {
			return row
		}
	}
	var contexts [][]float32
	for _, name := range c.Names() {
		contexts = append(contexts, t.Context(name))
	}
	return wordvec.Mean(contexts)
}
