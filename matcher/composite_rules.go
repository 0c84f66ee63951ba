package matcher

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A rule of [SplitComposite] takes the members of a list, two or more and none
// empty, and gives the words of each part, or nil where it does not apply.

// splitPrefixes fills up prefixes that end in a hyphen: "hypo- and hyperthyroidism".
func splitPrefixes(list [][]string) [][]string {
	last := list[len(list)-1]
	stem := ""
	for prefix := range wordPrefixes {
		if rest, ok := strings.CutPrefix(strings.ToLower(last[0]), prefix); ok && len(rest) > 3 && (stem == "" || len(rest) < len(stem)) {
			stem = rest // after the longest prefix
		}
	}
	if stem == "" {
		return nil
	}
	parts := slices.Clone(list)
	for i, member := range list[:len(list)-1] {
		prefix, ok := strings.CutSuffix(member[len(member)-1], "-")
		if !ok || !wordPrefixes[strings.ToLower(prefix)] {
			return nil
		}
		whole := append(slices.Clone(member[:len(member)-1]), prefix+stem)
		parts[i] = append(whole, last[1:]...)
	}
	return parts
}

// splitDesignators fills up numbers and letters: "hepatitis B and C infection",
// "C6 or C7 deficiency", "types 1 and 2".
func splitDesignators(list [][]string) [][]string {
	first, last := list[0], list[len(list)-1]
	head := first[:len(first)-1]
	tail := last[1:]
	for i, member := range list {
		designator := member[0]
		switch {
		case i == 0:
			designator = member[len(member)-1]
		case i < len(list)-1 && len(member) > 1:
			return nil
		}
		if !isListDesignator(designator) {
			return nil
		}
	}
	if len(head) == 0 && len(tail) == 0 {
		return nil // "B and C"
	}
	parts := make([][]string, len(list))
	for i, member := range list {
		designator := member[0]
		if i == 0 {
			designator = member[len(member)-1]
		}
		parts[i] = append(append(slices.Clone(head), designator), tail...)
	}
	return parts
}

// isListDesignator reports whether a word is a single character, a Roman
// number, or a few letters and digits: B, 2, IV, C7, 1a.
func isListDesignator(word string) bool {
	if utf8.RuneCountInString(word) == 1 || slices.Contains(romanNumerals, strings.ToLower(word)) {
		return true
	}
	const longest = 4 // C10a
	return len(word) <= longest && strings.ContainsAny(word, "0123456789")
}

// splitRepeated knows members that begin alike: "type 1 and type 2 diabetes".
func splitRepeated(list [][]string) [][]string {
	last := list[len(list)-1]
	n := len(list[0])
	if n < 2 || len(last) < n {
		return nil
	}
	for _, member := range list {
		if !strings.EqualFold(member[0], last[0]) || len(member) < n {
			return nil
		}
	}
	parts := make([][]string, len(list))
	for i, member := range list[:len(list)-1] {
		parts[i] = append(slices.Clone(member), last[n:]...)
	}
	parts[len(list)-1] = last
	return parts
}

// splitComplements shares what stands before a preposition: "cancers of the
// breast and ovary".
func splitComplements(list [][]string) [][]string {
	first := list[0]
	at := slices.IndexFunc(first, func(word string) bool { return strings.EqualFold(word, "of") })
	if at <= 0 || at == len(first)-1 {
		return nil
	}
	shared := first[:at+1]
	if strings.EqualFold(first[at+1], "the") {
		shared = first[:at+2]
	}
	parts := make([][]string, len(list))
	for i, member := range list {
		switch {
		case i == 0 || slices.ContainsFunc(member, func(word string) bool { return strings.EqualFold(word, "of") }):
			parts[i] = member
		case strings.EqualFold(member[0], "the"):
			parts[i] = append(slices.Clone(first[:at+1]), member...)
		default:
			parts[i] = append(slices.Clone(shared), member...)
		}
	}
	return parts
}

// splitWhole takes members that stand for themselves: each ends in the head of a
// name, or the last is a single word and leaves nothing to share.
func splitWhole(list [][]string) [][]string {
	if len(list[len(list)-1]) == 1 {
		return list
	}
	for _, member := range list {
		if !isHead(member[len(member)-1]) {
			return nil
		}
	}
	return list
}

// splitModifiers shares what stands behind the last modifier: "breast, colon and
// ovarian cancer".
func splitModifiers(list [][]string) [][]string {
	last := list[len(list)-1]
	head := last[1:]
	parts := make([][]string, len(list))
	for i, member := range list {
		parts[i] = member
		if i < len(list)-1 && !isHead(member[len(member)-1]) {
			parts[i] = append(slices.Clone(member), head...)
		}
	}
	return parts
}

// isHead reports whether a word can be the last of a disease's name: one of a
// few general nouns, or a word with an ending that means a disease.
func isHead(word string) bool {
	word = american(singular(strings.ToLower(word)))
	if headNouns[word] {
		return true
	}
	return slices.ContainsFunc(headSuffixes, func(suffix string) bool {
		return len(word) > len(suffix)+1 && strings.HasSuffix(word, suffix)
	})
}

// headNouns are what names of diseases end in, in the singular.
var headNouns = wordSet(`
abnormality abscess anomaly arrest atrophy attack bleeding block cancer cyst
damage deafness death defect deficiency deficit degeneration delay depression
diabetes disability disease disorder disturbance dysfunction edema epilepsy
failure fever fracture hypertension illness impairment infarction infection
injury insufficiency lesion loss malformation malignancy neoplasm obstruction
pain palsy retardation seizure stroke syndrome tumor ulcer vomiting weakness
`)

// headSuffixes are endings of words that mean a disease by themselves.
var headSuffixes = strings.Fields(`ia iasis itis oma opathy osis rrhage rrhea`)
