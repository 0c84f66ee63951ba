package wordvec

import (
	"iter"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Words returns the words of a text in normal form: see [normalize.Normal].
func Words(s string) []string {
	words, _ := normalizedWords(s)
	return words
}

// normalizedWords returns the words of a text and the span of each.
func normalizedWords(s string) ([]string, []text.Span) {
	var n normalize.Normalizer
	n.Normalize(s)
	all := string(n.Normal())
	words, spans := make([]string, len(n.Tokens())), make([]text.Span, len(n.Tokens()))
	for i, token := range n.Tokens() {
		words[i], spans[i] = token.Normal.Of(all), token.Raw
	}
	return words, spans
}

// NameToken returns the token of a name. It never equals a word of [Words].
func NameToken(name string) string { return "name:" + name }

// ConceptToken returns the token of a concept. It never equals a word of [Words].
func ConceptToken(id kb.ConceptID) string { return "concept:" + string(id) }

// annotatedSentence returns the token sequences for a sentence w_l w_1 w_2 w_r with the mention w_1 w_2 of name s and
// concept c: SG_S.C of Phan et al., ACL 2019, section 3.1.
//
//	w_l s c w_1 w_2 w_r
//	w_l w_1 w_2 s c w_r
//
// Mentions have the names that the tagger found. A mention without a name, or one that begins before the end of
// another, counts as words. A mention gets no concept token if it has no concept, or several, so that its concept is
// unknown. A sentence without mentions is one sequence.
func annotatedSentence(doc *text.Document) [][]string {
	words, spans := normalizedWords(doc.Text)
	var left, right []string
	at := 0 // the first word that is not in a sequence yet
	annotated := false
	for _, m := range doc.Mentions {
		start := at
		for start < len(spans) && spans[start].Start < m.Start {
			start++
		}
		end := start
		for end < len(spans) && spans[end].End <= m.End {
			end++
		}
		if m.Name == "" || end == start || at > 0 && spans[at-1].End > m.Start {
			continue
		}
		annotated = true
		tokens := []string{NameToken(m.Name)}
		if len(m.Concepts) == 1 {
			tokens = append(tokens, ConceptToken(m.Concepts[0]))
		}
		before, inside := words[at:start], words[start:end]
		left = append(append(append(left, before...), tokens...), inside...)
		right = append(append(append(right, before...), inside...), tokens...)
		at = end
	}
	if !annotated {
		return [][]string{words}
	}
	return [][]string{append(left, words[at:]...), append(right, words[at:]...)}
}

// Text returns documents as training text: their words, SG_W of section 4, or the sequences of annotatedSentence.
func Text(docs iter.Seq2[*text.Document, error], annotated bool) Documents {
	return func(yield func([]string, error) bool) {
		for doc, err := range docs {
			if err != nil {
				yield(nil, err)
				return
			}
			sequences := [][]string{Words(doc.Text)}
			if annotated {
				sequences = annotatedSentence(doc)
			}
			for _, sequence := range sequences {
				if !yield(sequence, nil) {
					return
				}
			}
		}
	}
}
