// Package language has what the rules of other packages know of a language, as data: words, endings and phrases.
//
// A [Language] is a value in files of its own ([English], [Japanese]); the package that has the rules takes the
// part that it needs, as [Names] for package normalize. To add a language, write its value and add it to [Languages]:
// each field says which words it has, and a rule leaves alone the texts of a language without them. Packages with rules
// for texts choose a language.
package language

import (
	"regexp"
	"strings"
)

// Language is what is known of a language. A part that is empty has no rules for it.
type Language struct {
	Name string

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

	// Placeholders are the words, in normal form, that tables and forms have in place of a mention, for link.
	Placeholders map[string]bool
	// Frequent are words that most texts have, also notes without sentences, and few texts of other languages.
	Frequent map[string]bool
	// Senses has the senses of words with one in medicine and others, in the format that package sense reads.
	Senses string
	// MedicalFields are what a text of medicine speaks of, in a few words each, for an encoder.
	MedicalFields []string
	// OtherFields are what other texts speak of, in which the name of a disease is a figure of speech or another
	// word: the paralysis of a parliament, the anemia of consumer spending, the infection of a laptop.
	OtherFields []string
}

// Languages are all languages of which something is known.
var Languages = []*Language{&English, &German, &French, &Spanish, &Japanese}

// Names is for comparing names word by word. Words are in lower case and their American spelling.
type Names struct {
	// FunctionWords hardly ever tell names apart: "cancer of the breast", "breast cancer".
	FunctionWords map[string]bool
	// Prepositions come after the head of a name: "cancers of the breast". Complement is the one before what several
	// members of a list complete, and Article may follow it: "cancers of the breast and ovary".
	Prepositions        map[string]bool
	Complement, Article string
	// Conjunctions join the members of a list: "breast and ovarian cancer".
	Conjunctions []string
	// WordPrefixes are written as separate words, with a hyphen or joined.
	WordPrefixes map[string]bool
	// CountedWords are followed by a number: "type 2".
	CountedWords map[string]bool
	// Invariable are words that have no plural or singular, or another meaning there.
	Invariable map[string]bool
	// DiseaseNouns are nouns that names of diseases end in, in the singular, besides those with a medical ending.
	DiseaseNouns map[string]bool
	// DiseaseSuffixes are suffixes of words that mean a disease by themselves.
	DiseaseSuffixes []string
	// Harm holds nouns for harm to a part of the body, with the words that names have in their place, the most special
	// first: "hepatic toxicity" is "drug-induced liver injury", and "renal toxicity" is "kidney disease".
	Harm map[string][]string

	// LatinPlurals are the ends of words whose plural is that of Latin, and their singular.
	LatinPlurals []Plural
	// Plurals are other plural suffixes, and the singular suffix that replaces each. The first that fits applies.
	// A suffix that maps to itself is not a plural: virus, arthritis, diabetes.
	Plurals []Plural
	// Nouns are endings of nouns with those of the plural, and of the cases. The first that fits applies: a noun whose
	// ending has none stays as it is.
	Nouns []Inflection
	// AdjectivesBefore are endings of the adjective before a noun. Where there are none, adjectives follow the noun, as
	// far as the first of Marks, and have its endings.
	AdjectivesBefore []Inflection

	// American are spellings, each followed by the American one. No two overlap.
	American []string
	// British are American spellings and the British ones, for names of diseases. The first that fits applies.
	British []Spelling

	// Derivations are the endings, longest first, in which words of Greek and Latin origin differ from their
	// derivations.
	Derivations []Derivation
	// Adjectives are endings of adjectives with the endings of nouns that they are derived from.
	Adjectives []Adjective
	// IrregularAdjectives are adjectives with a noun of another stem.
	IrregularAdjectives map[string]string
	// MedicalEndings are endings of Greek and Latin terms of medicine.
	MedicalEndings []string
	// CombiningBeginnings are combining forms of parts of the body, without their connecting o, with the plain
	// words for them. None begins with another.
	CombiningBeginnings map[string]string
	// CombiningEndings are the endings that follow them. None ends with another.
	CombiningEndings map[string]string

	// Opposites are words that exclude each other.
	Opposites [][2]string
	// OppositeBeginnings are beginnings of words that exclude each other before the same rest.
	OppositeBeginnings [][2]string
	// Negations are beginnings of words that exclude the rest: "asymptomatic".
	Negations []string
	// Elsewhere are beginnings that make a word one for another place, time or thing: "supraventricular".
	Elsewhere map[string]bool
	// Ordinals are numbers in a series.
	Ordinals map[string]bool
	// Without precedes what is lacked: "migraine without aura".
	Without string
	// Stage precedes a Roman numeral with a letter: "stage IIIA".
	Stage string

	// Eponyms are nouns that follow the name of a person: "Alzheimer's disease".
	Eponyms map[string]bool
	// AdjectiveEnds are the last letters of words before an eponym that are no names of persons.
	AdjectiveEnds []string

	// Marks are words, and MarkEnds the ends of words, that many names of the language have and few of others.
	Marks    map[string]bool
	MarkEnds []string

	// GreekLetters are the names of the Greek letters.
	GreekLetters map[rune]string
	// LettersByName are the letters of the names that are neither words nor syllables, as "chi", "mu", "nu" and
	// "pi" are.
	LettersByName map[string]rune
}

