package language

import _ "embed"

// English is the language whose texts the program reads best: the only one with rules for all that a [Language] has,
// but for a script without spaces.
var English = Language{
	Name: "English",

	Names:         englishNames,
	Tagging:       englishTagging,
	Sentences:     englishSentences,
	Abbreviations: englishAbbreviations,
	Synonyms:      englishSynonyms,
	Recognition:   englishRecognition,
	Verbs:         englishVerbs,
	Causes:        englishCauses,
	Assertion:     englishAssertion,
	Senses:        englishSenses,

	Placeholders: words(`
		n_a na nan nil null none no yes unknown unk not_known unspecified not_specified undefined not_applicable
		not_available not_stated not_recorded not_given not_done no_data missing tbd tba other others nothing
		see_above as_above see_below ditto`),
	Frequent: words(`
		the and with from not has by of for is to denies denied none history family assessment pain without negative
		left right or days years old`),
	MedicalFields: []string{
		"a patient with a disease",
		"a symptom of an illness",
		"treatment in hospital",
		"a diagnosis by a physician",
		"a side effect of a drug",
		"surgery",
	},
	OtherFields: []string{
		"a machine, an engine or a vehicle",
		"computers, software and files",
		"money, prices, markets and companies",
		"politics, government, parties and elections",
		"war, soldiers and weapons",
		"wild animals, birds and insects",
		"farms, crops, plants and trees",
		"cooking and food",
		"music, books, films and art",
		"sports, games and races",
		"rain, wind, mountains, rivers and the sea",
		"houses, roads, materials and tools",
		"crime, police and courts",
		"clothes and furniture",
		"planets, stars and space",
		"school, language and mathematics",
		"social life, crowds and moods",
		"physics and chemistry of materials",
	},
}

//go:embed english_senses.tsv
var englishSenses string
