// Package mine collects names from text: the long forms of short forms, and further names of the concepts of a
// dictionary.
//
// For basic usage, pass a [PatternExtractor] to [corpus.Build] and read the pairs that it found with
// [corpus.Corpus.Pairs]. Make an [AbbreviationTable] of them with [NewAbbreviationTable], and get further names of
// concepts with [Synonyms]. Neither is added to the user's dictionary.
//
//	text ──PatternExtractor──▶ SynonymPair ──corpus──▶ SynonymPairCount ──┬─NewAbbreviationTable──▶ short form: long forms
//	                                                                      └─Synonyms──────────────▶ concept: names
//
// There is no training and no model. The patterns are those of Schwartz & Hearst for abbreviations and of Hearst for
// names in apposition (Hearst, "Automatic acquisition of hyponyms from large text corpora", COLING 1992). Acceptance
// depends on counts and on the form of the phrases. One side of a pair must be a name of exactly one concept. A string
// is rejected if it is already a name, or if texts use it for several concepts.
package mine
