package kbfile

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/kb"
)

var classification = &language.Rules.Classification

// An addition is what classifications add to names of a kind.
type addition struct {
	pattern *regexp.Regexp
	rest    string // what is left of it in the name
	cost    int    // the greater, the less the concept is what the bare name says
}

// additions are the additions to names, those that may stand around others last.
var additions = func() []addition {
	const before, behind = `(?:\s+|の|的)`, `[)\]）]?\s*(?P<end>$|[,;，・])`
	const separator = `(?:\s*[,;:，、・]\s*|\s*[(\[（]`
	anyOf := func(lists ...[]string) string { return "(?i:" + strings.Join(slices.Concat(lists...), "|") + ")" }
	c := classification
	words := separator + `|\s+(?:[-–—]\s*)?)` + anyOf(c.Unspecified)
	var marks []addition
	for _, mark := range c.Marks {
		marks = append(marks, addition{regexp.MustCompile(mark), "", 1})
	}
	return append(marks,
		addition{regexp.MustCompile(words + behind), "$end", 2},
		addition{regexp.MustCompile(`(?P<start>^|[\s(])` + anyOf(c.Unspecified) + before), "$start", 2},
		addition{regexp.MustCompile(separator + `|\s+)` + anyOf(c.Elsewhere) + behind), "$end", 3},
		addition{regexp.MustCompile(`^` + anyOf(c.Other) + before), "", 20},
		addition{regexp.MustCompile(separator + `)` + anyOf(c.Other) + behind), "$end", 20})
}()

// A short form behind a name, and a synonym in brackets, which also may be a short form: "Varicella [chickenpox]",
// "Human immunodeficiency virus [HIV] disease", but not "isocitrate dehydrogenase [NADP]".
var (
	shortForms = regexp.MustCompile(`(?:\s*[,;:]\s*|\s*[(\[]|\s+)(` + strings.Join(classification.ShortForms, "|") + `)[)\]]?$`)
	bracketed  = regexp.MustCompile(`\s\[(?:[\pL][\pL' ,-]*\p{Ll}{3,}[\pL' ,-]*|([A-Z]{2,6}))\]($|[\s,;])`)
)

// additionStarts are the beginnings of additions in words, as far as they are fixed, in lower case: each addition begins
// with one, of 2 to maxStart bytes.
var additionStarts = func() map[string]bool {
	starts, c := make(map[string]bool), classification
	for _, item := range slices.Concat(c.ShortForms, c.Unspecified, c.Elsewhere, c.Other) {
		first := []string{item}
		if strings.HasPrefix(item, "(") {
			first = strings.Split(item[1:strings.IndexByte(item, ')')], "|")
		}
		for _, start := range first {
			fixed, _ := regexp.MustCompile(strings.ToLower(start)).LiteralPrefix()
			starts[fixed[:min(len(fixed), maxStart)]] = true
		}
	}
	return starts
}()

const maxStart = 5

// mayHaveAddition reports whether bareName may find an addition in a name, much faster.
func mayHaveAddition(name string) bool {
	if strings.ContainsAny(name, "[]<†") || strings.HasSuffix(name, ")") {
		return true
	}
	lower := strings.ToLower(name)
	for i := range lower {
		isInWord := i > 0 && lower[i-1] >= 'a' && lower[i-1] <= 'z'
		for end := i + 2; !isInWord && end <= min(i+maxStart, len(lower)); end++ {
			if additionStarts[lower[i:end]] {
				return true
			}
		}
	}
	return false
}

