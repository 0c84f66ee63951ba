// Package language has what the rules of other packages know of a language, as data: words, endings and phrases.
//
// A language is a file (english.txt) and its name in [Languages]. Its keys are the fields of [Language], and each field
// says which words it has. A rule leaves alone the texts of a language without them. Rules for texts read [Rules], which
// has those of all languages, since nothing says in which language a text is.
package language

import (
	"regexp"
	"strings"
	"unicode"
)

// Language is what is known of a language. A part that is empty has no rules for it.
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
	Unspaced      Unspaced      // for matcher, abbrev and lexical, if nothing separates words

	Classification Classification // for normalize

	Placeholders map[string]bool // in normal form, in tables and forms in place of a mention
	Frequent     map[string]bool // words that most texts have, also notes, and few texts of other languages
	Senses       string          // of words with one in medicine and others, in the format that package sense reads
	// What a text of medicine speaks of, in a few words each, for an encoder, and what other texts do, in which the name
	// of a disease is a figure of speech or another word: the paralysis of a parliament, the infection of a laptop.
	MedicalFields, OtherFields []string
}

// Names is for comparing names word by word. Words are in lower case and their American spelling.
type Names struct {
	FunctionWords   map[string]bool     // hardly ever tell names apart: "cancer of the breast", "breast cancer"
	Prepositions    map[string]bool     // come after the head of a name: "cancers of the breast"
	Complement      string              // the one before what a list completes: "cancers of the breast and ovary"
	Attributive     *regexp.Regexp      // a word that stands only before a noun: no "stenosis of the aortic"
	Article         string              // may follow it
	Conjunctions    map[string]bool     // join the members of a list
	Suspending      map[string]bool     // follow a word whose hyphen stands for what ends another: "hypo- and hyperkalemia"
	Signed          map[string]bool     // short words that a hyphen behind is a minus: "Gram- bacteria"
	WordPrefixes    map[string]bool     // are written as separate words, with a hyphen or joined
	Shortened       map[string]string   // and what they are short for; those with a slash keep it: w/o
	CountedWords    map[string]bool     // are followed by a number: "type 2"
	Invariable      map[string]bool     // have no plural or singular, or another meaning there
	DiseaseNouns    map[string]bool     // end names of diseases, besides words with a medical ending; in the singular
	DiseaseSuffixes []string            // of words that mean a disease by themselves
	Harm            map[string][]string // nouns for harm to a part of the body, and the words of names in their place

	LatinPlurals     []Plural     // ends of words whose plural is that of Latin, and their singular
	Plurals          []Plural     // others; the first that fits applies, and one that maps to itself is no plural: virus
	Nouns            []Inflection // endings of nouns; the first that fits applies: one without others stays as it is
	AdjectivesBefore []Inflection // of the adjective before a noun; without, adjectives follow it and have its endings
	American         []string     // spellings, each followed by the American one; no two overlap

	Derivations         []Derivation      // endings in which words of Greek and Latin origin differ, the longest first
	Adjectives          []Inflection      // their endings, with those of nouns that they are derived from, the likely first
	IrregularAdjectives map[string]string // and nouns of another stem
	MedicalEndings      []string          // of Greek and Latin terms of medicine
	CombiningBeginnings map[string]string // parts of the body without their connecting o, and the plain words for them
	CombiningEndings    map[string]string // follow them; none ends with another, nor does a beginning begin with one

	Opposites          [][2]string     // exclude each other
	OppositeBeginnings [][2]string     // exclude each other before the same rest
	Negations          []string        // beginnings of words that exclude the rest: "asymptomatic"
	Elsewhere          map[string]bool // beginnings of a word for another place, time or thing: "supraventricular"
	CauseWords         map[string]bool // begin what names the cause of what is before: "due to"
	About              map[string]bool // make the name of a thing one of something about it: "history of stroke"
	Ordinals           map[string]bool
	Signs              map[string]string // of a word, in normal form, and the words for them
	Units              map[string]bool   // behind a number: "81mg"
	DrugForms          map[string]string // short words behind a unit, and short units, and what they stand for: "81 mg tab"
	Without            map[string]bool   // precede what is lacked: "migraine without aura"
	Stage              string            // precedes a Roman numeral with a letter: "stage IIIA"

	Marks    map[string]bool // words that many names of the language have and few of others
	MarkEnds []string        // ends of such words

	Endings      string          // of words, each character a word of its own: the particles of Korean
	Digraphs     [][2]string     // letters in lower case, and two that are written for each: "ö" and "oe"
	GreekLetters map[rune]string // their names
	LetterNames  []string        // those of the names that are neither words nor syllables, as "chi" and "mu" are
}

