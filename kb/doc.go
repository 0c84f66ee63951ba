// Package kb holds the concepts that mentions are linked to: their identifiers, names
// and hierarchy.
//
// To read a [Dictionary] from a file, use package kb/kbfile. To make one of your own
// concepts, call [NewDictionary]. For a random sample of its names, as in
// experiments with small dictionaries, call [Dictionary.Fraction].
//
// Concepts are ordered by ID. A position in this order stands for a concept wherever many
// concepts are handled: [Dictionary.At] returns the concept at a position and
// [Dictionary.Index] the position of an ID. [NewHierarchy] returns the broader and narrower
// concepts of each position.
//
// A Dictionary does not change, so it is safe for concurrent use.
package kb
