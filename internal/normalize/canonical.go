package normalize

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// CanonicalTokens returns the words of a name with a single spelling for each word. They are the words of [Normal],
// changed by these rules:
//
//	British      haemorrhage, tumour, oedema    hemorrhage, tumor, edema
//	plural       neoplasms, metastases          neoplasm, metastasis
//	possessive   Parkinson's, Parkinson 's      parkinson
//	Greek        β-thalassaemia, TNFα, TNFalpha  beta thalassemia, tnf alpha
//	Roman        type II, stage IV              type 2, stage 4
//	Japanese     ウィルス, Ⅱ型                    ウイルス, 2型
//	Chinese      高血壓                          高血压
//	prefix       non-polyposis, hyper kalaemia  nonpolyposis, hyperkalemia
//	shortened    graft vs. host disease         graft versus host disease
//	             migraine w/o aura              migraine without aura
//	function     cancer of the breast           cancer breast
//	sign         CD4+, CD4(-)                   cd4 positive, cd4 negative
//	unit         81mg, 2,5 mg tab               81 mg, 2.5 mg tablet
//
// The tokens are for comparison, not for display: a rule need not return a real word, as long as it unifies variants
// and keeps different words apart. A name of function words only keeps them.
func CanonicalTokens(name string) []string {
	tokens, words := readTokens(name, false)
	if len(tokens) == 0 {
		return words
	}
	return tokens
}

// TokenSetKey returns a key that is equal for names that differ only in spelling and word order, given their
// [CanonicalTokens]. It sorts the tokens.
func TokenSetKey(tokens []string) string {
	slices.Sort(tokens)
	return strings.Join(slices.Compact(tokens), " ")
}

// Likeness returns how similar the spellings of a name and a mention with the same words are: 4 if they are equal, 3 if
// they differ only in case, 2 if their normal forms are equal, 1 if their [CanonicalTokens] are in the same order, else
// 0.
func Likeness(name, mention string) int {
	switch {
	case name == mention:
		return 4
	case strings.EqualFold(name, mention):
		return 3
	case Normal(name) == Normal(mention):
		return 2
	case slices.Equal(CanonicalTokens(name), CanonicalTokens(mention)):
		return 1
	}
	return 0
}

// CanonicalWord returns the singular of a lower-case word in American spelling. It applies only the British and plural
// rules of [CanonicalTokens].
func CanonicalWord(word string) string { return american(singular(word)) }

// dropPossessive removes 's from the words of a name, even if a tokenizer has separated it.
func dropPossessive(name string) string {
	if isASCII(name) && strings.IndexByte(name, '\'') < 0 && strings.IndexByte(name, '`') < 0 { // the usual case
		return name
	}
	return possessive.ReplaceAllString(name, "$1$2")
}

var possessive = regexp.MustCompile("(\\pL) *['’‘´`′＇ʻʼʽ][sS]([^\\pL\\pN]|[ʻʼʽ]|$)")

// slashed matches the short forms of [language.Names.Shortened] with a slash. Elsewhere, a slash separates words.
var slashed = regexp.MustCompile(`(?i)(?:^|\s)(?:` + strings.Join(slices.DeleteFunc(slices.Sorted(maps.Keys(lang.Shortened)),
	func(short string) bool { return !strings.Contains(short, "/") }), "|") + `)(?:\s|$)`)

// writtenOut expands the short forms in a name that contain a slash.
func writtenOut(name string) string {
	if !strings.Contains(name, "/") {
		return name
	}
	return slashed.ReplaceAllStringFunc(name, func(short string) string {
		return " " + lang.Shortened[strings.ToLower(strings.TrimSpace(short))] + " "
	})
}

// isASCII reports whether all characters in s are ASCII.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// latinLetter returns the English name of a Greek letter, and any other word unchanged.
func latinLetter(word string) string {
	letter, size := utf8.DecodeRuneInString(word)
	if size < len(word) {
		return word
	}
	return cmp.Or(lang.GreekLetters[letter], word)
}

// american returns the American spelling of a word, by [language.Names.American]. The digraphs æ and œ, which are ae
// and oe in the normal form, become e before a consonant, in British and American words alike (so that "aerobic"
// becomes "erobic" on both sides).
func american(word string) string {
	word = americanSpelling.Replace(word)
	if !strings.Contains(word, "ae") && !strings.Contains(word, "oe") { // the usual case
		return word
	}
	return digraph.ReplaceAllString(word, "$1")
}

