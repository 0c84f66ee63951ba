package normalize

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

// Readings returns the ways to read a word in normal form when looking for names of a dictionary in a language, which
// may be nil. A name is stored by the first reading of each of its words; a text may have any of them. They replace the
// contents of dst, and are the forms from [CanonicalTokens], and alternatives:
//
//	plural     neoplasms        neoplasm
//	           drugs            drugs, drug          a plural is the name of a class, unless it is a disease
//	spelling   haemorrhage      hemorrhage
//	shortened  vs               versus
//	Greek      tnfα, tnfalpha   tnf alpha
//	joined     covid19          covid19, covid 19
//	           hayfever         hayfever, hay fever
//	unit       81mg             81 mg
//	sign       cd4+             cd4 positive
//	digraphs   herzschwaeche    herzschweche, see [DigraphForm]; in German herzschwache
//	ending     infecciones      infecciones, infeccione, infeccion in Spanish
func Readings(dst []string, word string, of *language.Language) []string {
	if len(word) > maxReadWord {
		return append(dst[:0], word)
	}
	parts := partsOf([]string{word})
	if word = parts[0]; len(parts) > 1 {
		for i, part := range parts {
			parts[i] = Readings(nil, part, of)[0]
		}
		dst = append(dst[:0], strings.Join(parts, " "))
		if letters, number := cutWord(word, word); letters != "" { // il1β
			parts[0] = letters + " " + number
			dst = append(dst, strings.Join(parts, " "))
		}
		return dst
	}
	word = cmp.Or(lang.Shortened[word], word)
	if of != nil && of.Names.Digraphs != nil {
		word = withoutDigraphs(word, of.Names.Digraphs)
	}
	plain := latinLetter(word)
	all := append(dst[:0], american(plain))
	canonical := all[0]
	if one := singular(plain); one != plain && !lang.Invariable[plain] && isLatin(plain) {
		canonical = american(one)
		if lang.DiseaseNouns[canonical] || HasMedicalEnding(canonical) || strings.HasSuffix(canonical, "sis") { // metastasis
			all[0] = canonical
		}
	}
	all = append(append(all, canonical), uninflected(plain, of)...)
	if stem, rest := cutWord(word, canonical); stem != "" {
		all = append(all, stem+" "+rest)
	}
	distinct := all[:0]
	for _, form := range all {
		if !slices.Contains(distinct, form) {
			distinct = append(distinct, form)
		}
	}
	return distinct
}

// maxReadWord is the maximum length in bytes of a word with alternative readings.
const maxReadWord = 64

// cutWord splits a word into letters and a number, in either order, or before a word for a disease. canonical is the
// word's [CanonicalWord].
func cutWord(word, canonical string) (first, second string) {
	const minFirst = 3 // letters
	if isLatin(word) {
		for at := minFirst; at+minFirst <= len(canonical); at++ {
			if lang.DiseaseNouns[canonical[at:]] {
				return canonical[:at], canonical[at:]
			}
		}
		return "", ""
	}
	if letters := strings.TrimRight(word, digits); isLatin(letters) && letters != "" {
		return letters, word[len(letters):]
	}
	if letters := strings.TrimLeft(word, digits); letters != "" && isLatin(strings.TrimRight(letters, digits)) { // 5ht, 5ht3
		return word[:len(word)-len(letters)], letters
	}
	return "", ""
}

// Orders returns other orders in which texts may have the words of a name, which are given as they are read.
//
//	diabetes mellitus type 2    type 2 diabetes mellitus, and conversely
//	cancer of breast            breast cancer
func Orders(words []string) (orders [][]string) {
	isType := func(at int) bool {
		const longest = 3 // bytes: 10a
		return lang.CountedWords[words[at]] && len(words[at+1]) <= longest && (len(words[at+1]) == 1 || hasDigit(words[at+1]))
	}
	const ofType = 2 // words
	if n := len(words); n > ofType {
		if isType(n - ofType) {
			orders = append(orders, slices.Concat(words[n-ofType:], words[:n-ofType]))
		}
		if isType(0) {
			orders = append(orders, slices.Concat(words[ofType:], words[:ofType]))
		}
	}
	isPreposition := func(word string) bool { return lang.Prepositions[word] }
	last := len(words) - 1
	if of := slices.IndexFunc(words, isPreposition); 0 < of && of < last && words[of] == lang.Complement && !slices.ContainsFunc(words[of+1:], isPreposition) {
		orders = append(orders, slices.Concat(words[of+1:last], []string{CanonicalWord(words[last])}, words[:of]))
	}
	return orders
}