// Plural is a plural suffix with that of the singular, for words of at least MinLength bytes.
type Plural struct {
	Plural, Singular string
	MinLength        int
}

// Inflection is an ending, with those that other forms of the word have in its place.
type Inflection struct {
	Ending string
	Others []string
}

// Derivation is an ending, and what the stem keeps of it.
type Derivation struct{ Ending, Stem string }

// Causes tells what texts and names say of the cause of a disease. Words are in lower case.
type Causes struct {
	Induced, By  string          // "levodopa-induced dyskinesia", "dyskinesia induced by levodopa"
	OfSubstances [][]string      // words that names have beside those of a disease if a substance causes it
	Not          map[string]bool // between a disease and "induced by" what does not cause it
	OtherCauses  map[string]bool // induce diseases and are no substances
}

// Tagging tells which names a tagger looks for. Names are in normal form.
type Tagging struct {
	CommonWords       map[string]bool // carry no meaning of their own
	GeneralTerms      map[string]bool // do not identify a concept
	OrdinaryWords     map[string]bool // names, or words of names, that often mean something else: strain, lead, block
	ShortDiseaseNames map[string]bool // of three letters that are words; any other such name counts as an acronym
	LinkingWords      map[string]bool // may be skipped in initials, together; an s is left of a possessive
	Articles          []string        // may stand before a name
	Past              map[string]bool // two words before a name that is all the same meant: "status post stroke"
	OtherBehind       map[string]bool // joined to a name by a hyphen, make another of it: "pain-free"
}

// Classification has what classifications add to names, and no text has. Except for Tags and Marks, each word may be
// the beginning of a regular expression, and starts with letters or with several words in brackets.
type Classification struct {
	Tags        []string // in brackets behind a name of SNOMED CT
	Marks       []string // regular expressions of what a source adds at the end of a name, or before it: "[X]Asthma"
	ShortForms  []string // of the phrases below, behind a name; case counts
	Unspecified []string // "asthma, unspecified" and "unspecified asthma" are asthma
	Elsewhere   []string // behind a name, of which they are likely to mean less: "uncomplicated"
	Other       []string // "other asthma" is the last that asthma is
}

// Sentences tells where a sentence ends. Words are without their last full stop, and case counts unless a field says
// otherwise: "Dr." is a title and "DR" is diabetic retinopathy.
type Sentences struct {
	NeverLast    map[string]bool // end no sentence
	SeldomLast   map[string]bool // end one only if the next word starts one: "et al." and the ranks below species
	BeforeNumber map[string]bool // end none if a number follows
	BeforeLetter map[string]bool // in lower case: a single letter belongs to them: "hepatitis B. Patients were"
	BeforeMarker map[string]bool // in lower case: a number or letter after them begins no item
	Conjunctions map[string]bool // join single letters: "vitamins A and C"
	Openers      map[string]bool // rarely capitalized inside a sentence
}

// Abbreviations tells which words define a short form. Words are in lower case.
type Abbreviations struct {
	FunctionWords   map[string]bool // begin no long form; "in" does: "in vitro fertilization"
	LinkingWords    map[string]bool // may occur in a long form without a letter in the short form
	Numbers         map[string]rune // digits that words stand for: two of "2D"
	ClauseVerbs     map[string]bool // occur in no long form
	NotShort        map[string]bool // stand in brackets and are no short forms; case counts
	Introductions   map[string]bool // stand before a short form in a bracket
	Remarks         []string        // stand behind it: "LVH for short"
	Conjunction     string          // joins two short forms in a bracket: "(HSV-1 and HSV-2)"
	Respectively    string          // stands behind them, if each has a long form of its own
	Items           string          // what a number counts: "9-item Patient Health Questionnaire"
	Statements      []Statement     // phrases that define a short form without a bracket
	BeforeStatement []string        // words before such a phrase, from it back: "TGA is an abbreviation of"
	Articles        []string        // may stand before the long form of a statement
	Define          string          // how the forms of "define" begin, see [Statement]
}

