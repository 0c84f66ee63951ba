package matcher

import (
	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// english lists names that are useless or doubtful for tagging.
var english = &language.Rules.Tagging

// OrdinaryWord reports whether a name or a word of a name is also an English word, or its plural, that often means
// something else: "lead", "colds". It knows about 700 words.
func OrdinaryWord(name string) bool {
	key := normalize.Normal(name)
	return english.CommonWords[key] || english.OrdinaryWords[key] || english.OrdinaryWords[normalize.CanonicalWord(key)]
}

// isEnglish reports whether a name in normal form is also an English word that is often or always not a name: OR, ALL,
// STAR.
func isEnglish(name string) bool {
	rules := language.Rules
	return english.CommonWords[name] || english.OrdinaryWords[name] || rules.Names.FunctionWords[name] ||
		rules.Recognition.StopWords[name] || rules.Verbs.Be[name] || rules.Verbs.Before[name] || rules.Verbs.BeforeNoun[name]
}
