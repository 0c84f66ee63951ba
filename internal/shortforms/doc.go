// Package shortforms makes gold of ambiguous short forms from records that define them.
//
// A record that says "atopic dermatitis (AD)" tells what its author means by AD. Part of the
// records are held out, and in these the definition is hidden: "(AD)" is removed, and the long
// form becomes AD wherever it stands. What remains is a text whose words alone decide whether
// AD is atopic dermatitis or Alzheimer disease, and whose right answer is known.
//
// To make such gold, call [Collector.Add] for every record and then [Collector.Gold]. The
// records held out must not be in the corpus of a model that the gold measures.
package shortforms
