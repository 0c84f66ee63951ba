package normalize

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

// Variant is another way to write a name.
type Variant struct {
	Form string // in normal form, or with its case if the name has its case

	// Hyphen is the index of a token (see [Normalizer]) that must not follow white space, or 0: "TNF-a" may stand for
	// TNF-α, but "TNF a" hardly does.
	Hyphen int

	// Gap is the index of a token that must follow nothing but white space, hyphens and middle dots, or 0:
	// "インターフェロン、α" is not インターフェロンα.
	Gap int
}

// Variants returns other ways to write a name, which is in normal form, with its case or
// without:
//
//	number     liver cancers, cancers of the breast, metastases
//	spelling   tumour, haemorrhage, oedema
//	Greek      TNF-alpha, TNF-α, TNFα, TNF-a, ベータサラセミア, βサラセミア
//	possessive Alzheimer's disease, Alzheimers disease
//	joined     COVID19, type2 diabetes (see [JoinedVariants])
//	Japanese   アルツハイマ病, ウィルス性肝炎, II型糖尿病
//	canonical  type II diabetes, nonsmall cell, hyper-kalemia, graft vs host disease (see [CanonicalTokens]), hayfever
//
// It applies one rule at a time, but number and spelling together. The name itself is not among them. A variant
// need not be a word of the language, as long as it is no other one.
func Variants(name string) []Variant {
	words := strings.Split(name, " ")
	var all []Variant
	heads := headWords(words)
	for _, i := range heads {
		for _, form := range wordForms(words[i], len(words) > 1) {
			all = append(all, Variant{Form: replaceWord(words, i, form)})
		}
	}
	for i, word := range words[:len(words)-1] {
		if slices.Contains(heads, i) {
			continue
		}
		for _, form := range spellings(word) {
			all = append(all, Variant{Form: replaceWord(words, i, form)})
		}
	}
	all = append(all, possessiveVariants(words)...)
	all = append(all, canonicalVariants(words)...)
	all = append(all, longVowelVariants(name)...)
	all = append(all, spellingVariants(name)...)
	all = append(all, JoinedVariants(name, false)...)
	return append(all, GreekVariants(name)...)
}

// possessiveVariants returns the variants of a name in which an s of a person's name is joined to it or left out, as in
// "Alzheimers disease", or added: what stands before "disease" or "syndrome" may be the name of a person if it does not
// end as an adjective.
func possessiveVariants(words []string) []Variant {
	last := len(words) - 1
	join := func(owner int, s string, rest []string) Variant {
		changed := slices.Clone(words[:owner+1])
		changed[owner] += s
		return Variant{Form: strings.Join(append(changed, rest...), " ")}
	}
	for i := 1; i < last; i++ {
		if words[i] == "s" && len(words[i-1]) >= minOwner {
			return []Variant{join(i-1, "s", words[i+1:]), join(i-1, "", words[i+1:])}
		}
	}
	if last < 1 || !lang.Eponyms[words[last]] {
		return nil
	}
	owner := words[last-1]
	isAdjective := slices.ContainsFunc(lang.AdjectiveEnds, func(end string) bool {
		return strings.HasSuffix(owner, end)
	})
	isLatin := !strings.ContainsFunc(owner, func(r rune) bool { return r < 'a' || r > 'z' })
	if len(owner) < minOwner || isAdjective || !isLatin {
		return nil
	}
	return []Variant{join(last-1, "s", words[last:]), join(last-1, " s", words[last:])}
}

// canonicalVariants returns the variants of a name that [CanonicalTokens] equates with it by a word: in Arabic or Roman
// numerals, shortened, or with a prefix that is joined or apart. A word before one for a disease may be joined to it.
func canonicalVariants(words []string) (all []Variant) {
	const minRest, minFirst = 4, 3 // bytes
	add := func(i, n int, form string) {
		all = append(all, Variant{Form: strings.Join(slices.Concat(words[:i], []string{form}, words[i+n:]), " ")})
	}
	for i, word := range words {
		if number, ok := romanNumber(words, i); ok && i > 0 {
			add(i, 1, number)
		}
		if n := slices.Index(arabicNumerals, word); n >= 0 && i > 0 {
			roman := slices.Clone(words)
			roman[i] = romanNumerals[n]
			if _, ok := romanNumber(roman, i); ok {
				add(i, 1, roman[i])
			}
		}
		for short, long := range lang.Shortened {
			switch word {
			case short:
				add(i, 1, long)
			case long:
				add(i, 1, short)
			}
		}
		rest, ok := CutWordPrefix(word, minRest)
		switch first := len(word) - len(rest); {
		case ok && first >= minFirst && IsLetters(word):
			add(i, 1, word[:first]+" "+rest)
		case lang.WordPrefixes[word] && i+1 < len(words):
			add(i, 2, word+words[i+1])
		}
		if len(words) == 2 && i == 1 && lang.DiseaseNouns[word] && len(words[0]) >= minFirst && IsLetters(words[0]) {
			add(0, 2, words[0]+word)
		}
	}
	for noun := range lang.DiseaseNouns {
		if first, ok := strings.CutSuffix(words[0], noun); len(words) == 1 && ok && len(first) >= minFirst && IsLetters(first) {
			add(0, 1, first+" "+noun)
		}
	}
	return all
}

// minOwner is the number of letters of the shortest name of a person.
const minOwner = 4

// replaceWord returns words joined by spaces, with another word i.
func replaceWord(words []string, i int, word string) string {
	changed := slices.Clone(words)
	changed[i] = word
	return strings.Join(changed, " ")
}

