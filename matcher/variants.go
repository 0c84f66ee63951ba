package matcher

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/text"
)

// variant is another way to write a name, as the tagger looks for it. Variants are not in a
// tagger's file, since they follow from its names.
type variant struct {
	form   string // normal
	entry  int32  // of the name
	hyphen int32  // see normalize.Variant
	gap    int32  // the same
	rule   caseRule
	forms  []string // for exactCase, sorted
}

// allows reports whether the variant may be tagged at a span of raw, whose words are tokens.
func (v *variant) allows(raw string, at text.Span, tokens []normalize.Token) bool {
	if v.hyphen > 0 {
		before, _ := utf8.DecodeLastRuneInString(raw[:tokens[v.hyphen].Raw.Start])
		if unicode.IsSpace(before) {
			return false
		}
	}
	if v.gap > 0 {
		between := raw[tokens[v.gap-1].Raw.End:tokens[v.gap].Raw.Start]
		if strings.ContainsFunc(between, func(r rune) bool { return !isJoiner(r) }) {
			return false
		}
	}
	return v.rule.allows(at.Of(raw), v.forms)
}

// isJoiner reports whether r may stand between the words of one name where the name has no gap.
func isJoiner(r rune) bool {
	return r == ' ' || r == '\u3000' || unicode.Is(unicode.Pd, r) || r == '−' || r == '・' || r == '･'
}

// findVariants returns the variants of names, in the order of the names. A form that is
// a name itself, that filter drops, or that is a variant of names with other concepts is left
// out: nobody knows which of them a text means. They are made on all cores and chosen one after another.
//
// Ordinary words that are no diseases have no variants ("leads" is no form of the metal). Acronyms, whose plural
// would be another acronym in capitals, have the plural with a small s, Greek letters, and words that are joined or
// apart.
func findVariants(filter NameFilter, entries []nameEntry) []variant {
	names := make(map[string]bool, len(entries))
	for i := range entries {
		names[entries[i].name] = true
	}
	drop := normalSet(filter.Drop)
	leftOut := func(v variant) bool {
		return len(v.form) < minWord && v.rule != exactCase || names[v.form] || drop[v.form] ||
			filter.CommonWords && (english.CommonWords[v.form] || english.GeneralTerms[v.form] || isOrdinaryName(v.form))
	}
	of := normalize.LanguageOf(func(yield func(string) bool) {
		for i := range entries {
			if !yield(entries[i].name) {
				return
			}
		}
	})
	var all []variant
	index := make(map[string]int) // form -> index among all
	ambiguous := make(map[string]bool)
	add := func(v variant) {
		if ambiguous[v.form] {
			return
		}
		at, known := index[v.form]
		switch {
		case !known:
			index[v.form] = len(all)
			all = append(all, v)
		case !slices.Equal(entries[all[at].entry].concepts, entries[v.entry].concepts):
			ambiguous[v.form] = true
		case all[at].entry == v.entry && v.rule == exactCase:
			all[at].forms = append(all[at].forms, v.forms...)
		}
	}
	const block = 1 << 14 // names whose variants are in memory before they are chosen
	made := make([][]variant, min(block, len(entries)))
	for start := 0; start < len(entries); start += block {
		n := min(block, len(entries)-start)
		parallel.Ranges(n, 0, func(from, to int) {
			for i := from; i < to; i++ {
				made[i] = slices.DeleteFunc(entries[start+i].variants(int32(start+i), of), leftOut)
			}
		})
		for _, variants := range made[:n] {
			for _, v := range variants {
				add(v)
			}
		}
	}
	return slices.DeleteFunc(all, func(v variant) bool { return ambiguous[v.form] })
}

// variants returns all variants of the entry with an index, by the rules of the language of its dictionary.
func (e *nameEntry) variants(entry int32, of *language.Language) (all []variant) {
	switch e.rule {
	case anyCase:
		if isOrdinaryName(e.name) {
			return nil
		}
		for _, v := range append(normalize.Variants(e.name), normalize.InflectedVariants(e.name, of)...) {
			all = append(all, variant{form: v.Form, entry: entry, hyphen: int32(v.Hyphen), gap: int32(v.Gap)})
		}
	case exactCase:
		for _, cased := range e.forms {
			if plural := cased + "s"; normalize.SingularShortForm(plural) == cased {
				all = append(all, variant{form: strings.ToLower(plural), entry: entry, rule: exactCase, forms: []string{plural}})
			}
			for _, v := range append(normalize.JoinedVariants(cased, true), normalize.GreekVariants(cased)...) {
				all = append(all, variant{form: strings.ToLower(v.Form), entry: entry, hyphen: int32(v.Hyphen),
					gap: int32(v.Gap), rule: exactCase, forms: []string{v.Form}})
			}
		}
	}
	return all
}
