package normalize

import (
	"slices"
	"strings"
)

// The tables of [CanonicalTokens]. They describe the language, not a dictionary: the
// lexical index learns from a dictionary which of its words are synonyms.

// WordSet returns the set of the words of a list, which are separated by white
// space. A member of several words has _ between them.
func WordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(list) {
		set[strings.ReplaceAll(word, "_", " ")] = true
	}
	return set
}

// functionWords hardly ever tell names apart ("cancer of the breast", "breast cancer").
var functionWords = WordSet(`a an and as at by due for from in of on or the to with`)

// wordPrefixes are written as separate words, with a hyphen or joined.
var wordPrefixes = WordSet(`
anti cardio co extra hyper hypo inter intra macro micro multi neuro non para
peri poly post pre pseudo re semi sub
`)

// IsWordPrefix reports whether a word in lower case is a prefix that may be written
// as a word of its own ("hyper", "non").
func IsWordPrefix(word string) bool { return wordPrefixes[word] }

// CutWordPrefix returns a word in lower case without its longest prefix (see
// [IsWordPrefix]) that leaves at least minRest bytes. It reports whether there is one.
func CutWordPrefix(word string, minRest int) (rest string, found bool) {
	for prefix := range wordPrefixes {
		r, ok := strings.CutPrefix(word, prefix)
		if ok && len(r) >= minRest && (!found || len(r) < len(rest)) {
			rest, found = r, true
		}
	}
	return rest, found
}

// countedWords are followed by a number.
var countedWords = WordSet(`class factor form grade group phase stage subtype type`)

// IsRomanNumeral reports whether a word in lower case is a Roman numeral from i to xii.
func IsRomanNumeral(word string) bool { return slices.Contains(romanNumerals, word) }

var (
	romanNumerals  = strings.Fields(`i ii iii iv v vi vii viii ix x xi xii`)
	arabicNumerals = strings.Fields(`1 2 3 4 5 6 7 8 9 10 11 12`)
)

// americanSpellings replaces British spellings other than the digraphs ae and oe. No
// two of them overlap. The last is for diarrhoea and dyspnoea, where a vowel follows.
var americanSpellings = strings.NewReplacer(britishAmerican...)

// britishAmerican holds the spellings of americanSpellings, in turn.
var britishAmerican = []string{
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
}

// mayBeBritish reports whether a word has three letters that every spelling of americanSpellings has
// some of: few words do, and the others need no replacing.
func mayBeBritish(word string) bool {
	for i := 0; i+3 <= len(word); i++ {
		switch word[i : i+3] {
		case "our", "tre", "bre", "sat", "lph", "oea":
			return true
		}
	}
	return false
}

// latinPlurals are the ends of words whose plural is that of Latin, and their singular.
var latinPlurals = []struct{ plural, singular string }{
	{"crises", "crisis"}, {"itides", "itis"}, // dermatitides
	{"thrombi", "thrombus"}, {"emboli", "embolus"}, {"calculi", "calculus"}, {"nevi", "nevus"},
	{"diverticula", "diverticulum"}, {"septa", "septum"},
	{"varices", "varix"}, {"cervices", "cervix"}, {"appendices", "appendix"}, {"phalanges", "phalanx"},
	{"lentigines", "lentigo"},
}

// plurals are plural suffixes with the singular suffix that replaces each. The first
// that fits applies. A suffix that maps to itself is not a plural (virus, arthritis,
// diabetes).
var plurals = []struct {
	suffix, singular string
	length           int // bytes of the shortest word it applies to
}{
	{"stases", "stasis", 8}, // metastases
	{"oses", "osis", 8},     // thromboses
	{"eses", "esis", 8},     // pareses
	{"yses", "ysis", 8},     // paralyses
	{"omata", "oma", 7},     // carcinomata
	{"sinuses", "sinus", 7}, {"viruses", "virus", 7}, {"fetuses", "fetus", 7},
	{"ies", "y", 5},   // anomalies
	{"sses", "ss", 5}, // abscesses
	{"xes", "x", 5},   // complexes
	{"shes", "sh", 5}, // rashes
	{"ches", "ch", 5}, // stomaches
	{"ss", "ss", 0},
	{"us", "us", 0},
	{"is", "is", 0},
	{"betes", "betes", 0},
	{"s", "", 4},
}

// pluralEndings are the last letters of the plurals.
const pluralEndings = "sai"

// greekLetters maps Greek letters, in the form of [Normal], to their English names.
var greekLetters = map[rune]string{
	'α': "alpha", 'β': "beta", 'γ': "gamma", 'δ': "delta", 'ε': "epsilon", 'ζ': "zeta",
	'η': "eta", 'θ': "theta", 'ι': "iota", 'κ': "kappa", 'λ': "lambda", 'μ': "mu",
	'ν': "nu", 'ξ': "xi", 'ο': "omicron", 'π': "pi", 'ρ': "rho", 'σ': "sigma",
	'τ': "tau", 'υ': "upsilon", 'φ': "phi", 'χ': "chi", 'ψ': "psi", 'ω': "omega",
}

