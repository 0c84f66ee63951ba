// Package assertion says whether a text affirms its mentions: whether it negates them, is not
// certain of them, speaks of the past or of what may happen, or of another person than the
// patient.
//
// For basic usage, call [Classify] on a document. To read or extend the terms, see triggers.go.
//
// It is the ConText algorithm, an extension of NegEx:
//
//	Chapman, Chu, Dowling: ConText: an algorithm for identifying contextual features from
//	clinical text. BioNLP 2007.
//	Harkema, Dowling, Thornblade, Chapman: ConText: an algorithm for determining negation,
//	experiencer, and temporal status from clinical reports. J Biomed Inform 42(5), 2009.
//
// A trigger term modifies the mentions in its scope: those after it, or those before it, as
// far as the sentence or a termination term:
//
//	He denies [chest pain] and [fever]   but   reports [nausea].
//	   trigger ──────────────────────▶ termination
//
//	[Pulmonary embolism]   was ruled out.
//	◀────────────────────────── trigger
//
// A pseudo-trigger contains the words of a trigger but is none ("no increase", "not only").
// Of terms that begin at the same word the longest counts, and a term within a mention
// ("absence epilepsy") is none.
//
// The papers leave open what happens where scopes overlap. Here a scope also ends at the next
// trigger of the same dimension (negation and uncertainty are one), and of a trigger before
// and one after a mention the nearer counts. A semicolon is a termination.
//
// The papers have clinical reports in mind. In abstracts a trigger often denies or doubts a relation and not the
// disease ("no association with", "may be useful in"), so such terms are pseudo-triggers. Of the attributes of 60 sentences
// of abstracts (abstracts_test.go) 29 of 33 are right, without those terms 29 of 52; the reader gives 32. A scope still runs on over a
// clause that begins with a comma ("although no gene was found, autism is …").
//
// The terms are English. A sentence takes time linear in its length.
package assertion
