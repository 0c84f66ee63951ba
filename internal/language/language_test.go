package language

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestFirstFits finds endings that never apply, because an earlier and shorter one always fits, too.
func TestFirstFits(t *testing.T) {
	check := func(language, list string, items []string, fits func(s, part string) bool) {
		t.Helper()
		for i, later := range items {
			for _, earlier := range items[:i] {
				if fits(later, earlier) {
					t.Errorf("%s: %s: %q is listed after %q", language, list, later, earlier)
				}
			}
		}
	}
	for _, l := range Languages {
		name := l.Name
		var plurals, nouns, derivations []string
		for _, p := range l.Names.Plurals {
			if p.MinLength > 0 { // the others are not plurals
				plurals = append(plurals, p.Plural)
			}
		}
		for _, n := range l.Names.Nouns {
			nouns = append(nouns, n.Ending)
		}
		for _, d := range l.Names.Derivations {
			derivations = append(derivations, d.Ending)
		}
		check(name, "plurals", plurals, strings.HasSuffix)
		check(name, "nouns", nouns, strings.HasSuffix)
		check(name, "derivations", derivations, strings.HasSuffix)
		check(name, "conjunctions", l.Unspaced.Conjunctions, strings.HasPrefix)
	}
}

// TestLowerCase finds words in capitals that a rule never matches because it compares words in lower case.
func TestLowerCase(t *testing.T) {
	for _, l := range Languages {
		for list, set := range map[string]map[string]bool{
			"names, function words": l.Names.FunctionWords, "names, disease nouns": l.Names.DiseaseNouns,
			"tagging, ordinary words": l.Tagging.OrdinaryWords, "sentences, before letter": l.Sentences.BeforeLetter,
			"synonyms, function words": l.Synonyms.FunctionWords, "recognition, stop words": l.Recognition.StopWords,
			"verbs, before noun": l.Verbs.BeforeNoun, "assertion, unfinished": l.Assertion.Unfinished,
			"causes, others": l.Causes.OtherCauses, "placeholders": l.Placeholders, "frequent": l.Frequent,
		} {
			for word := range set {
				must.Equal(t, word, strings.ToLower(word), l.Name, list)
			}
		}
	}
}

// TestConjunctions finds conjunctions that are other short words in another language, where [Rules] would split names.
func TestConjunctions(t *testing.T) {
	for _, l := range Languages {
		for word := range l.Names.Conjunctions {
			for _, other := range Languages {
				if n := &other.Names; n.Prepositions[word] || n.FunctionWords[word] && !n.Conjunctions[word] {
					t.Errorf("%s: the conjunction %q is another word in %s", l.Name, word, other.Name)
				}
			}
		}
	}
}