// isGreekName holds the English names of Greek letters.
var isGreekName = func() map[string]bool {
	names := make(map[string]bool, len(greekLetters))
	for _, name := range greekLetters {
		names[name] = true
	}
	return names
}()

// oppositePairs are words that exclude each other.
var oppositePairs = [][2]string{
	{"left", "right"}, {"acute", "chronic"}, {"male", "female"}, {"upper", "lower"}, {"high", "low"},
	{"anterior", "posterior"}, {"benign", "malignant"}, {"dominant", "recessive"}, {"congenital", "acquired"},
	{"primary", "secondary"}, {"internal", "external"}, {"proximal", "distal"}, {"medial", "lateral"},
	{"dorsal", "ventral"}, {"superior", "inferior"}, {"juvenile", "adult"}, {"systolic", "diastolic"},
	{"bacterial", "viral"}, {"maternal", "paternal"}, {"central", "peripheral"}, {"unilateral", "bilateral"},
	{"early", "late"}, {"open", "closed"}, {"arterial", "venous"}, {"sensory", "motor"}, {"conductive",
		"sensorineural"},
	{"increased", "decreased"}, {"ischemic", "hemorrhagic"}, {"obstructive", "restrictive"}, {"small", "large"},
	{"atrial", "ventricular"}, {"mitral", "tricuspid"}, {"aortic", "pulmonary"}, {"cold", "warm"},
	{"gain", "loss"}, {"excess", "deficiency"}, {"deletion", "duplication"},
}

// opposites maps each word of oppositePairs, and its stem, to those that it excludes.
var opposites = func() map[string][]string {
	excluded := make(map[string][]string)
	for _, pair := range oppositePairs {
		for i, word := range pair {
			excluded[word] = append(excluded[word], pair[1-i])
			if stem, other := Stem(word), Stem(pair[1-i]); stem != word {
				excluded[stem] = append(excluded[stem], other)
			} else if other != pair[1-i] {
				excluded[word] = append(excluded[word], other)
			}
		}
	}
	return excluded
}()

// oppositeBeginnings are beginnings of words that exclude each other before the same rest.
var oppositeBeginnings = [][2]string{
	{"hypo", "hyper"}, {"macro", "micro"}, {"brady", "tachy"}, {"intra", "extra"}, {"pre", "post"}, {"endo", "exo"},
	{"hemi", "para"}, {"oligo", "poly"}, {"leuko", "erythro"},
}

// britishSpellings are American spellings and the British ones, the first that fits counts. They
// are those of names of diseases; [americanSpellings] and the digraphs are the other way.
var britishSpellings = []struct{ american, british string }{
	{"tumor", "tumour"}, {"edema", "oedema"}, {"rrhea", "rrhoea"}, {"pnea", "pnoea"}, {"esophag", "oesophag"},
	{"hemo", "haemo"}, {"hemat", "haemat"}, {"hemangi", "haemangi"}, {"ischem", "ischaem"}, {"emia", "aemia"}, {"emic",
		"aemic"},
	{"celiac", "coeliac"}, {"cecal", "caecal"}, {"fetal", "foetal"}, {"pediatric", "paediatric"}, {"anesthe",
		"anaesthe"},
	{"fiber", "fibre"}, {"color", "colour"}, {"behavior", "behaviour"}, {"sulf", "sulph"},
}

// prepositions come after the head of a name ("cancers of the breast").
var prepositions = WordSet(`by due from in of on with without`)

// invariable are words that have no plural or singular, or another meaning there.
var invariable = WordSet(`
	ascites caries diabetes facies herpes lues mumps pancreas rabies rickets scabies series shingles species tabes
`)

// lettersByName maps the English names of Greek letters to the letters. Names that are also
// words or syllables ("chi", "mu", "nu", "pi") are left out.
var lettersByName = map[string]rune{
	"alpha": 'α', "beta": 'β', "gamma": 'γ', "delta": 'δ', "epsilon": 'ε', "zeta": 'ζ',
	"theta": 'θ', "kappa": 'κ', "lambda": 'λ', "sigma": 'σ', "omega": 'ω',
}

// asciiLetters are the Latin letters that are written for Greek ones where there are none.
var asciiLetters = map[rune]string{'α': "a", 'β': "b", 'γ': "g", 'δ': "d", 'κ': "k"}

// diseaseNouns are nouns that names of diseases end in, in the singular, besides those with a medical
// ending.
var diseaseNouns = WordSet(`
abnormality abscess anomaly arrest atrophy attack bleeding block cancer convulsion cyst
damage deafness death defect deficiency deficit degeneration delay depression
diabetes disability disease disorder disturbance dysfunction edema epilepsy
failure fever fracture hallucination hypertension illness impairment infarction infection
injury insufficiency lesion loss malformation malignancy neoplasm obstruction
pain palsy retardation seizure stroke syndrome tumor ulcer vomiting weakness
`)

// IsDiseaseNoun reports whether a word in lower case is a general noun that names of diseases end in, in
// the singular: disease, failure, cancer.
func IsDiseaseNoun(word string) bool { return diseaseNouns[word] }
