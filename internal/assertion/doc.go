// Package assertion determines whether a text affirms its mentions: whether it negates them or is uncertain about them,
// and whether they belong to the past, to a possible future or to a person other than the patient.
//
// For basic usage, call [Classify] on a document. The terms are those of [language.Assertion].
//
// It implements the ConText algorithm, an extension of NegEx:
//
//	Chapman, Chu, Dowling: ConText: an algorithm for identifying contextual features from
//	clinical text. BioNLP 2007.
//	Harkema, Dowling, Thornblade, Chapman: ConText: an algorithm for determining negation,
//	experiencer, and temporal status from clinical reports. J Biomed Inform 42(5), 2009.
//
// A trigger term modifies the mentions in its scope: those after it, or those before it, up to the end of the segment
// or a termination term:
//
//	He denies [chest pain] and [fever]   but   reports [nausea].
//	   trigger ──────────────────────▶ termination
//
//	[Pulmonary embolism]   was ruled out.
//	◀────────────────────────── trigger
//
// A segment is a sentence, or a shorter statement in a note: a new line that starts a statement, an item of a list, the
// text after a full stop without a space (segments.go). A scope also ends where a label begins ("no fever Lungs:
// clear"), and the answer to a label is only about the label ("Stroke: No, asthma: yes", answers.go). A heading applies
// to the list below it and the rest of its line ("Past medical history:", "Family history: stroke", "Patient denies:",
// sections.go).
//
// A pseudo-trigger contains the words of a trigger but is not one ("no increase", "not only"). If several terms begin
// at the same word, the longest counts. A term within a mention ("absence epilepsy") does not count.
//
// The papers leave open what happens when scopes overlap. Here a scope also ends at the next trigger of the same
// dimension (negation and uncertainty are one), and between a trigger before a mention and one after it the nearer
// counts. A semicolon is a termination. Some terms modify only a mention that they touch ("symptom-free", "prior
// stroke"), some count only at the end of a statement ("edema absent").
//
// The papers are about clinical reports. In abstracts a trigger often denies or doubts a relation instead of the
// disease ("no association with", "may be useful in"), so such terms are pseudo-triggers. In 60 sentences of abstracts
// (testdata/abstracts.txt), 30 of the 34 attributes found are right, of 32 in the gold. In 1,011 statements of notes
// (testdata/clinical.txt), 1,146 of the 1,150 attributes found are right, of 1,161 in the gold. A scope still extends
// too far across a clause that begins with a comma ("although no gene was found, autism is …").
//
// On the test kit of NegEx (github.com/chapmanbe/negex, 2,351 findings of 120 reports), precision and recall are .988
// and .980 for negation, and .904 and .549 for the past, because the kit lacks the headings above its sentences.
//
// The terms are in English, German, French and Spanish; most terms of forms are in English. The time for a segment is
// linear in its length.
package assertion
