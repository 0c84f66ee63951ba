package matcher

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// NameFilter selects the names of a dictionary that a [Tagger] looks for, and decides how they must be written in text.
// The zero value keeps every name, in any case. [DefaultNameFilter] is meant for building a corpus.
type NameFilter struct {
	// CommonWords drops names that are common English words, and names too general to identify a concept; package
	// language lists both. A common word of three letters or more is kept if it is an acronym (ALL for leukemia).
	CommonWords bool `json:"common_words"`

	// Numbers drops names without a letter.
	Numbers bool `json:"numbers"`

	// MinLength is the minimum number of letters and digits in a name; 0 sets no limit. A single kanji always suffices:
	// 癌 (cancer) is a word.
	MinLength int `json:"min_length"`

	// Acronyms finds an acronym only as the dictionary writes it, or only in capitals if the dictionary has lost its
	// case. Other names are found in any case. If Acronyms is false, all names are found in any case.
	Acronyms bool `json:"acronyms"`

	// Ambiguous drops names of several concepts. If it is false, a mention of such a name gets all of them.
	Ambiguous bool `json:"ambiguous"`

	// Variants also finds names in another number or spelling, or with other ways to write Greek letters ("liver
	// cancers", "tumour", "TNF-alpha"; see [normalize.Readings]).
	Variants bool `json:"variants,omitempty"`

	// Drop lists names to leave out. Keep lists names to look for in any case, regardless of the settings above. Both
	// are compared in normal form.
	Drop []string `json:"drop,omitempty"`
	Keep []string `json:"keep,omitempty"`
}

// DefaultNameFilter returns a filter that drops common words, general terms, numbers and single letters, and finds
// acronyms by their case. It keeps 364 k of 847 k mentions of half of MEDIC's names in 194 million characters of
// abstracts.
func DefaultNameFilter() NameFilter {
	return NameFilter{CommonWords: true, Numbers: true, MinLength: 2, Acronyms: true, Variants: true}
}

// filterRun applies a NameFilter to one dictionary.
type filterRun struct {
	NameFilter
	builder
	drop, keep map[string]bool // in normal form
	report     *FilterReport
}

// surfaceForm is a name to look for, from one concept.
type surfaceForm struct {
	name, key string // as written in the dictionary, and in normal form
	concept   int32
	index     int32 // among the kept names, in dictionary order
	rule      caseRule
}

// apply returns a builder with the names that it keeps, sorted. It treats the names of base as if d had no others.
func (filter NameFilter) apply(ctx context.Context, d, base *kb.Dictionary) (*builder, *FilterReport, error) {
	f := filterRun{NameFilter: filter, drop: normalSet(filter.Drop), keep: normalSet(filter.Keep), report: newFilterReport()}
	forms, err := f.surfaceForms(ctx, d, base)
	if err != nil {
		return nil, nil, err
	}
	err = parallel.Sort(ctx, forms, func(a, b surfaceForm) int { // much faster than a stable sort
		return cmp.Or(strings.Compare(a.key, b.key), cmp.Compare(a.index, b.index))
	})
	if err != nil {
		return nil, nil, err
	}
	for i, j := 0, 0; i < len(forms); i = j {
		for j = i; j < len(forms) && forms[j].key == forms[i].key; j++ {
			if err := parallel.Step(ctx, j, len(forms)); err != nil {
				return nil, nil, err
			}
		}
		f.merge(forms[i:j])
	}
	return &f.builder, f.report, nil
}

// surfaceForms returns the names to look for, in dictionary order.
func (f *filterRun) surfaceForms(ctx context.Context, d, base *kb.Dictionary) ([]surfaceForm, error) {
	kept := make([]surfaceForm, 0, d.CountNames()) // a slice that grows this large takes more than twice the memory
	var n normalize.Normalizer
	for i, concept := range d.All() {
		if err := parallel.Step(ctx, i, d.Len()); err != nil {
			return nil, err
		}
		f.concepts.Append(string(concept.ID))
		before, inBase := concept, []string(nil)
		if base != d {
			if b := base.Lookup(concept.ID); b != nil && len(b.Names()) < len(concept.Names()) {
				before, inBase = b, b.Names()
			}
		}
		for _, name := range concept.Names() {
			f.report.Names++
			n.Normalize(name)
			key := name
			if string(n.Normal()) != name {
				key = string(n.Normal())
			}
			of := concept
			if slices.Contains(inBase, name) {
				of = before
			}
			rule, reason := f.decide(name, key, of)
			if reason != "" {
				f.report.countDropped(reason, name)
				continue
			}
			kept = append(kept, surfaceForm{name, key, int32(i), int32(len(kept)), rule})
		}
	}
	return kept, nil
}

