package sense

import (
	"fmt"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// EnglishSense is a sense of an English word.
type EnglishSense struct {
	Name  string // another name of it, such as "common cold" for "cold"; may be empty
	Gloss string // a short definition
}

// String returns the gloss, preceded by the name if there is one: "common cold: an infection".
func (s EnglishSense) String() string {
	if s.Name == "" {
		return s.Gloss
	}
	return s.Name + ": " + s.Gloss
}

// English returns the senses of an English word, also in the plural, that has a medical sense and others. The medical
// sense comes first. It returns nil for other words.
func English(word string) []EnglishSense {
	senses := englishSenses()
	key := normalize.Normal(word)
	if known := senses[key]; known != nil {
		return known
	}
	return senses[normalize.CanonicalWord(key)]
}

// englishSenses maps words to their senses.
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
