// Package recognize finds mentions in raw text that have no name in a dictionary. It learns from the dictionary, its
// hierarchy and raw text, without labels.
//
// To learn a recognizer, call [Train]. [Recognizer.Annotate] adds the mentions it finds to a document that was tagged
// with the dictionary's names. [Recognizer.Write] and [Open] store a recognizer in two files.
//
// # How it learns
//
//  1. Words. Statistics of each word are counted in names and in tagged texts: how often it ends a name, occurs in
//     one before its end, is a name by itself, ends a tagged mention, occurs in one, or stands right before or behind
//     one; and over how many branches of the hierarchy the names that it ends are spread. Logistic regressions over a
//     word's vector (see vectors.go) and its letters estimate the probabilities that a word ends a name, occurs in
//     one, and is like a one-word name. A word's probabilities come from regressions that have not seen it, so that
//     words in the dictionary look like words that are missing from it. All thresholds are quantiles of the
//     dictionary's own words.
//  2. Labels. Each token of a text has a set of labels that it may have (BIOES). Names are known. Words that may end
//     a mention are unknown, but not words that stand right behind many different names, like "cases". Unknown, too,
//     are the modifiers before them: words that are part of many different names, unlike "acute". Words that surely
//     end a mention are not outside. All other tokens are outside.
//  3. Network. Two convolutions over the vectors, counts, shapes and letters of the words score the labels,
//     and a conditional random field decodes them. It is trained on the likelihood of the allowed labels:
//     log of the sum over all sequences less log of the sum over those that are allowed (fuzzy CRF: Shang et
//     al., "Learning named entity tagger using domain-specific dictionary", EMNLP 2018, section 3.1; partial
//     labels: Tsuboi et al., "Training conditional random fields using incomplete annotations", COLING 2008).
//  4. Bias. The scores of mentions are raised or lowered by how complete the dictionary appears to be.
//
// # How it finds
//
// Names found by the tagger stay unless the network finds a mention that contains them. Rules set borders: hyphens,
// shared heads ("breast and ovarian cancer"), numbers of types, modifiers that are nearly always part of names, words
// that rarely occur without each other ("ankylosing spondylitis"), long forms. A word that only ends longer names
// ("deficiency") is not a mention by itself. Adjectives derived from words that surely are mentions are mentions. A
// short form defined by the text is a mention if its long form is one. A phrase that surely is a mention is one
// wherever it occurs in the document.
package recognize
