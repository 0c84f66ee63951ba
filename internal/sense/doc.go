// Package sense says what an ambiguous form can mean and which meaning a context speaks for.
//
// For basic usage, make an [Inventory] of the short forms that a corpus defines and the [Profiles] of the contexts that
// a model keeps. [Inventory.Senses] returns the senses of a form, and [Profiles.WordScore] says how well the words
// around it suit one of them. Package link joins this with the vectors of the contexts and learns what each kind of
// evidence is worth.
//
//	mine.AbbreviationTable, kb.Dictionary ──NewInventory──▶ form: senses, with the records that define each
//	text.Exemplar ──ContextsOf─────────────NewProfiles───▶ sense: words of its contexts
//
// A sense is a concept of the dictionary, or a long form that is no name of the dictionary: "mass spectrometry" for MS.
// Such a sense has exemplars like any other, and where it is the nearest, the mention is NIL.
package sense
