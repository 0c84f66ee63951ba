package matcher

import "strings"

// The tables of [Spelling]. They are of the language and not of any dictionary:
// what one dictionary calls one thing is learnt, see [LearnTranslations].

// functionWords tell names apart hardly ever ("cancer of the breast", "breast cancer").
var functionWords = wordSet(`a an and as at by due for from in of on or the to with`)

// wordPrefixes are written apart, with a hyphen or joined.
var wordPrefixes = wordSet(`
anti cardio co extra hyper hypo inter intra macro micro multi neuro non para
peri poly post pre pseudo re semi sub
`)

// countedWords stand before a number.
var countedWords = wordSet(`class factor form grade group phase stage subtype type`)

var (
	romanNumerals  = strings.Fields(`i ii iii iv v vi vii viii ix x xi xii`)
	arabicNumerals = strings.Fields(`1 2 3 4 5 6 7 8 9 10 11 12`)
)

// americanSpellings replace British ones beside the digraphs ae and oe. None of these
// overlaps another; the last is of diarrhoea and dyspnoea, where a vowel follows.
var americanSpellings = strings.NewReplacer(
	"behaviour", "behavior",
	"centre", "center",
	"colour", "color",
	"fibre", "fiber",
	"isation", "ization",
	"labour", "labor",
	"odour", "odor",
	"sulph", "sulf",
	"tumour", "tumor",
	"oea", "ea",
)

// plurals are endings with what stands for them in the singular, in words of at
// least so many bytes; the first that fits counts. An ending with itself is no
// plural (virus, arthritis, diabetes).
var plurals = []struct {
	suffix, singular string
	length           int
}{
	{"stases", "stasis", 8}, // metastases
	{"oses", "osis", 8},     // thromboses
	{"eses", "esis", 8},     // pareses
	{"yses", "ysis", 8},     // paralyses
	{"omata", "oma", 7},     // carcinomata
	{"ies", "y", 5},         // anomalies
	{"sses", "ss", 5},       // abscesses
	{"xes", "x", 5},         // complexes
	{"shes", "sh", 5},       // rashes
	{"ches", "ch", 5},       // stomaches
	{"ss", "ss", 0},
	{"us", "us", 0},
	{"is", "is", 0},
	{"betes", "betes", 0},
	{"s", "", 4},
}

// greekLetters have the names that they are written by in English, in the form
// of [Normal].
var greekLetters = map[rune]string{
	'α': "alpha", 'β': "beta", 'γ': "gamma", 'δ': "delta", 'ε': "epsilon", 'ζ': "zeta",
	'η': "eta", 'θ': "theta", 'ι': "iota", 'κ': "kappa", 'λ': "lambda", 'μ': "mu",
	'ν': "nu", 'ξ': "xi", 'ο': "omicron", 'π': "pi", 'ρ': "rho", 'σ': "sigma",
	'τ': "tau", 'υ': "upsilon", 'φ': "phi", 'χ': "chi", 'ψ': "psi", 'ω': "omega",
}
