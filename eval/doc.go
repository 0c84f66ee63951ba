// Package eval measures linkers on annotated documents.
//
// For basic usage, read the gold with [ReadGold], let a linker answer with
// [Run], count its answers under a [Policy] with [NewResult], put the results
// into a [Report] and print that with [WriteText], [WriteMarkdown] or as JSON.
// To compare two linkers, or one with an answers file of another day
// ([ReadAnswers]), use [Compare].
//
//	Gold ──Run──▶ Answers ──Policy──▶ ranks ──▶ Result: Acc@k, MRR, slices, failures, Confidence
//	                     └──Compare──────────▶ Comparison: difference, bootstrap, McNemar
//
// Numbers come with numerator and denominator, and the main ones with a 95 %
// interval over documents ([Figure]). [Confidence] says what probabilities are
// worth, and is drawn by [WriteReliabilityPNG] and [WriteRiskCoveragePNG];
// [Relations] counts mistakes by the dictionary's tree.
//
// Linkers name concepts as the user's dictionary does and annotators as theirs
// do, so both are brought to one form by [IDs] before they are compared.
package eval
