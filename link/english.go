package link

import (
	"sync"

	"github.com/ctxnorm/ctxnorm/model"
	"github.com/ctxnorm/ctxnorm/sense"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/normalize"
)

// englishReader reads words of English that are no names of a model by the name of their sense in medicine:
// "stroke" as "cerebral stroke".
type englishReader struct {
	names func() (map[string]bool, error) // those words that are names, in their base form
}

func newEnglishReader(m *model.Model) *englishReader {
	return &englishReader{sync.OnceValues(func() (map[string]bool, error) {
		exemplars, err := m.Names.Exemplars()
		if err != nil {
			return nil, err
		}
		names := make(map[string]bool)
		for i := range exemplars {
			if sense.English(exemplars[i].Text) != nil {
				names[baseForm(exemplars[i].Text)] = true
			}
		}
		return names, nil
	})}
}

// baseForm returns the singular of a word in normal form.
func baseForm(word string) string { return normalize.CanonicalWord(normalize.Normal(word)) }

// read returns the name of a word's sense in medicine, or the word itself if it has none or is a name.
func (r *englishReader) read(word string) (string, error) {
	name := englishName(word)
	if name == "" {
		return word, nil
	}
	names, err := r.names()
	if err != nil || names[baseForm(word)] {
		return word, err
	}
	return name, nil
}

// englishName returns the name of the sense of a word in medicine, empty if it has none.
func englishName(surface string) string {
	if senses := sense.English(surface); senses != nil {
		return senses[0].Name
	}
	return ""
}

// englishWordOf returns the text of the mention, or the word that stood there if it was replaced by
// the name of its sense.
func englishWordOf(q *text.Query) string {
	if q.Original != nil {
		if word := q.Original.Surface(); englishName(word) == q.Surface() {
			return word
		}
	}
	return q.Surface()
}
