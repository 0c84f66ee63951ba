// Package mine learns names from text: what short forms stand for, and what else
// texts call the concepts of a dictionary.
//
// For basic usage, give a [Finder] to [corpus.Build], collect [corpus.Corpus.Pairs],
// and make an [AbbreviationTable] with [NewAbbreviationTable] and the names of
// concepts with [Synonyms]. What is found is kept apart from the names that the
// user gave.
//
//	text ──Finder──▶ Pair ──corpus──▶ PairCount ──┬─NewAbbreviationTable──▶ short form: long forms
//	                                              └─Synonyms, Dictionary──▶ concept: names
//
// There is no training and no model: the patterns are Schwartz & Hearst's for
// abbreviations and Hearst's for names in apposition (Hearst, "Automatic
// acquisition of hyponyms from large text corpora", COLING 1992), the judgement
// is by counts and by the form of the phrases. One side of a pair has to be a
// name of exactly one concept; a string that is a name already, or that texts
// give to several concepts, is not taken.
package mine
