package sense

import (
	"fmt"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// EnglishSense is a sense of a word of English.
type EnglishSense struct {
	Name  string // another name of it, as "common cold" of "cold"; empty if there is none
	Gloss string // what it is, in a few words
}

// String returns the gloss, after the name if there is one: "common cold: an infection".
func (s EnglishSense) String() string {
	if s.Name == "" {
		return s.Gloss
	}
	return s.Name + ": " + s.Gloss
}

// English returns the senses of a word of English that has one in medicine and others: first that
// in medicine, also in the plural. It returns nil for other words.
func English(word string) []EnglishSense {
	senses := englishSenses()
	key := normalize.Normal(word)
	if known := senses[key]; known != nil {
		return known
	}
	return senses[normalize.CanonicalWord(key)]
}

// englishSenses returns the senses by word.
var englishSenses = sync.OnceValue(func() map[string][]EnglishSense {
	senses := make(map[string][]EnglishSense)
	for line := range strings.Lines(language.Rules.Senses) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		for field := range strings.SplitSeq(rest, "\t") {
			name, gloss, named := strings.Cut(field, ": ")
			if !named {
				name, gloss = "", field
			}
			senses[word] = append(senses[word], EnglishSense{name, gloss})
		}
		if len(senses[word]) < 2 {
			panic(fmt.Sprintf("english_senses.tsv: %q has one sense, want two or more", word)) // the file is wrong
		}
	}
	return senses
})
