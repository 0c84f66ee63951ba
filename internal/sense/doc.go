// Package sense lists the meanings of an ambiguous form and scores how well a context fits each of them.
//
// For basic usage, make an [Inventory] of the short forms that a corpus defines and the [Profiles] of the contexts that
// a model keeps. [Inventory.Senses] returns the senses of a form, and [Profiles.WordScore] scores how well the
// surrounding words fit one of them. Package link combines this with the vectors of the contexts and learns the weight
// of each kind of evidence.
//
//	mine.AbbreviationTable, kb.Dictionary ──Names.Inventory──▶ form: senses, with the records that define each
//	text.Exemplar ──ContextsOf─────────────NewProfiles──────▶ sense: words of its contexts
//
// A sense is a concept of the dictionary, or a long form that is not a name of the dictionary: "mass spectrometry" for
// MS. Such a sense has exemplars like any other, and if it is the nearest, the mention is NIL.
package sense
