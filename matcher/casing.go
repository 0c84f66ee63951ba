package matcher

import (
	"slices"
	"unicode"

	"ctxnorm"
)

// caseRule says how a name has to be written where it is tagged. Words are found
// in any case; an acronym in any case is mostly something else ("aids", "All").
type caseRule uint8

const (
	anyCase   caseRule = iota
	capitals           // every letter is a capital
	exactCase          // as in the dictionary, see posting.forms
)

// A posting is one name that the tagger knows, with what it means.
type posting struct {
	name     string              // in normal form
	concepts []ctxnorm.ConceptID // that have this name, sorted
	rule     caseRule
	forms    []string // for exactCase: the name's normal forms but for case, sorted
}

// allows reports whether the name may be tagged where it is written as surface.
func (p *posting) allows(surface string) bool {
	switch p.rule {
	case capitals:
		return allCapitals(surface)
	case exactCase:
		return slices.Contains(p.forms, cased(surface))
	}
	return true
}

// cased is the normal form of a text but for its case.
func cased(text string) string {
	var p passage
	p.read(text, &keepCase)
	return string(p.normal)
}

func allCapitals(text string) bool {
	any := false
	for _, r := range text {
		if unicode.IsLower(r) {
			return false
		}
		any = any || unicode.IsUpper(r)
	}
	return any
}
