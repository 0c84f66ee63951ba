package normalize

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

// Readings returns the ways in which a word in normal form is read where names are looked for, in a dictionary of a
// language or nil. A name is kept by the first of each of its words, and a text may have any. They are what
// [CanonicalTokens] makes of the word, and what else it may be:
//
//	plural     neoplasms        neoplasm
//	           drugs            drugs, drug          a name in the plural is that of a class, if it is no disease
//	spelling   haemorrhage      hemorrhage
//	shortened  vs               versus
//	Greek      tnfα, tnfalpha   tnf alpha
//	joined     covid19          covid19, covid 19
//	           hayfever         hayfever, hay fever
//	unit       81mg             81 mg
//	sign       cd4+             cd4 positive
//	digraphs   herzschwaeche    herzschweche, see [DigraphForm]; in German herzschwache
//	ending     infecciones      infecciones, infeccione, infeccion in Spanish
func Readings(word string, of *language.Language) []string {
	if len(word) > maxReadWord {
		return []string{word}
	}
	parts := partsOf([]string{word})
	if word = parts[0]; len(parts) > 1 {
		for i, part := range parts {
			parts[i] = Readings(part, of)[0]
		}
		all := []string{strings.Join(parts, " ")}
		if letters, number := cutWord(word, word); letters != "" { // il1β
			parts[0] = letters + " " + number
			all = append(all, strings.Join(parts, " "))
		}
		return all
	}
	word = cmp.Or(lang.Shortened[word], word)
	if of != nil && of.Names.Digraphs != nil {
		word = withoutDigraphs(word, of.Names.Digraphs)
	}
	plain := latinLetter(word)
	all := append(make([]string, 0, 6), american(plain))
	canonical := all[0]
	if one := singular(plain); one != plain && !lang.Invariable[plain] && isLatin(plain) {
		canonical = american(one)
		if isDisease(canonical) {
			all[0] = canonical
		}
	}
	all = append(append(all, canonical), uninflected(plain, of)...)
	if stem, rest := cutWord(word, canonical); stem != "" {
		all = append(all, stem+" "+rest)
	}
	return compactForms(all)
}

// maxReadWord is the length in bytes of the longest word that is read in other ways.
const maxReadWord = 64

// compactForms returns forms without those that are there already, in the same memory.
func compactForms(forms []string) []string {
	distinct := forms[:0]
	for _, form := range forms {
		if !slices.Contains(distinct, form) {
			distinct = append(distinct, form)
		}
	}
	return distinct
}

// cutWord returns the letters and the number that a word is made of, whichever comes first, or the word before one for a
// disease. canonical is the word as [CanonicalWord] has it.
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

// Orders returns other orders in which texts have the words of a name, which are given as they are read.
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
	if of := slices.IndexFunc(words, isPreposition); 0 < of && of < last && IsComplement(words[of]) && !slices.ContainsFunc(words[of+1:], isPreposition) {
		orders = append(orders, slices.Concat(words[of+1:last], []string{CanonicalWord(words[last])}, words[:of]))
	}
	return orders
}

// Uninverted returns a name that an index inverts as a text writes it: "B-cell chronic leukemia" for "leukemia, chronic,
// B-cell". It is empty for other names.
func Uninverted(name string) string {
	const most = 4 // parts
	parts := strings.Split(name, ", ")
	if len(parts) == 1 || len(parts) > most || slices.Contains(parts, "") {
		return ""
	}
	slices.Reverse(parts)
	return strings.Join(parts, " ")
}

// IsComplement reports whether a word is the one before what is part of a name: of in "cancer of the breast".
func IsComplement(word string) bool { return word == lang.Complement }

// IsAttributive reports whether a word stands only before a noun, as aortic does: "stenosis of the aortic" is no
// "aortic stenosis".
func IsAttributive(word string) bool { return lang.Attributive.MatchString(word) }

// isDisease reports whether a singular in lower case and American spelling is a word for a disease.
func isDisease(word string) bool {
	return lang.DiseaseNouns[word] || hasMedicalEnding(word) || strings.HasSuffix(word, "sis") // metastasis, paresis
}

// BeforeNumber is the [LettersBefore] of a number, since "MI 2" is no MI2.
const BeforeNumber = 4

// LettersBefore returns the least number of letters of a word that may be a name with a word behind it where a space is
// between them, 0 for none: [BeforeNumber] before a number or 1c, three before a word for a disease.
func LettersBefore(word string) int {
	switch {
	case isDigit(word[0]) && len(strings.TrimLeft(word, digits)) <= 1:
		return BeforeNumber
	case lang.DiseaseNouns[CanonicalWord(word)]:
		return 3
	}
	return 0
}

// ReadBehind returns what a word behind another one is read as, if that is not what it is alone: the number of a Roman
// numeral, and the drug form behind a unit. maybeAlone says that it may also be a letter. An I is a number where it is
// the last word of a name.
func ReadBehind(before, word string, last bool) (form string, maybeAlone bool) {
	if n := slices.Index(romanNumerals, word); n >= 0 {
		if isCounted := len(word) > 1 || lang.CountedWords[before]; isCounted || word == "i" {
			return arabicNumerals[n], !isCounted && !last
		}
	}
	if lang.DrugForms[word] != "" {
		parts := partsOf([]string{before, word})
		return parts[len(parts)-1], false
	}
	return "", true
}

// DependsOnLast reports whether the word before may change what a word is read as, see [ReadBehind] and [SkipsArticle], or
// whether it is the s behind an apostrophe.
func DependsOnLast(word string) bool {
	return slices.Contains(romanNumerals, word) || lang.DrugForms[word] != "" || word == lang.Article || word == "s"
}

// SkipsArticle reports whether a word is the article behind a preposition, which tells no names apart.
func SkipsArticle(before, word string) bool { return word == lang.Article && lang.Prepositions[before] }

// GreekLetter returns the English name of the letter that a Latin one behind a hyphen may stand for: alpha of "TNF-a".
func GreekLetter(latin string) string { return asciiLetters[latin] }

// IsGreekLetter reports whether a word is the English name of a Greek letter.
func IsGreekLetter(word string) bool { return isGreekName[word] }

// maxJoined is the length in bytes of the longest form of [JoinedForm].
const maxJoined = 16

// JoinedForm returns a name in normal form without what separates its words, of names of 3 to 16 ASCII letters and digits,
// and "" of others. A space stays between two digits, since "IL-1 2" is not IL-12. A Greek letter behind the first word is
// the Latin one in its place.
//
//	il6      IL-6, IL6, Il 6
//	nfkb     NF-kappa B, NF-κB, NFkB
//	headlamp headlamp, head lamp
func JoinedForm(name string) string {
	normal := Normal(name)
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
	return string(joined)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