// decide returns the case rule of a name, or the reason to drop it.
func (f *filterRun) decide(name, key string, concept *kb.Concept) (caseRule, Reason) {
	rule := anyCase
	if f.Acronyms {
		rule = ruleOf(name, key, concept)
	}
	length := normalize.CountWordRunes(key)
	if first, size := utf8.DecodeRuneInString(key); size == len(key) && isKanji(first) {
		length = max(length, f.MinLength)
	}
	switch {
	case key == "":
		return 0, reasonNoWord
	case f.drop[key]:
		return 0, reasonListed
	case f.keep[key]:
		return anyCase, ""
	case f.Numbers && strings.IndexFunc(key, unicode.IsLetter) < 0:
		return 0, reasonNumber
	case length < f.MinLength:
		return 0, reasonTooShort
	case f.CommonWords && english.GeneralTerms[key]:
		return 0, reasonGeneral
	case f.CommonWords && english.CommonWords[key]:
		// Of two letters, IS and AT in capitals are still usually something else.
		if rule == exactCase && length > 2 || rule == capitals && length > 2 && abbreviates(key, concept) {
			return rule, ""
		}
		return 0, reasonCommonWord
	}
	return rule, ""
}

// merge combines forms with the same normal form, which may differ in case, into one name. Among forms written alike,
// one acronym makes all of them acronyms. Among forms that differ, one word makes the name a word. If different
// concepts write the name differently, a mention gets the concepts that write it the same way.
func (f *filterRun) merge(forms []surfaceForm) {
	concepts := make(map[string][]int32) // by cased form
	rules := make(map[string]caseRule)
	n := name{form: forms[0].key}
	for i := range forms {
		cased := normalize.Cased(forms[i].name)
		concepts[cased] = append(concepts[cased], forms[i].concept)
		rules[cased] = max(rules[cased], forms[i].rule)
		if !slices.Contains(n.written, forms[i].name) {
			n.written = append(n.written, forms[i].name)
		}
	}
	writings := slices.Sorted(maps.Keys(concepts))
	n.rule = slices.Min(slices.Collect(maps.Values(rules)))
	var all, asWords []int32
	differ := false
	for _, cased := range writings {
		slices.Sort(concepts[cased])
		concepts[cased] = slices.Compact(concepts[cased])
		differ = differ || !slices.Equal(concepts[cased], concepts[writings[0]])
		all = append(all, concepts[cased]...)
		if rules[cased] != exactCase || n.rule == exactCase {
			asWords = append(asWords, concepts[cased]...)
		}
	}
	slices.Sort(all)
	if all = slices.Compact(all); f.Ambiguous && len(all) > 1 && !f.keep[n.form] {
		for i := range forms {
			f.report.countDropped(reasonAmbiguous, forms[i].name)
		}
		return
	}
	slices.Sort(asWords)
	n.concepts = f.conceptsNumber(slices.Compact(asWords))
	if n.rule != exactCase && differ {
		n.rule = ownCase
	}
	if n.rule >= exactCase {
		for _, cased := range writings {
			n.cased = append(n.cased, casedForm{cased, f.conceptsNumber(concepts[cased])})
		}
	}
	f.report.countKept(n.form, n.rule, len(all), len(forms))
	f.names = append(f.names, n)
}

// normalSet returns the set of the normal forms of names.
func normalSet(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[normalize.Normal(name)] = true
	}
	return set
}

// english lists names that are useless or doubtful for tagging.
var english, names = &language.Rules.Tagging, &language.Rules.Names

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

// IsVerb reports whether the words before and after a word in small letters show that it is not a noun: "a line fits
// the points", "wire was wound around a magnet", "this would strain the back", "mutations lead to cancer". It looks
// only at words of closed classes, so it misses most verbs, as in "the pump burns more fuel".
func IsVerb(raw string, at text.Span) bool {
	word := at.Of(raw)
	if word != strings.ToLower(word) {
		return false
	}
	verbs := &language.Rules.Verbs
	before := strings.ToLower(normalize.LastWord(strings.TrimRightFunc(raw[:at.Start], unicode.IsSpace)))
	after := normalize.FirstWord(raw[at.End:])
	switch {
	case verbs.Before[before], after == verbs.To && verbs.WithTo[word]:
		return true
	case verbs.Be[before]:
		return verbs.Particle[after]
	case before == "" || before != verbs.To && verbs.BeforeNoun[before]:
		return false
	}
	return verbs.Determiner[after]
}