// bareName returns a name of a concept without what classifications add to it, the semantic tag among that, and the cost
// of leaving it out: see addition. It is empty if nothing is left, or nothing was added.
func bareName(name string, of *kb.Concept) (bare, tag string, cost int) {
	bare = strings.TrimSpace(name)
	for before := ""; bare != before; {
		before = bare
		if untagged, found, ok := cutTag(bare); ok && slices.Contains(classification.Tags, found) {
			bare, tag, cost = untagged, found, cost+1
		}
		for _, a := range additions {
			if without := a.pattern.ReplaceAllString(bare, a.rest); without != bare {
				bare, cost = without, cost+a.cost
			}
		}
		if at := shortForms.FindStringSubmatchIndex(bare); at != nil {
			short := bare[at[2]:at[3]]
			if !slices.ContainsFunc(of.Names(), func(name string) bool { return isInitials(short, name) }) {
				bare, cost = bare[:at[0]], cost+2
			}
		}
		if at := bracketed.FindStringSubmatchIndex(bare); at != nil {
			if at[2] < 0 || isInitials(bare[at[2]:at[3]], bare[:at[0]]) {
				bare, cost = bare[:at[0]]+bare[at[4]:], cost+1
			}
		}
		bare = strings.Trim(bare, " ,;:-–—，、・")
	}
	words := strings.Fields(bare)
	for len(words) > 1 && language.Rules.Names.Prepositions[words[len(words)-1]] { // "of unspecified site"
		words = words[:len(words)-1]
	}
	if bare = strings.Join(words, " "); cost == 0 || !strings.ContainsFunc(bare, unicode.IsLetter) {
		return "", "", 0
	}
	return bare, tag, cost
}

// isInitials reports whether a name has words that begin with the letters of a short form, the last of which may also
// stand within a word: "NOS" of nitric oxide synthase, "NEC" of necrotizing enterocolitis.
func isInitials(short, name string) bool {
	letters := strings.Split(short, "")
	last := len(letters) - 1
	pattern := `(?i)\b` + strings.Join(letters[:last], `[a-z]*[ -]`) + `[a-z]*[ -]?[a-z]*?` + letters[last]
	return regexp.MustCompile(pattern).MatchString(name)
}

// addBareNames returns the dictionary in which concepts also have the bare forms of their names, see bareName, and the
// types that their semantic tags say. A bare name is of the concepts that it costs least, if they are few and no other
// concept has it as a name: asthma is not "other asthma" if there is "asthma, unspecified".
func (c *collector) addBareNames(d *kb.Dictionary) *kb.Dictionary {
	if c.report.Format == JSONL || c.report.Vocabulary == "LOINC" { // what [Write] wrote; brackets that tell tests apart
		return d
	}
	type claim struct {
		name string // as the dictionary has it
		cost int
		by   []kb.Concept // the concepts, each with the bare name
	}
	claims := make(map[string]*claim) // by bare names in lower case
	var added []kb.Concept
	for _, concept := range d.All() {
		for _, name := range concept.Names() {
			if !mayHaveAddition(name) {
				continue
			}
			bare, tag, cost := bareName(name, concept)
			if bare == "" {
				continue
			}
			if tag != "" {
				added = append(added, kb.Concept{ID: concept.ID, Types: []string{tag}})
			}
			known := claims[strings.ToLower(bare)]
			if known == nil || cost < known.cost {
				known = &claim{name: name, cost: cost}
				claims[strings.ToLower(bare)] = known
			}
			if cost == known.cost {
				known.by = append(known.by, kb.Concept{ID: concept.ID, Synonyms: []string{bare}})
			}
		}
	}
	if len(claims) == 0 {
		return d
	}
	for _, concept := range d.All() {
		for _, name := range concept.Names() {
			if known := claims[strings.ToLower(name)]; known != nil {
				known.by = slices.DeleteFunc(known.by, func(by kb.Concept) bool { return by.ID != concept.ID })
			}
		}
	}
	const few = 3
	example := ""
	for _, bare := range slices.Sorted(maps.Keys(claims)) {
		if known := claims[bare]; len(known.by) <= few {
			added = append(added, known.by...)
			example = cmp.Or(example, known.name)
		}
	}
	bare := new(kb.Builder).AddAll(d, nil).AddAll(kb.NewDictionary(added), nil).Dictionary()
	if added := bare.CountNames() - d.CountNames(); added > 0 {
		c.note("names read also without what classifications add to them: %d, such as %q", added, example)
	}
	return bare
}
