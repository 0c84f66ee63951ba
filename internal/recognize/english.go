package recognize

import "github.com/ctxnorm/ctxnorm/internal/language"

// english tells where a mention begins and ends. Words of other languages are in none of its sets, so that the rules
// leave them alone.
var lang = &language.Rules.Recognition

// headOf returns the head of a name, given by the words of its part before the first comma: "cell"
// has the head "carcinoma" in "carcinoma, renal cell", "deficiency" in "deficiency of lactase". It is
// empty if there is none.
func headOf(name []string) string {
	var words []string
	for _, w := range name {
		if w == "'" {
			continue
		}
		if len(words) > 0 && lang.Prepositions[w] {
			break
		}
		words = append(words, w)
	}
	for len(words) > 1 && (lang.Tail.MatchString(words[len(words)-1]) || !startsWithLetter(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}
