package link

import (
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/text"
)

// readEnglish returns the name of a word's sense in medicine: "cerebral stroke" for "stroke". It returns the word
// itself if it has none or is a name of the model.
func readEnglish(m *model.Model, word string) (string, error) {
	name := englishName(word)
	if name == "" {
		return word, nil
	}
	if isName, err := m.IsEnglishName(word); isName || err != nil {
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
