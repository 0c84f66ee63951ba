// Package language provides the language-specific data for the rules of other packages: words, endings and phrases.
//
// A language is a file (english.txt) and an entry in [Languages]. The keys in the file are the fields of [Language],
// which document their words. A rule has no effect in a language that lacks its words. Rules for texts use [Rules],
// which combines all languages, because the language of a text is not known.
package language

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Language holds the data of one language. Rules ignore an empty part.
type Language struct {
	Name          string
	Names         Names         // for normalize and lexical
	Tagging       Tagging       // for matcher
	Sentences     Sentences     // for sentence
	Abbreviations Abbreviations // for abbrev
	Synonyms      Synonyms      // for mine
	Recognition   Recognition   // for recognize
	Verbs         Verbs         // for link
	Causes        Causes        // for lexical and link
	Assertion     Assertion     // for assertion
	Unspaced      Unspaced      // for matcher, abbrev and lexical, if words are not separated

	Classification Classification // for normalize

	Placeholders map[string]bool // in normal form, used in tables and forms in place of a mention
	Frequent     map[string]bool // words in most texts, including notes, and in few texts of other languages
	Senses       string          // of words with a medical sense and others, in the format of package sense
	// Topics of medical texts, in a few words each, for an encoder, and topics of other texts, in which the name of a
	// disease is a figure of speech or a different word: the paralysis of a parliament, the infection of a laptop.
	MedicalFields, OtherFields []string
}

// Names is for comparing names word by word. Words are in lower case and American spelling.
type Names struct {
	FunctionWords   map[string]bool     // hardly ever distinguish names: "cancer of the breast", "breast cancer"
	Prepositions    map[string]bool     // come after the head of a name: "cancers of the breast"
	Complement      string              // the preposition before what a list completes: "cancers of the breast and ovary"
	Attributive     *regexp.Regexp      // a word that only precedes a noun: not "stenosis of the aortic"
	Article         string              // may follow Complement
	Conjunctions    map[string]bool     // join the members of a list
	Suspending      map[string]bool     // follow a word whose hyphen replaces the end of another: "hypo- and hyperkalemia"
	Signed          map[string]bool     // short words after which a hyphen is a minus: "Gram- bacteria"
	WordPrefixes    map[string]bool     // are written as separate words, with a hyphen or joined
	Shortened       map[string]string   // short forms and their long forms; those with a slash keep it: w/o
	CountedWords    map[string]bool     // are followed by a number: "type 2"
	Genus, Epithet  *regexp.Regexp      // words of the name of a species: Escherichia, coli
	Invariable      map[string]bool     // have no plural or singular, or one with another meaning
	DiseaseNouns    map[string]bool     // end names of diseases, besides words with a medical ending; in the singular
	DiseaseSuffixes []string            // of words that mean a disease by themselves
	Harm            map[string][]string // nouns for harm to a body part, and the words that names have instead

	LatinPlurals     []Plural     // endings of words with a Latin plural, and their singular
	Plurals          []Plural     // others; the first that fits applies, and one that maps to itself is not a plural: virus
	Nouns            []Inflection // endings of nouns; the first that fits applies: one without others stays unchanged
	AdjectivesBefore []Inflection // of adjectives before the noun; if empty, adjectives follow it and have its endings
	American         []string     // spellings, each followed by the American one; they do not overlap

	Derivations         []Derivation      // endings that vary in words of Greek and Latin origin, longest first
	Adjectives          []Inflection      // their endings, with those of nouns that they are derived from, likely ones first
	IrregularAdjectives map[string]string // and nouns with another stem
	MedicalEndings      []string          // of Greek and Latin terms of medicine
	CombiningBeginnings map[string]string // body parts without their connecting o, and the plain words for them
	CombiningEndings    map[string]string // follow them; no ending ends with another, and no beginning begins with one

	Opposites          [][2]string     // exclude each other
	OppositeBeginnings [][2]string     // exclude each other before the same rest
	Negations          []string        // beginnings of words that negate the rest: "asymptomatic"
	Elsewhere          map[string]bool // beginnings that refer to another place, time or thing: "supraventricular"
	CauseWords         map[string]bool // introduce the cause of what precedes them: "due to"
	About              map[string]bool // turn the name of a thing into something about it: "history of stroke"
	DiseaseEndings     map[string]bool // make a disease of the word for a substance or a part: prolactinoma
	Ordinals           map[string]bool
	Signs              map[string]string // of a word, in normal form, with the words for them
	Units              map[string]bool   // after a number: "81mg"
	DrugForms          map[string]string // short words after a unit, and units, with their long forms: "81 mg tab"
	Without            map[string]bool   // precede something that is lacking: "migraine without aura"
	Stage              string            // precedes a Roman numeral with a letter: "stage IIIA"

	Marks    map[string]bool // words in many names of the language and few of others
	MarkEnds []string        // endings of such words

	Endings      string          // of words; each character is a separate word: the particles of Korean
	Digraphs     [][2]string     // lower-case letters, with the two letters written instead: "ö" and "oe"
	GreekLetters map[rune]string // their names
	LetterNames  []string        // those names that are neither words nor syllables, unlike "chi" and "mu"
}

