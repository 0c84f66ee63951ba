// Package text defines the types that other packages exchange: documents, mentions, queries and exemplars.
//
// To read documents from files, use package text/formats, which converts their offsets to the byte offsets of a [Span].
// To find mentions in a plain text, use the tagger of package matcher.
//
//	Document   a text and its mentions: a text to link, an annotated abstract, a sentence of the corpus
//	Mention    a span of the text that names a concept
//	Query      a mention to be linked, in its sentence
//	Exemplar   a query whose concept is known: a row of an index, or a training example
//
// Spans are byte offsets everywhere in the program. In files, offsets count code points.
package text
