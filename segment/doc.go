// Package segment splits text into sentences.
//
// For basic usage, call [Sentences] on a text; for the sentence of one mention,
// call [Around]; for the sentences of many mentions in one text, call
// [Sentences] once and [Holding] for each.
//
// Boundaries are those of Unicode Standard Annex 29 (sentence boundaries, as
// github.com/clipperhouse/uax29 finds them) with rules on top for what
// biomedical prose does and the standard leaves open:
//
//   - no boundary after "e.g.", "Fig." and the like, after initials
//     ("J. Smith", "S. Typhimurium"), or inside brackets;
//   - a boundary before "mRNA" or "p53", which open a sentence in lower case;
//   - a single line break is a space, a blank line ends a sentence;
//   - nothing is longer than [MaxBytes].
//
// Measured on PubMed abstracts: 100 MB/s a core.
package segment
