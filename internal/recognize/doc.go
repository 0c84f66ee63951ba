// Package recognize finds the mentions of raw text for which a dictionary has no name. It learns them from
// the dictionary, its hierarchy and raw text, without labels.
//
// To learn a recognizer, call [Train]. [Recognizer.Annotate] adds what it finds to a document that was
// tagged with the dictionary's names. [Recognizer.Write] and [Open] keep a recognizer in two files.
//
// # How it learns
//
//  1. Words. Names and tagged texts are counted by word: how often a word ends a name, stands in one before
//     its end, is a name by itself, ends a tagged mention, stands in one or right before one; and in how
//     many branches of the hierarchy the names lie that it ends. Logistic regressions over a word's vector
//     (see vectors.go) and its letters give the probabilities that a word ends a name, stands in one, and is
//     like a name of one word. A word's probabilities come from regressions that have not seen it, so that
//     a word of the dictionary looks like one that the dictionary lacks. All thresholds are quantiles of
//     the dictionary's own words.
//  2. Labels. Each token of a text has a set of labels that it may have (BIOES). Names are known. Words
//     that may end a mention, and the modifiers before them, are unknown: words that many different names
//     take in, unlike "acute". Words that surely end one are not outside. The rest is outside.
//  3. Network. Two convolutions over the vectors, counts, shapes and letters of the words score the labels,
//     and a conditional random field decodes them. It is trained on the likelihood of the allowed labels:
//     log of the sum over all sequences less log of the sum over those that are allowed (fuzzy CRF: Shang et
//     al., "Learning named entity tagger using domain-specific dictionary", EMNLP 2018, section 3.1; partial
//     labels: Tsuboi et al., "Training conditional random fields using incomplete annotations", COLING 2008).
//  4. Bias. The scores of mentions are raised or lowered by how complete the dictionary seems to be.
//
// # How it finds
//
// The names that the tagger found stand unless the network finds a mention that contains them. Rules set
// borders: hyphens, shared heads ("breast and ovarian cancer"), numbers of types, modifiers that names nearly
// always take in, words that hardly stand apart ("ankylosing spondylitis"), long forms. A word that only ends
// longer names ("deficiency") is no mention alone. Adjectives of words that surely are mentions are mentions. A
// short form that the text defines is a mention where its long form is one. What surely is a mention is one
// wherever the document has its words.
package recognize
