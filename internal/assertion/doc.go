// Package assertion says whether a text affirms its mentions: whether it negates them, is not
// certain of them, speaks of the past or of what may happen, or of another person than the
// patient.
//
// For basic usage, call [Classify] on a document. Its terms are those of [language.Assertion].
//
// It is the ConText algorithm, an extension of NegEx:
//
//	Chapman, Chu, Dowling: ConText: an algorithm for identifying contextual features from
//	clinical text. BioNLP 2007.
//	Harkema, Dowling, Thornblade, Chapman: ConText: an algorithm for determining negation,
//	experiencer, and temporal status from clinical reports. J Biomed Inform 42(5), 2009.
//
// A trigger term modifies the mentions in its scope: those after it, or those before it, as
// far as the segment or a termination term:
//
//	He denies [chest pain] and [fever]   but   reports [nausea].
//	   trigger ──────────────────────▶ termination
//
//	[Pulmonary embolism]   was ruled out.
//	◀────────────────────────── trigger
//
// A segment is a sentence, or a shorter statement of a note: a line that begins anew, an item of a list, what follows
// a full stop without a space (segments.go). A scope also ends where a label begins ("no fever Lungs: clear"), and
// the answer to a label is about the label alone ("Stroke: No, asthma: yes", answers.go). What a heading says holds
// for the list below it and the rest of its line ("Past medical history:", "Family history: stroke", "Patient
// denies:", sections.go).
//
// A pseudo-trigger contains the words of a trigger but is none ("no increase", "not only").
// Of terms that begin at the same word the longest counts, and a term within a mention
// ("absence epilepsy") is none.
//
// The papers leave open what happens where scopes overlap. Here a scope also ends at the next trigger of the same
// dimension (negation and uncertainty are one), and of a trigger before and one after a mention the nearer counts. A
// semicolon is a termination. Some terms say something of the mention that they touch alone ("symptom-free", "prior
// stroke"), some only at the end of a statement ("edema absent").
//
// The papers have clinical reports in mind. In abstracts a trigger often denies or doubts a relation and not the
// disease ("no association with", "may be useful in"), so such terms are pseudo-triggers. Of the attributes of 60
// sentences of abstracts (testdata/abstracts.txt) 30 of 34 are right; the reader gives 32. Of the attributes of 926
// statements of notes (testdata/clinical.txt) 1,066 of 1,071 are right; the reader gives 1,082. A scope still runs on over a
// clause that begins with a comma ("although no gene was found, autism is …").
//
// On the test kit of NegEx (github.com/chapmanbe/negex, 2,351 findings of 120 reports) precision and recall are
// .988 and .980 for negation, .904 and .549 for the past: the kit shows sentences without the headings above them.
//
// The terms are English, German, French and Spanish, the last three without those of forms. A segment takes time linear in
// its length.
package assertion
