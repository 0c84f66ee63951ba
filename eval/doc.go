// Package eval measures linkers on annotated documents.
//
// For basic usage, read the gold with [ReadGold], choose what is counted with a
// [Policy], let a linker answer with [Run], and print the [Report]. Every figure
// is a [Share]: numerator, denominator, and a 95 % interval over documents.
//
// Linkers name concepts as the user's dictionary does and annotators as theirs
// do, so both are brought to one form by [IDs] before they are compared.
package eval
