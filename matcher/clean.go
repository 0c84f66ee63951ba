package matcher

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"ctxnorm"
)

// Clean says which names of a dictionary are looked for in text, and how they
// have to be written there. The zero value looks for every name in any case;
// [DefaultClean] is meant for building a corpus.
type Clean struct {
	// CommonWords drops names that are common English words, and names so general
	// that they tell nothing of the concept; words.go lists both. A common word of
	// three letters or more stays if it is an acronym (ALL for leukaemia).
	CommonWords bool `json:"common_words"`

	// Numbers drops names without a letter.
	Numbers bool `json:"numbers"`

	// MinLength is the number of letters and digits that a name has at least.
	MinLength int `json:"min_length"`

	// Acronyms looks for acronyms in the case of the dictionary only, or in
	// capitals where the dictionary has lost its case, and for words in any case.
	Acronyms bool `json:"acronyms"`

	// Ambiguous drops names of several concepts, which otherwise are one name
	// that stands for all of them.
	Ambiguous bool `json:"ambiguous"`

	// Drop lists names to leave out. Keep lists names to look for in any case,
	// whatever the settings above say. Both take any spelling.
	Drop []string `json:"drop,omitempty"`
	Keep []string `json:"keep,omitempty"`
}

// DefaultClean drops common words, general terms, numbers and single letters, and
// looks for acronyms by their case. Of 847 k mentions of half of MEDIC's names in
// 194 million characters of abstracts it leaves 364 k.
func DefaultClean() Clean {
	return Clean{CommonWords: true, Numbers: true, MinLength: 2, Acronyms: true}
}

// cleaner is Clean at work on one dictionary.
type cleaner struct {
	Clean
	acronyms   acronyms
	drop, keep map[string]bool
	report     *CleanReport
}

// wording is a name that is looked for, as one concept has it.
type wording struct {
	name, key string // as it stands, and in normal form
	rule      caseRule
	concept   ctxnorm.ConceptID
	at        int // position among those of the dictionary
}

// apply makes the postings of the names that are left, in the order of names.
func (c Clean) apply(d *ctxnorm.Dictionary) ([]posting, *CleanReport) {
	w := cleaner{Clean: c, drop: normalSet(c.Drop), keep: normalSet(c.Keep), report: newCleanReport()}
	if c.Acronyms {
		w.acronyms = newAcronyms(d)
		w.report.CaseIsLost = w.acronyms.caseIsLost
	}
	wordings := w.wordings(d)
	slices.SortFunc(wordings, func(a, b wording) int { // much quicker than a stable sort
		return cmp.Or(strings.Compare(a.key, b.key), cmp.Compare(a.at, b.at))
	})
	postings := make([]posting, 0, len(wordings))
	for i, j := 0, 0; i < len(wordings); i = j {
		p := posting{name: wordings[i].key, rule: wordings[i].rule}
		for ; j < len(wordings) && wordings[j].key == p.name; j++ {
			w.join(&p, &wordings[j])
		}
		if c.Ambiguous && len(p.concepts) > 1 && !w.keep[p.name] {
			for k := i; k < j; k++ {
				w.report.drop(ReasonAmbiguous, wordings[k].name)
			}
			continue
		}
		w.report.keep(&p, j-i)
		postings = append(postings, p)
	}
	return postings, w.report
}

// wordings are the names to look for, in the order of the dictionary.
func (w *cleaner) wordings(d *ctxnorm.Dictionary) []wording {
	var kept []wording
	var p passage
	for i := range d.Len() {
		concept := d.At(i)
		for _, name := range concept.Names() {
			w.report.Names++
			p.read(name, &lowerCase)
			key := string(p.normal)
			rule, reason := w.judge(name, key, concept)
			if reason != "" {
				w.report.drop(reason, name)
				continue
			}
			kept = append(kept, wording{name, key, rule, concept.ID, len(kept)})
		}
	}
	return kept
}

// judge gives the rule by which a name is looked for, or the reason why not.
func (w *cleaner) judge(name, key string, concept *ctxnorm.Concept) (caseRule, Reason) {
	rule := anyCase
	if w.Acronyms {
		rule = w.acronyms.rule(name, key, concept)
	}
	length := countWord(key)
	switch {
	case key == "":
		return 0, ReasonNoWord
	case w.drop[key]:
		return 0, ReasonListed
	case w.keep[key]:
		return anyCase, ""
	case w.Numbers && strings.IndexFunc(key, unicode.IsLetter) < 0:
		return 0, ReasonNumber
	case length < w.MinLength:
		return 0, ReasonTooShort
	case w.CommonWords && generalTerms[key]:
		return 0, ReasonGeneral
	case w.CommonWords && commonWords[key]:
		// Of two letters, IS and AT in capitals are mostly something else still.
		if rule == exactCase && length > 2 || rule == capitals && length > 2 && abbreviates(key, concept) {
			return rule, ""
		}
		return 0, ReasonCommonWord
	}
	return rule, ""
}

// join adds a name that has the posting's normal form. Where names that differ in
// case are joined, one that is a word makes them all words; where the case is
// lost they differ in their concepts, and one that is an acronym makes them all
// acronyms.
func (w *cleaner) join(p *posting, with *wording) {
	if at, ok := slices.BinarySearch(p.concepts, with.concept); !ok {
		p.concepts = slices.Insert(p.concepts, at, with.concept)
	}
	if w.acronyms.caseIsLost {
		p.rule = max(p.rule, with.rule)
		return
	}
	p.rule = min(p.rule, with.rule)
	if p.rule != exactCase {
		p.forms = nil
		return
	}
	form := cased(with.name)
	if at, ok := slices.BinarySearch(p.forms, form); !ok {
		p.forms = slices.Insert(p.forms, at, form)
	}
}

func normalSet(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[Normal(name)] = true
	}
	return set
}