// Uninverted returns an inverted index entry in the order of a text: "B-cell chronic leukemia" for "leukemia, chronic,
// B-cell". It returns "" for other names.
func Uninverted(name string) string {
	const most = 4 // parts
	parts := strings.Split(name, ", ")
	if len(parts) == 1 || len(parts) > most || slices.Contains(parts, "") {
		return ""
	}
	slices.Reverse(parts)
	return strings.Join(parts, " ")
}

// BeforeNumber is the result of [LettersBefore] for a number, since "MI 2" is not MI2.
const BeforeNumber = 4

// LettersBefore returns the minimum number of letters of a word that may form a name with the next word, given here with
// its [CanonicalWord], if there is a space between them: [BeforeNumber] before a number or 1c, three before a word for a
// disease, and 0 if no word may.
func LettersBefore(word, canonical string) int {
	switch {
	case isDigit(word[0]) && len(strings.TrimLeft(word, digits)) <= 1:
		return BeforeNumber
	case lang.DiseaseNouns[canonical]:
		return 3
	}
	return 0
}

// ReadBehind returns the reading of a word that depends on the word before it: the number of a Roman numeral, and the
// drug form after a unit. maybeAlone means that the word may also be a letter. An I is a number if it is the last word
// of a name.
func ReadBehind(before, word string, last bool) (form string, maybeAlone bool) {
	bare := strings.TrimRight(word, "abcd")
	part := word[len(bare):] // stage IIIA
	if n := slices.Index(romanNumerals, bare); n >= 0 && (part == "" || len(part) == 1 && before == lang.Stage) {
		if isCounted := len(word) > 1 || lang.CountedWords[before]; isCounted || word == "i" {
			return arabicNumerals[n] + part, !isCounted && !last
		}
	}
	if lang.DrugForms[word] != "" {
		parts := partsOf([]string{before, word})
		return parts[len(parts)-1], false
	}
	return "", true
}

// DependsOnLast reports whether the reading of a word may depend on the word before it, see [ReadBehind] and
// [SkipsArticle], or whether it may be the s after an apostrophe.
func DependsOnLast(word string) bool {
	return slices.Contains(romanNumerals, strings.TrimRight(word, "abcd")) || lang.DrugForms[word] != "" || word == lang.Article || word == "s"
}

// SkipsArticle reports whether a word is the article after a preposition, which does not distinguish names.
func SkipsArticle(before, word string) bool { return word == lang.Article && lang.Prepositions[before] }

// GreekLetter returns the English name of the letter that a Latin one after a hyphen may stand for: alpha for "TNF-a".
func GreekLetter(latin string) string { return asciiLetters[latin] }

// IsGreekLetter reports whether a word is the English name of a Greek letter.
func IsGreekLetter(word string) bool { return isGreekName[word] }

// maxJoined is the maximum length of a [JoinedForm] in bytes.
const maxJoined = 16

// JoinedForm returns a name in normal form without the separators between its words, in the order of a text and in the
// singular, if the name has 3 to 16 ASCII letters and digits, otherwise "". A space between two digits stays, since
// "IL-1 2" is not IL-12. A Greek letter after the first word becomes the Latin one in its place.
//
//	il6       IL-6, IL6, Il 6
//	nfkb      NF-kappa B, NF-κB, NFkB
//	headlight headlight, head lights, light, head
func JoinedForm(name string) string {
	normal := Normal(cmp.Or(Uninverted(name), name))
	if len(normal) < 3 || len(normal) > 2*maxJoined {
		return ""
	}
	joined := make([]byte, 0, maxJoined)
	for word := range strings.SplitSeq(normal, " ") {
		if n := len(joined); n > 0 && isDigit(joined[n-1]) && isDigit(word[0]) {
			joined = append(joined, ' ')
		} else if n > 0 && slices.Contains(lang.LetterNames, word) {
			word = word[:1]
		}
		for _, r := range word {
			if r < 0x80 {
				joined = append(joined, byte(r))
				continue
			}
			letter := lang.GreekLetters[r]
			if len(joined) == 0 || !slices.Contains(lang.LetterNames, letter) {
				return ""
			}
			joined = append(joined, letter[0])
		}
	}
	if len(joined) < 3 || len(joined) > maxJoined {
		return ""
	}
	return CanonicalWord(string(joined))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