// Plural is a plural suffix and its singular, for words of at least MinLength bytes.
type Plural struct {
	Plural, Singular string
	MinLength        int
}

// Inflection is an ending, with those that replace it in other forms of the word.
type Inflection struct {
	Ending string
	Others []string
}

// Derivation is an ending, and the part of it that the stem keeps.
type Derivation struct{ Ending, Stem string }

// Causes describes how texts and names express the cause of a disease. Words are in lower case.
type Causes struct {
	Induced, By  string          // "levodopa-induced dyskinesia", "dyskinesia induced by levodopa"
	OfSubstances [][]string      // words that names add to those of a disease if a substance causes it
	Not          map[string]bool // negate the effect between a disease and "induced by"
	OtherCauses  map[string]bool // induce diseases but are not substances
}

// Tagging selects the names that a tagger looks for. Names are in normal form.
type Tagging struct {
	CommonWords       map[string]bool // carry no meaning of their own
	GeneralTerms      map[string]bool // do not identify a concept
	OrdinaryWords     map[string]bool // names, or words of names, that often mean something else: strain, lead, block
	ShortDiseaseNames map[string]bool // of three letters that are words; any other such name counts as an acronym
	LinkingWords      map[string]bool // may be skipped in initials, together; s is the rest of a possessive
	Articles          []string        // may precede a name
	Past              map[string]bool // two words before a name that still means itself: "status post stroke"
	OtherBehind       map[string]bool // change the meaning of a name they are joined to by a hyphen: "pain-free"
}

// Classification holds text that classifications add to names, and that no text contains. Except in Tags and Marks,
// each word may be the beginning of a regular expression, and starts with letters or with several words in brackets.
type Classification struct {
	Tags        []string // in brackets after a name of SNOMED CT
	Marks       []string // regular expressions for additions of a source after a name, or before it: "[X]Asthma"
	ShortForms  []string // of the phrases below, after a name; case-sensitive
	Unspecified []string // "asthma, unspecified" and "unspecified asthma" are asthma
	Elsewhere   []string // after a name, which then probably means less: "uncomplicated"
	Other       []string // "other asthma" is the least likely meaning of asthma
}

// Sentences determines where a sentence ends. Words are without their final period, and case matters unless a field
// says otherwise: "Dr." is a title and "DR" is diabetic retinopathy.
type Sentences struct {
	NeverLast    map[string]bool // never end a sentence
	SeldomLast   map[string]bool // end one only if the next word starts one: "et al." and the ranks below species
	BeforeNumber map[string]bool // never end a sentence before a number
	BeforeLetter map[string]bool // in lower case: a single letter after them belongs to them: "hepatitis B. Patients were"
	BeforeMarker map[string]bool // in lower case: a number or letter after them does not begin an item
	Conjunctions map[string]bool // join single letters: "vitamins A and C"
	Openers      map[string]bool // rarely capitalized inside a sentence
}

// Abbreviations identifies the words that define a short form. Words are in lower case.
type Abbreviations struct {
	FunctionWords   map[string]bool // never begin a long form; "in" may: "in vitro fertilization"
	LinkingWords    map[string]bool // may occur in a long form without a letter in the short form
	Numbers         map[string]rune // digits for words and Roman numerals: two of "2D"
	ClauseVerbs     map[string]bool // never occur in a long form
	NotShort        map[string]bool // occur in brackets but are not short forms; case-sensitive
	Introductions   map[string]bool // precede a short form in a bracket
	Remarks         []string        // follow it: "LVH for short"
	Conjunction     string          // joins two short forms in a bracket: "(HSV-1 and HSV-2)"
	Respectively    string          // follows them if each has its own long form
	Statements      []Statement     // phrases that define a short form without a bracket
	BeforeStatement []string        // words before such a phrase, in reverse order: "TGA is an abbreviation of"
	Articles        []string        // may precede the long form of a statement
	Define          string          // the beginning of the forms of "define", see [Statement]
}