// Statement is a phrase between a short form and its long form.
type Statement struct {
	Phrase     string
	ShortFirst bool // the short form stands before the phrase, else the long form does
	LongFirst  bool // the long form may stand before the phrase
	Initials   bool // the phrase means other things too: the initials must be the short form
	Enclosed   bool // the phrase stands behind the short form again
	Defined    bool // a form of "define" stands before the short form, since the phrase is too common
	Listed     bool // the short form begins an item of a list
}

// Synonyms tells where a text gives a concept another name. Words are in lower case, and singular where they end a
// phrase.
type Synonyms struct {
	FunctionWords map[string]bool // end a phrase; those that names contain are not among them: tetralogy of Fallot
	Determiners   map[string]bool // may precede a name and do not belong to it
	Copulas       map[string]bool // may join a name and a cue: "gout is also called …"
	Prepositions  map[string]bool // join the words before them to the phrase after them
	Conjunctions  map[string]bool // join a name to the words before it: "nausea and vomiting (NV)"
	Openers       map[string]bool // precede a phrase and belong to the words before it
	Continuers    map[string]bool // precede the end of a longer phrase, or what is no noun phrase ("had found many clumps")
	KindNouns     map[string]bool // precede "of" and a broader term: "a form of cancer, also known as …"
	AspectNouns   map[string]bool // precede "of" and a term of which the phrase means an aspect: "risk of gout"
	VagueWords    map[string]bool // end a phrase that refers to something without naming it
	FigureWords   map[string]bool // occur in bracketed figures
	GeneralWords  map[string]bool // distinguish diseases no better than the word "disease" does
	Of, And       string          // behind these nouns, and between two phrases
	Non           string          // begins the opposite of a name: "non-acquired immunodeficiency"

	// A cue says that two names mean the same. It consists of one or two adverbs and a verb ("also known as", "now
	// commonly called"), of a standalone word ("synonym"), or, in brackets, of a standalone adverb ("(formerly …").
	SameAdverbs, FormerAdverbs        map[string]bool
	DegreeAdverbs                     map[string]bool // modify another adverb
	StandaloneAdverbs, StandaloneCues map[string]bool
	CueVerbs                          map[string][]string // and the words that follow each
}

// Recognition tells where a mention that is no name begins and ends. Words are in lower case.
type Recognition struct {
	Prepositions map[string]bool // end the head of a name: "deficiency of alpha-1 antitrypsin"
	StopWords    map[string]bool // stand in no name and begin none
	Conjunctions map[string]bool // join names that share their head
	TypesBefore  map[string]bool // stand with a number before a name: "type 2 diabetes"
	TypesBehind  map[string]bool // and behind one: "diabetes type 2"
	Number       *regexp.Regexp  // of a type, as written
	Tail         *regexp.Regexp  // a word behind the head of a name: "diabetes mellitus type 2"
	Participle   *regexp.Regexp  // says what happened to somebody, and names nothing: "infected", "malignant"
	Lacking      string          // makes a mention of what is lacked: "G6PD-deficient"
	Relation     string          // stands behind a word that says something of another: "loss of p53"
}

// Verbs has words of closed classes around a verb, and around a noun, in lower case.
type Verbs struct {
	Before     map[string]bool // pronouns and auxiliaries before a verb
	Be         map[string]bool // forms of "be"
	Particle   map[string]bool // after a verb
	To         string          // before a verb, or before a noun
	Determiner map[string]bool // begins an object: a line "fits the" points; so does an object pronoun
	BeforeNoun map[string]bool
}

// Unspaced is for a language in which nothing separates words.
type Unspaced struct {
	Conjunctions   []string          // join the members of a list, the longer ones before those that they begin with
	Particles      string            // of these, those that are also syllables of words in Hiragana
	ModifierEnds   string            // characters that a modifier in such a list ends with
	TypeEnd        rune              // that of them which may follow the last of several letters alone: "B・C型肝炎"
	DiseaseNouns   []string          // end names of diseases and symptoms
	Introduction   string            // stands before a short form in a bracket
	Organisms      []string          // follow the name of the disease that they cause
	NameHiragana   []string          // words in Hiragana that are part of names of diseases
	BeforeHiragana string            // end a word before one in Hiragana: particles, verbs and adjectives
	AfterHiragana  string            // begin what follows it: particles and common verbs
	Spellings      [][]string        // what is written for each other, the usual one first
	GreekLetters   map[rune][]string // their names, the usual one first, without those that are also words or syllables
	Syllables      string            // of the letters, those whose names are parts of words, and stand for no letter
	Counters       string            // follow a number in digits, Roman numerals or Numerals
	Numerals       string            // for 1 to 9
	Opposites      [][2]string       // a name has one: the same name with the other is of another concept
}