// Causes tells what texts and names say of the cause of a disease. Words are in lower case.
type Causes struct {
	// Induced stands between a cause and a disease, and By before a cause that follows: "levodopa-induced dyskinesia",
	// "dyskinesia induced by levodopa".
	Induced, By string
	// OfSubstances are the words that names have beside those of a disease if a drug or another substance causes it.
	OfSubstances [][]string
	// OtherCauses induce diseases and are no substances.
	OtherCauses map[string]bool
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

// Spelling is a part of a word in both spellings.
type Spelling struct{ American, British string }

// Derivation is an ending, and what the stem keeps of it.
type Derivation struct{ Ending, Stem string }

// Adjective is an ending of adjectives, with those of nouns in the order of how often they are right.
type Adjective struct {
	Ending string
	Nouns  []string
}

// Tagging tells which names a tagger looks for. Names are in normal form.
type Tagging struct {
	// CommonWords carry no meaning of their own.
	CommonWords map[string]bool
	// GeneralTerms do not identify a concept.
	GeneralTerms map[string]bool
	// OrdinaryWords are names, or words of names, that often mean something else: strain, lead, cold, block. Words
	// that mean in ordinary language what they mean in medicine are none of them: pain, fever, tumor.
	OrdinaryWords map[string]bool
	// ShortDiseaseNames are names of diseases of three letters that are words. Any other name of three letters
	// counts as an acronym.
	ShortDiseaseNames map[string]bool
	// LinkingWords may be skipped in initials, together.
	LinkingWords map[string]bool
	// Articles may stand before a name.
	Articles []string
}

// Sentences tells where a sentence ends. Words are without their last full stop, and case counts unless a field says
// otherwise: "Dr." is a title and "DR" is diabetic retinopathy.
type Sentences struct {
	// NeverLast are words that end no sentence.
	NeverLast map[string]bool
	// SeldomLast are words that end a sentence only if the next word starts one: "et al." and the ranks below species.
	SeldomLast map[string]bool
	// BeforeNumber are words that end no sentence if a number follows.
	BeforeNumber map[string]bool
	// BeforeLetter are words in lower case that a single letter belongs to: "hepatitis B. Patients were".
	BeforeLetter map[string]bool
	// BeforeMarker are words in lower case after which a number or letter counts something, and begins no item.
	BeforeMarker map[string]bool
	// Conjunctions join single letters: "vitamins A and C".
	Conjunctions map[string]bool
	// Openers are words that are rarely capitalized inside a sentence.
	Openers map[string]bool
}

// Abbreviations tells which words define a short form. Words are in lower case.
type Abbreviations struct {
	// FunctionWords begin no long form. "in" does: "in vitro fertilization".
	FunctionWords map[string]bool
	// LinkingWords may occur in a long form without a letter in the short form.
	LinkingWords map[string]bool
	// Numbers are the digits that words stand for: two of "2D".
	Numbers map[string]rune
	// ClauseVerbs occur in no long form.
	ClauseVerbs map[string]bool
	// NotShort are words that stand in brackets and are no short forms. Case counts.
	NotShort map[string]bool
	// Introductions are words before a short form in a bracket, and Remarks those behind it: "LVH for short".
	Introductions map[string]bool
	Remarks       []string
	// Conjunction joins two short forms in a bracket: "herpes simplex virus (HSV-1 and HSV-2)".
	Conjunction string
	// Items are what the number of a short form counts before its long form: "9-item Patient Health Questionnaire".
	Items string
	// Statements are phrases that define a short form without a bracket.
	Statements []Statement
	// BeforeStatement are words between a short form and the phrase of a statement, from the phrase back: "TGA is an
	// abbreviation of".
	BeforeStatement []string
	// Articles may stand before the long form of a statement.
	Articles []string
	// Define is how the forms of "define" begin: see [Statement.Defined].
	Define string
}

// Statement is a phrase between a short form and its long form.
type Statement struct {
	Phrase     string
	ShortFirst bool // the short form stands before the phrase, else the long form does
	LongFirst  bool // the long form may stand before the phrase
	Initials   bool // the phrase means other things too: the initials must be the short form
	Defined    bool // a form of "define" stands before the short form, since the phrase is too common
	Listed     bool // the short form begins an item of a list
}

// Synonyms tells where a text gives a concept another name. Words are in lower case, and singular where they end a
// phrase.
type Synonyms struct {
	// FunctionWords end a phrase. Those that names contain are not among them: tetralogy of Fallot.
	FunctionWords map[string]bool
	// Determiners may precede a name and do not belong to it.
	Determiners map[string]bool
	// Copulas may join a name and a cue: "gout is also called …".
	Copulas map[string]bool
	// Prepositions join the words before them to the phrase after them.
	Prepositions map[string]bool
	// Conjunctions join a name to the words before it: the bracket in "nausea and vomiting (NV)" does not belong to
	// vomiting alone.
	Conjunctions map[string]bool
	// Openers precede a phrase and belong to the words before it.
	Openers map[string]bool
	// Continuers precede a phrase that is the end of a longer one ("hereditary sensory and autonomic …") or not a
	// noun phrase ("had found many clumps").
	Continuers map[string]bool
	// KindNouns precede "of" and a term broader than the one that is meant: "a form of cancer, also known as …".
	KindNouns map[string]bool
	// AspectNouns precede "of" and a term, and make the phrase mean an aspect of that term: "risk of gout".
	AspectNouns map[string]bool
	// Of is the preposition behind these nouns.
	Of string
	// Or joins two names of a concept ("Gout, or podagra, is"), and And two phrases.
	Or, And string
	// Non begins the opposite of a name: "non-acquired immunodeficiency".
	Non string
	// CountedNouns end no name of several words: "two patients".
	CountedNouns map[string]bool
	// VagueWords end a phrase that refers to something without naming it.
	VagueWords map[string]bool
	// FigureWords occur in bracketed figures.
	FigureWords map[string]bool
	// GeneralWords distinguish diseases no better than the word "disease" does.
	GeneralWords map[string]bool

	// A cue says that two names mean the same. It consists of one or two adverbs and a verb ("also known as", "now
	// commonly called"), of a standalone word ("synonym"), or, in brackets, of a standalone adverb ("(formerly …").
	SameAdverbs       map[string]bool
	FormerAdverbs     map[string]bool
	DegreeAdverbs     map[string]bool // modify another adverb
	StandaloneAdverbs map[string]bool
	StandaloneCues    map[string]bool
	CueVerbs          map[string][]string // and the words that follow each
}

// Recognition tells where a mention that is no name begins and ends. Words are in lower case.
type Recognition struct {
	// Prepositions end the head of a name: "deficiency of alpha-1 antitrypsin".
	Prepositions map[string]bool
	// StopWords stand in no name and begin none.
	StopWords map[string]bool
	// Conjunctions join names that share their head.
	Conjunctions map[string]bool
	// OwnPrefixes are joined to a name by a hyphen without being a part of it: "anti-cancer".
	OwnPrefixes map[string]bool
	// TypesBefore stand with a number before a name, and TypesBehind behind one: "type 2 diabetes", "diabetes type 2".
	TypesBefore, TypesBehind map[string]bool
	// Number is a number of a type, as written.
	Number *regexp.Regexp
	// Tail is a word behind the head of a name: "diabetes mellitus type 2".
	Tail *regexp.Regexp
	// Participle is a word that says what happened to somebody, and names nothing: "infected", "malignant".
	Participle *regexp.Regexp
	// Lacking makes a mention of what is lacked: "G6PD-deficient".
	Lacking string
	// Relation stands behind a word that says something of another: "loss of p53".
	Relation string
}

// Verbs has words of closed classes around a verb, and around a noun, in lower case.
type Verbs struct {
	Before   map[string]bool // pronouns and auxiliaries before a verb
	Be       map[string]bool // forms of "be"
	Particle map[string]bool // after a verb
	To       string          // before a verb, or before a noun
	// Determiner begins an object: a line "fits the" points. So does an object pronoun.
	Determiner map[string]bool
	BeforeNoun map[string]bool
}

// Unspaced is for a language in which nothing separates words.
type Unspaced struct {
	// Conjunctions join the members of a list, the longer ones before those that they begin with. Of these, Particles
	// are also syllables of words in Hiragana.
	Conjunctions []string
	Particles    string
	// ModifierEnds are the characters that a modifier in such a list ends with, and TypeEnd that of them which may
	// follow the last of several letters alone: "B・C型肝炎".
	ModifierEnds string
	TypeEnd      rune
	// DiseaseNouns are the words that names of diseases and symptoms end in.
	DiseaseNouns []string
	// Introduction stands before a short form in a bracket.
	Introduction string
	// Organisms follow the name of the disease that they cause.
	Organisms []string
	// NameHiragana are words in Hiragana that are part of names of diseases.
	NameHiragana []string
	// BeforeHiragana are characters that a word before one in Hiragana ends with: particles, verbs and adjectives.
	// AfterHiragana are those that what follows it begins with: particles and common verbs.
	BeforeHiragana, AfterHiragana string
	// Spellings are lists of what is written for each other, the usual one first.
	Spellings [][]string
	// GreekLetters are the names of the Greek letters, the usual one first, without those that are also words or
	// syllables.
	GreekLetters map[rune][]string
	// Syllables are the GreekLetters whose names are also parts of words, so that they stand for no letter.
	Syllables string
	// Counters follow a number, which is written in digits, Roman numerals or the Numerals for 1 to 9.
	Counters, Numerals string
	// Opposites are pairs of which a name has one: the same name with the other is of another concept.
	Opposites [][2]string
}

// words returns the set of the words of a list, which are separated by white space. A member of several words has _
// between them.
func words(list string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(list) {
		set[strings.ReplaceAll(word, "_", " ")] = true
	}
	return set
}