// Statement is a phrase between a short form and its long form.
type Statement struct {
	Phrase     string
	ShortFirst bool // the short form precedes the phrase; otherwise the long form does
	LongFirst  bool // the long form may precede the phrase
	Initials   bool // the phrase has other meanings, too: the initials must equal the short form
	Enclosed   bool // the phrase also follows the short form
	Defined    bool // a form of "define" precedes the short form, because the phrase is too common
	Listed     bool // the short form begins an item of a list
}

// Synonyms detects where a text gives a concept another name. Words are in lower case, and singular if they end a
// phrase.
type Synonyms struct {
	FunctionWords map[string]bool // end a phrase, except those that names contain: tetralogy of Fallot
	Determiners   map[string]bool // may precede a name and do not belong to it
	Copulas       map[string]bool // may join a name and a cue: "gout is also called …"
	Prepositions  map[string]bool // join the words before them to the phrase after them
	Conjunctions  map[string]bool // join a name to the words before it: "nausea and vomiting (NV)"
	Openers       map[string]bool // precede a phrase and belong to the words before it
	Continuers    map[string]bool // precede the end of a longer phrase, or words outside noun phrases ("had found many clumps")
	KindNouns     map[string]bool // precede "of" and a broader term: "a form of cancer, also known as …"
	AspectNouns   map[string]bool // precede "of" and a term, and mean an aspect of the term: "risk of gout"
	VagueWords    map[string]bool // end a phrase that refers to something without naming it
	FigureWords   map[string]bool // occur in bracketed figures
	GeneralWords  map[string]bool // do not distinguish diseases better than the word "disease"
	Of, And       string          // after these nouns, and between two phrases
	Non           string          // begins the opposite of a name: "non-acquired immunodeficiency"

	// A cue signals that two names mean the same. It consists of one or two adverbs and a verb ("also known as", "now
	// commonly called"), of a standalone word ("synonym"), or, in brackets, of a standalone adverb ("(formerly …").
	SameAdverbs, FormerAdverbs        map[string]bool
	DegreeAdverbs                     map[string]bool // modify another adverb
	StandaloneAdverbs, StandaloneCues map[string]bool
	CueVerbs                          map[string][]string // and the words that follow each
}

// Recognition determines where a mention that is not a name begins and ends. Words are in lower case.
type Recognition struct {
	Prepositions map[string]bool // end the head of a name: "deficiency of alpha-1 antitrypsin"
	StopWords    map[string]bool // never occur in a name or begin one
	Conjunctions map[string]bool // join names that share their head
	TypesBefore  map[string]bool // precede a name together with a number: "type 2 diabetes"
	TypesBehind  map[string]bool // and follow one: "diabetes type 2"
	Number       *regexp.Regexp  // of a type, as written
	Tail         *regexp.Regexp  // a word after the head of a name: "diabetes mellitus type 2"
	Participle   *regexp.Regexp  // describes what happened to somebody, and names nothing: "infected", "malignant"
	Lacking      string          // forms a mention of something lacking: "G6PD-deficient"
	Relation     string          // follows a word that relates to another: "loss of p53"
}

// Verbs holds words of closed classes that occur around a verb or a noun, in lower case.
type Verbs struct {
	Before     map[string]bool // pronouns and auxiliaries before a verb
	Be         map[string]bool // forms of "be"
	Particle   map[string]bool // after a verb
	To         string          // before a verb, or before a noun
	Determiner map[string]bool // begins an object: a line "fits the" points; so does an object pronoun
	BeforeNoun map[string]bool
	WithTo     map[string]bool // nearly always verbs before "to": lead
}

// Unspaced is for a language that does not separate words.
type Unspaced struct {
	Conjunctions   []string          // join the members of a list; longer ones come before their prefixes
	Particles      string            // those conjunctions that are also syllables of words in Hiragana
	ModifierEnds   string            // characters at the end of a modifier in such a list
	TypeEnd        rune              // the one that may follow only the last of several letters: "B・C型肝炎"
	DiseaseNouns   []string          // end names of diseases and symptoms
	Organisms      []string          // follow the name of the disease that they cause
	NameHiragana   []string          // Hiragana words that occur in names of diseases
	BeforeHiragana string            // end a word before a Hiragana word: particles, verbs and adjectives
	AfterHiragana  string            // begin the text after it: particles and common verbs
	Spellings      [][]string        // equivalent spellings, the usual one first
	GreekLetters   map[rune][]string // their names, the usual one first, except those that are also words or syllables
	Syllables      string            // letters whose names also occur in words without meaning the letter
	Counters       string            // follow a number in digits, Roman numerals or Numerals
	Numerals       string            // for 1 to 9
	Opposites      [][2]string       // the same name with the other one belongs to another concept
}