// Assertion tells what a text says of its mentions, by the rules of ConText (package assertion).
type Assertion struct {
	Triggers         []Trigger         // terms that say something of the mentions around them
	Answers          map[Status]string // what a form says after a finding ("Stroke: No"), separated by commas
	ListLabels       map[string]Status // labels of a list of findings: "Pertinent negatives: fever, cough"
	Headings         map[string]bool   // of sections that say nothing of their mentions, on a line without a colon
	ClauseStarters   map[string]bool   // begin another statement after a comma: "no fever, has a cough"
	Degrees          map[string]bool   // begin a part that says that its finding is there: "no fever, mild cough"
	Affirmations     map[string]bool   // end such a part: "no fever, ascites present"
	Denying          map[string]bool   // begin a cell that denies what is before its only comma: "no gout, hypertension"
	QuestionWords    map[string]bool   // begin a question
	StatementOpeners map[string]bool   // begin a statement at the start of a line, also in lower case
	ClauseWords      map[string]bool   // occur in statements, and in no item of a list
	Unfinished       map[string]bool   // end no statement, so that the next line goes on
	PastEnds         map[string]bool   // after a comma, end what is said of the past: "history of asthma, with fever"
	SingularVerbs    map[string]bool   // begin triggers that speak of one mention, if a comma is before it
	PluralVerbs      map[string]bool   // begin those that speak of several: "fever and cough were absent"
	Conjunctions     []string          // join the last items of a list
	Alternatives     []string          // join what one negation denies: "no pain, mild or severe"
	Lasting          string            // precedes the time that a finding has lasted: "cough x 3 days"
	SignEnding       string            // may be joined to a sign: "+ve"
	Number           string            // a trigger that is also short for "number": "type no. 2"
	Reason           string            // one that as a label says why an examination was made: "History: fever"
}

// MayAssert reports whether a text may be in a language with rules for [Assertion]: its letters are Latin or Greek, and it
// has a word that is frequent in such a language, or is shorter than 60 bytes, which say too little.
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

// Trigger is a list of terms with what they do. One without an effect has pseudo-triggers. Its key in the file has the
// effect: "Trigger after negated adjacent".
type Trigger struct {
	After, Before Status           // of the mentions after the term, and before it, in its scope
	Ends          [Dimensions]bool // the scopes that the terms end
	Where         Place
	Past          bool // the terms end no hypothetical scope
	// Terms are separated by commas. "is|was absent" stands for two terms, "no |new cough" for "no cough" and "no
	// new cough". A term may be in several triggers. Terms are compared in normal form, so "doesn't" is also "doesn’t".
	Terms string
}

// Place is where a term must stand to have its effect.
type Place uint8

const (
	Anywhere Place = iota
	Final          // at the end of a statement
	Initial        // at the start of a statement
	Adjacent       // beside a mention, of which alone it says something
	Between        // between two mentions, of which the first begins a statement
)

// Dimension is a question to which a mention has one answer.
type Dimension int

const (
	Polarity    Dimension = iota // negated or uncertain
	Temporality                  // historical or hypothetical
	Experiencer                  // another person
	Dimensions                   // their number
)

// Status is an answer. 0 is the usual one: affirmed, recent, the patient. Where two triggers are equally near to a
// mention, the higher status of the dimension counts.
type Status uint8

const (
	Usual Status = iota
	Uncertain
	Negated
	Historical
	Hypothetical
	OtherPerson
)

// Dimension returns the dimension of a status, that of Usual being Polarity.
func (s Status) Dimension() Dimension {
	switch s {
	case Historical, Hypothetical:
		return Temporality
	case OtherPerson:
		return Experiencer
	}
	return Polarity
}