// headWords returns the indexes of the words of a name that may be in the plural when the
// name is: the last, and the word before the first preposition.
func headWords(words []string) []int {
	last := len(words) - 1
	heads := []int{last}
	for i, word := range words {
		if i > 0 && i < last && lang.Prepositions[word] {
			heads = append(heads, i-1)
			break
		}
	}
	return heads
}

// wordForms returns the singular and plural of a word in lower case, and British and American spellings of both,
// without the word itself. It has none for short words, words with digits, and words that are not in Latin letters. A
// word of several may have three letters ("brake pads"). The singular of a plural counts only if it is a disease: a
// dictionary that has "drugs" and not "drug" means the class.
func wordForms(word string, ofSeveral bool) []string {
	minLength := 4
	if ofSeveral {
		minLength = 3
	}
	if len(word) < minLength || lang.Invariable[word] ||
		strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return nil
	}
	one := singular(word)
	if one != word && !isDisease(american(one)) {
		return spellings(word)
	}
	var forms []string
	for _, spelling := range append(spellings(one), one) {
		forms = append(forms, spelling, plural(spelling))
	}
	if one != word {
		forms = append(forms, spellings(word)...)
	}
	slices.Sort(forms)
	forms = slices.Compact(forms)
	return slices.DeleteFunc(forms, func(form string) bool { return form == word })
}

// isDisease reports whether a singular in lower case and American spelling is a word for a disease.
func isDisease(word string) bool {
	return lang.DiseaseNouns[word] || hasMedicalEnding(word) || strings.HasSuffix(word, "sis") // metastasis, paresis
}

// plural returns the plural of a singular word in lower case.
func plural(word string) string {
	for _, p := range lang.LatinPlurals {
		if stem, ok := strings.CutSuffix(word, p.Singular); ok {
			return stem + p.Plural
		}
	}
	return pluralBy(lang.Nouns, word)
}

// pluralBy returns the first other form of a noun by its ending, or the noun if it has none.
func pluralBy(endings []language.Inflection, noun string) string {
	if forms := inflect(noun, endings); len(forms) > 0 {
		return forms[0]
	}
	return noun
}

// inflect returns the other forms of a word, by the first of the endings that fits.
func inflect(word string, endings []language.Inflection) []string {
	for _, e := range endings {
		stem, ok := strings.CutSuffix(word, e.Ending)
		if !ok {
			continue
		}
		forms := make([]string, len(e.Others))
		for i, other := range e.Others {
			forms[i] = stem + other
		}
		return forms
	}
	return nil
}

// spellings returns the American spelling of a British word and the British spelling of an
// American one, without the word itself.
func spellings(word string) []string {
	var all []string
	us := american(word)
	if us != word {
		all = append(all, us)
	}
	for _, p := range lang.British {
		if strings.Contains(word, p[0]) && !strings.Contains(word, p[1]) {
			all = append(all, strings.Replace(word, p[0], p[1], 1))
			break
		}
	}
	return all
}

// GreekVariants returns the variants of a name whose Greek letters are spelled out, or in which
// the name of a letter is the letter. After another word, alpha, beta, gamma, delta and kappa
// may also be joined to it, and be the Latin letter after a hyphen, as annotation tools write
// them.
func GreekVariants(name string) []Variant {
	words := strings.Split(name, " ")
	all := japaneseGreekVariants(name)
	letters := 0
	for i, word := range words {
		stem, letter := cutGreek(word)
		if letter == 0 || stem == "" && len(words) == 1 {
			continue
		}
		if letters++; letters > maxGreekLetters {
			break
		}
		latin := lang.GreekLetters[letter]
		for _, written := range []string{string(letter), latin} {
			if form := stem + written; form != word {
				all = append(all, Variant{Form: replaceWord(words, i, form)})
			}
			switch {
			case stem != "": // TNFα
				v := Variant{Form: replaceWord(words, i, stem+" "+written)}
				if strings.ContainsFunc(stem, IsUnspacedScript) {
					v.Gap = tokensBefore(words, i, stem)
				}
				all = append(all, v)
			case i > 0: // TNF-α
				joined := slices.Delete(slices.Clone(words), i, i+1)
				joined[i-1] += written
				all = append(all, Variant{Form: strings.Join(joined, " ")})
			}
		}
		if ascii := asciiLetters[letter]; ascii != "" && (stem != "" || i > 0) {
			changed := slices.Clone(words)
			changed[i] = ascii
			if stem != "" {
				changed = slices.Insert(changed, i, stem)
			}
			all = append(all, Variant{Form: strings.Join(changed, " "), Hyphen: tokensBefore(words, i, stem)})
		}
	}
	return all
}

// tokensBefore returns the number of tokens of words[:i] and of a stem after them.
func tokensBefore(words []string, i int, stem string) int {
	return countTokens(strings.ToLower(strings.Join(words[:i], " ") + " " + stem))
}

// cutGreek returns the Greek letter that a word is or ends with, as the letter or by its English name,
// and what comes before it. It returns 0 where there is none. Of a word that goes on before its end, as
// "sialpha", only the letter itself counts.
func cutGreek(word string) (stem string, letter rune) {
	last, size := utf8.DecodeLastRuneInString(word)
	if lang.GreekLetters[last] != "" {
		stem = word[:len(word)-size]
		if strings.ContainsFunc(stem, func(r rune) bool { return unicode.Is(unicode.Greek, r) }) {
			return "", 0 // a Greek word
		}
		return stem, last
	}
	return "", lang.LettersByName[word]
}
