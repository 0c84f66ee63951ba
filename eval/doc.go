// Package eval measures linkers on documents with annotated mentions.
//
// For basic usage, read the gold annotations with [ReadGold], run a linker over them with [Predict], score the
// predictions under a [Policy] with [NewResult] and put the results into a [Report]. [Report.WriteText] and the methods
// after it print reports; a Report is also encoded as JSON. To compare two linkers, or a linker with predictions saved
// earlier ([ReadPredictions]), use [Compare].
//
//	Gold ──Predict──▶ Predictions ──Policy──▶ ranks ──▶ Result: Acc@k, MRR, slices, failures, Confidence
//	                       └────────Compare──────────▶ Comparison: difference, bootstrap, McNemar
//
// Every number comes with its numerator and denominator. The main ones are [Metric] values, with a 95 % bootstrap
// interval over documents. [Confidence] measures the quality of the probabilities. [Relations] classifies mistakes by
// the dictionary's hierarchy.
//
// Linkers use the identifiers of the user's dictionary; annotators use their own. [ConceptSet] brings both to one
// canonical form before they are compared.
package eval
