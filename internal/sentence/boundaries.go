package sentence

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// boundaries returns the positions where a sentence may end, in order: the boundaries of UAX 29, those before words
// such as "mRNA" and after citation marks, and the end of the text.
func boundaries(text string) []int {
	var all []int
	end := 0
	for segments := sentences.FromString(text); segments.Next(); {
		end += len(segments.Value())
		all = append(all, end)
	}
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '.')
		if i < 0 {
			break
		}
		at += i + 1
		if next := startBehind(text[:at-1], text[at:]); next > 0 {
			all = append(all, at+next)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Patterns of sentence starts after a full stop where UAX 29 has no boundary.
var (
	// A word such as "mRNA", "p53", "iPSC", "shRNA" or "miR-21", but not "alpha2", or such as "β-catenin".
	mixedWord = regexp.MustCompile(`^ (?:[^\P{Ll}\p{Greek}][\p{L}\p{Nd}]{0,2}[\p{Lu}\p{Nd}]|[^\P{Ll}\P{Greek}]-)`)
	// Citation marks before a capital: "rare.[3] Cough", "group.11,12 Later".
	citation = regexp.MustCompile(`^(?:\[\d[\d,–\- ]*\] +\p{Lu}|(?:\d{1,3}[,–\- ]+)*\d{1,3}[,–\- ]* [A-Z][a-z])`)
)

// startBehind returns where one of these begins in after, the text after a full stop, or 0. before is the text before
// it.
func startBehind(before, after string) int {
	const longest, minLetters = 80, 3 // maximum bytes of citation marks, minimum letters of a word before superscripts
	word := lastWord(before)
	after = after[:min(len(after), longest)]
	switch {
	case after == "":
	case after[0] == ' ':
		if first, _ := utf8.DecodeRuneInString(after[1:]); unicode.IsLower(first) && mixedWord.MatchString(after) {
			return 1
		}
	case after[0] == '[' || '0' <= after[0] && after[0] <= '9' && utf8.RuneCountInString(word) >= minLetters && // superscripts
		word == strings.ToLower(word) && !lang.NeverLast[word] && !lang.SeldomLast[word] && !lang.BeforeNumber[word]:
		return strings.LastIndexByte(citation.FindString(after), ' ') + 1
	}
	return 0
}
