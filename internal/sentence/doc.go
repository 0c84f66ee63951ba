// Package sentence splits text into sentences.
//
// For basic usage, call [Split] on a text. For the sentence of a mention, call [Around].
//
// Boundaries are the sentence boundaries of Unicode Standard Annex 29, as found by github.com/clipperhouse/uax29, with
// additional rules for biomedical prose:
//
//   - no boundary after "e.g.", "Fig." and the like, after initials
//     ("J. Smith", "S. Typhimurium"), or inside brackets;
//   - no boundary after the number of an item in a list, and one before the next item;
//   - a boundary after a full stop and marks of citations ("rare.[3] Cough");
//   - a boundary before "mRNA" or "p53", which can start a sentence in lower case;
//   - a single line break is a space, a blank line ends a sentence;
//   - no sentence is longer than 2,000 bytes.
package sentence