var (
	americanSpelling = strings.NewReplacer(lang.American...)
	digraph          = regexp.MustCompile(`[ao](e[^aeiouy[:^ascii:]])`)
)

// singular returns the singular of a lower-case English or Latin word by the tables of plurals.
func singular(word string) string {
	for _, p := range plurals {
		stem, ok := strings.CutSuffix(word, p.Plural)
		if ok && len(word) >= p.MinLength {
			return stem + p.Singular
		}
	}
	return word
}

var plurals = slices.Concat(lang.LatinPlurals, lang.Plurals)

// ContentWordsVersion is the version of [ContentWords], which models store. Raise it when the words change; a test
// detects that.
const ContentWordsVersion = 7

// ContentWords returns the distinct stems of a text's [CanonicalTokens], sorted. It skips function words unless the
// text has no others.
func ContentWords(text string) []string {
	stems, words := readTokens(text, true)
	if len(stems) == 0 {
		for _, word := range words {
			stems = append(stems, Stem(word))
		}
	}
	slices.Sort(stems)
	return slices.Compact(stems)
}

// CountContentWords counts the [ContentWords] of a text. The result is empty if the text has only function words.
func CountContentWords(text string) map[string]int {
	stems, _ := readTokens(text, true)
	counts := make(map[string]int)
	for _, stem := range stems {
		counts[stem]++
	}
	return counts
}

// canonicalForms holds the results of [CanonicalTokens] for a word of [Normal] that do not depend on its neighbors.
type canonicalForms struct {
	canonical          string // the word by the rules of [CanonicalTokens]
	stem               string // its [Stem]
	isFunction, isRoot bool   // isRoot is false for a prefix
	mayBeRoman         bool   // see [ReadBehind]
}

func canonicalFormsOf(word string) canonicalForms {
	canonical := CanonicalWord(latinLetter(usualSpelling(cmp.Or(lang.Shortened[word], word))))
	return canonicalForms{
		canonical: canonical, stem: Stem(canonical),
		isFunction: lang.FunctionWords[word], isRoot: !lang.WordPrefixes[word],
		mayBeRoman: slices.Contains(romanNumerals, strings.TrimRight(word, "abcd")),
	}
}

// wordReader reads texts word by word and caches the forms of words, because texts repeat a few thousand of them.
type wordReader map[string]canonicalForms

// rememberedForms is the number of words that a wordReader caches, each in about 200 bytes.
const rememberedForms = 1 << 14

var wordReaders = sync.Pool{New: func() any { return make(wordReader) }}

// forms returns the forms of a word.
func (r wordReader) forms(word string) canonicalForms {
	forms, known := r[word]
	if !known {
		if len(r) == rememberedForms {
			clear(r)
		}
		word = strings.Clone(word) // the original shares the memory of its text
		forms = canonicalFormsOf(word)
		r[word] = forms
	}
	return forms
}

// readTokens returns the canonical tokens of a name without function words, or their stems, and all words of its normal
// form.
func readTokens(name string, stems bool) (tokens, words []string) {
	r := wordReaders.Get().(wordReader)
	defer wordReaders.Put(r)
	words = partsOf(strings.Fields(Normal(decimalComma.ReplaceAllString(writtenOut(dropPossessive(name)), ".$1"))))
	tokens = make([]string, 0, len(words))
	var prefix []byte // of the next word; several in a row are joined in linear time
	for i, word := range words {
		forms := r.forms(word)
		switch {
		case forms.isFunction && len(prefix) == 0:
			continue
		case !forms.isRoot && i < len(words)-1:
			prefix = append(prefix, word...)
			continue
		}
		token := forms.canonical
		if forms.mayBeRoman {
			before := ""
			if i > 0 {
				before = words[i-1]
			}
			if number, maybeLetter := ReadBehind(before, word, i > 0 && i == len(words)-1); !maybeLetter {
				token = number
				forms.stem = Stem(number)
			}
		}
		switch {
		case len(prefix) > 0 && stems:
			token = Stem(string(prefix) + token)
		case len(prefix) > 0:
			token = string(prefix) + token
		case stems:
			token = forms.stem
		}
		tokens = append(tokens, token)
		prefix = prefix[:0]
	}
	return tokens, words
}