// Assertion holds the rules for what a text says about its mentions, by ConText (package assertion).
type Assertion struct {
	Triggers         []Trigger         // terms that change the status of mentions around them
	Answers          map[Status]string // values in a form after a finding ("Stroke: No"), separated by commas
	ListLabels       map[string]Status // labels of a list of findings: "Pertinent negatives: fever, cough"
	Headings         map[string]bool   // of sections without statements about their mentions, on a line without a colon
	ClauseStarters   map[string]bool   // begin another statement after a comma: "no fever, has a cough"
	Degrees          map[string]bool   // begin a part in which the finding is present: "no fever, mild cough"
	Affirmations     map[string]bool   // end such a part: "no fever, ascites present"
	Denying          map[string]bool   // begin a cell that negates the part before its only comma: "no gout, hypertension"
	QuestionWords    map[string]bool   // begin a question
	StatementOpeners map[string]bool   // begin a statement at the start of a line, even in lower case
	ClauseWords      map[string]bool   // occur in statements but never in an item of a list
	Neutral          map[string]bool   // beside a finding leave its concept the same: "known gout", "gout, left"
	Behind           *regexp.Regexp    // the end of a cell behind a name, such as a date: "gout (2019)", "gout x 3 years"
	Unfinished       map[string]bool   // never end a statement, so the next line continues it
	PastEnds         map[string]bool   // after a comma, end the reference to the past: "history of asthma, with fever"
	SingularVerbs    map[string]bool   // begin triggers that speak of one mention, if a comma is before it
	PluralVerbs      map[string]bool   // begin those that speak of several: "fever and cough were absent"
	Conjunctions     []string          // join the last items of a list
	Contrasts        []string          // end a negation: "no gout but asthma"
	Alternatives     []string          // join the alternatives of one negation: "no pain, mild or severe"
	Lasting          map[string]bool   // precedes the duration of a finding: "cough x 3 days"
	SignEnding       string            // may be joined to a sign: "+ve"
	Number           string            // a trigger that is also short for "number": "type no. 2"
	Reason           string            // a trigger that as a label introduces the reason for an exam: "History: fever"
}

// MayAssert reports whether a text may be in a language with rules for [Assertion]: its letters are Latin or Greek, and
// it either has a frequent word of such a language, or is too short to tell (less than 60 bytes).
func MayAssert(text string) bool {
	isOther := func(r rune) bool {
		return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Common)
	}
	if strings.ContainsFunc(text, isOther) {
		return false
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if Rules.Frequent[strings.ToLower(word)] {
			return true
		}
	}
	return len(text) < 60
}

// Trigger is a list of terms with their effect. A trigger without an effect lists pseudo-triggers. Its key in the file
// names the effect: "Trigger after negated adjacent".
type Trigger struct {
	After, Before Status           // of the mentions after the term, and before it, in its scope
	Ends          [Dimensions]bool // the scopes that the terms end
	Where         Place
	Past          bool // the terms do not end a hypothetical scope
	// Terms are separated by commas. "is|was absent" stands for two terms, "no |new cough" for "no cough" and "no new
	// cough". A term may be in several triggers. Terms are compared in normal form, so "doesn't" also matches
	// "doesn’t".
	Terms string
}

// Place is where a term must occur to have its effect.
type Place uint8

const (
	Anywhere Place = iota
	Final          // at the end of a statement
	Initial        // at the start of a statement
	Adjacent       // beside a mention, the only one it affects
	Between        // between two mentions, if the first begins a statement
)

// Dimension is a question to which a mention has one answer.
type Dimension int

const (
	Polarity    Dimension = iota // negated or uncertain
	Temporality                  // historical or hypothetical
	Experiencer                  // another person
	Dimensions                   // their number
)

// Status is an answer. 0 is the usual one: affirmed, recent, the patient. If two triggers are equally near to a
// mention, the higher status of the dimension wins.
type Status uint8

const (
	Usual Status = iota
	Uncertain
	Negated
	Historical
	Hypothetical
	OtherPerson
)

// Dimension returns the dimension of a status; for Usual, it is Polarity.
func (s Status) Dimension() Dimension {
	switch s {
	case Historical, Hypothetical:
		return Temporality
	case OtherPerson:
		return Experiencer
	}
	return Polarity
}

// OneOf returns a pattern that matches any of several words, the longest first.
func OneOf(words iter.Seq[string]) string {
	var quoted []string
	longestFirst := func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }
	for _, word := range slices.SortedFunc(words, longestFirst) {
		quoted = append(quoted, regexp.QuoteMeta(word))
	}
	return strings.Join(quoted, "|")
}
