package matcher

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Spelling gives the words of a name as [Lexical] compares them: those of
// [Normal], of which every way of writing one word is written one way.
//
//	British      haemorrhage, tumour, oedema    hemorrhage, tumor, edema
//	plural       neoplasms, metastases          neoplasm, metastasis
//	possessive   Parkinson's, Parkinson 's      parkinson
//	Greek        β-thalassaemia, TNFα           beta thalassemia, tnfalpha
//	Roman        type II, stage IV              type 2, stage 4
//	prefix       non-polyposis, hyper kalaemia  nonpolyposis, hyperkalemia
//	function     cancer of the breast           cancer breast
//
// The form is for comparing and not for reading: the rules need not give a word
// of the language, as long as they bring variants together and keep different
// words apart. A name of function words alone keeps them.
func Spelling(name string) []string {
	words := strings.Fields(Normal(dropPossessive(name)))
	spelt := make([]string, 0, len(words))
	prefix := ""
	for i, word := range words {
		last := i == len(words)-1
		switch {
		case functionWords[word] && prefix == "":
			continue
		case wordPrefixes[word] && !last:
			prefix += word
			continue
		}
		if number, ok := romanNumber(words, i); ok {
			word = number
		} else {
			word = american(singular(latinLetters(word)))
		}
		spelt = append(spelt, prefix+word)
		prefix = ""
	}
	if len(spelt) == 0 {
		return words
	}
	return spelt
}

// dropPossessive takes 's off the words of a name, also where a tokeniser has
// cut it loose.
func dropPossessive(name string) string {
	var out strings.Builder
	rest := name
	for {
		i := strings.IndexFunc(rest, isApostrophe)
		if i < 0 {
			break
		}
		_, size := utf8.DecodeRuneInString(rest[i:])
		before := strings.TrimRight(rest[:i], " ")
		owner, _ := utf8.DecodeLastRuneInString(before)
		after, isS := strings.CutPrefix(rest[i+size:], "s")
		next, _ := utf8.DecodeRuneInString(after)
		if isS && unicode.IsLetter(owner) && (after == "" || !isWord(next)) {
			out.WriteString(before)
			rest = after
			continue
		}
		out.WriteString(rest[:i+size])
		rest = rest[i+size:]
	}
	return out.String() + rest
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == '´' || r == '`' }

// latinLetters writes the Greek letters of a word by their names, unless the
// word is Greek as a whole.
func latinLetters(word string) string {
	isGreek := func(r rune) bool { return unicode.Is(unicode.Greek, r) }
	switch greek := strings.IndexFunc(word, isGreek); {
	case greek < 0:
		return word
	case utf8.RuneCountInString(word) > 1 && strings.TrimFunc(word, isGreek) == "":
		return word
	}
	var out strings.Builder
	for _, r := range word {
		if name, ok := greekLetters[r]; ok {
			out.WriteString(name)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// american writes a word as in the United States. The digraphs æ and œ, which
// are ae and oe by now, become e before a consonant, in British and American
// words alike (so "aerobic" is "erobic" on both sides).
func american(word string) string {
	word = americanSpellings.Replace(word)
	if !strings.Contains(word, "ae") && !strings.Contains(word, "oe") {
		return word
	}
	const vowels = "aeiouy"
	out := make([]byte, 0, len(word))
	for i := 0; i < len(word); i++ {
		digraph := (word[i] == 'a' || word[i] == 'o') && i+2 < len(word) && word[i+1] == 'e'
		if digraph && word[i+2] < utf8.RuneSelf && !strings.ContainsRune(vowels, rune(word[i+2])) {
			continue
		}
		out = append(out, word[i])
	}
	return string(out)
}

// singular takes the plural off a word of English or Latin.
func singular(word string) string {
	if last := len(word) - 1; last < 0 || word[last] != 's' && word[last] != 'a' {
		return word // as most words: no plural ends so
	}
	for _, p := range plurals {
		stem, ok := strings.CutSuffix(word, p.suffix)
		if ok && len(word) >= p.length {
			return stem + p.singular
		}
	}
	return word
}

// romanNumber is the number that words[i] stands for. I, V and X are letters of
// their own as well, so they count only after a word such as "type", and I also
// at the end of a name.
func romanNumber(words []string, i int) (string, bool) {
	n := slices.Index(romanNumerals, words[i]) + 1
	if n == 0 {
		return "", false
	}
	if len(words[i]) == 1 {
		counted := i > 0 && countedWords[words[i-1]]
		if !counted && !(n == 1 && i > 0 && i == len(words)-1) {
			return "", false
		}
	}
	return arabicNumerals[n-1], true
}
