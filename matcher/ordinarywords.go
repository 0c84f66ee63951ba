package matcher

import (
	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// english tells which names are useless for tagging, or doubtful.
var english = &language.Rules.Tagging

// OrdinaryWord reports whether a name or a word of a name is also a word of English, or its plural, that often
// means something else: "lead", "colds". It knows some 700 words.
func OrdinaryWord(name string) bool {
	key := normalize.Normal(name)
	return english.CommonWords[key] || english.OrdinaryWords[key] || english.OrdinaryWords[normalize.CanonicalWord(key)]
}

// isEnglish reports whether a name in normal form is also a word that is no name, or often none: OR, ALL, STAR.
func isEnglish(name string) bool {
	rules := language.Rules
	return english.CommonWords[name] || english.OrdinaryWords[name] || rules.Names.FunctionWords[name] ||
		rules.Recognition.StopWords[name] || rules.Verbs.Be[name] || rules.Verbs.Before[name] || rules.Verbs.BeforeNoun[name]
}
