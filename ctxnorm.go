// Package ctxnorm links mentions in text to the concepts of a dictionary, even when the
// dictionary lacks the wording. It learns from the dictionary and raw text alone.
//
// To link, [Open] a model folder and call [Model.LinkText] on a text whose mentions
// are marked, [Model.Annotate] on a text whose mentions are to be found, or
// [Model.Link] on documents with mentions. Without a model, read a dictionary with
// [ReadDictionary] and link to it by strings: [NewDictionaryModel]. To make a model,
// label sentences of texts, such as the abstracts of PubMed, with the names of a
// dictionary by [BuildCorpus], and call [Train].
//
// The method is BioCoM (Ujiie, Iso and Aramaki, 2021): sentences that hold a name of
// the dictionary are found by longest match; a BERT encoder is trained on them with
// Multi-Similarity loss, so that mentions of one concept lie near each other; and the
// nearest exemplars of a mention vote for its concept. Around it stand string
// similarity, abbreviations, composite mentions, the dictionary's hierarchy, and
// ranking weights that are learned without labels.
//
// # Two builds
//
// Without build tags everything but training works, in pure Go: a model with a BERT encoder
// is made from a base model as it is ([UntrainedEncoder]), opened, and links, on any
// platform. The tag torch, which needs libtorch and a Rust library, adds training
// ([ErrNoTraining] without it), GPUs, and the encoders that only libtorch and Hugging
// Face's tokenizers run ([ErrNoEncoder] without it).
//
// # Packages
//
// This package joins the others. Those that are public can be used directly:
//
//	kb, kb/kbfile       concepts, dictionaries and their files
//	text, text/formats  documents with mentions, and their files
//	text/linked         the result of linking
//	pubmed              PubMed XML
//	files               limits of memory and errors of files
//	matcher, corpus     the longest-match tagger and the corpus that it labels
//	memory              what curators said of a model
//	contrastive         losses, samplers and what a training recipe is
//	papers              recipes and linking methods of published systems
//	encoder, tokenizer  queries to vectors, and text to tokens
//	knnindex            vectors to nearest neighbors
//	eval                Acc@k, NIL and calibration of linkers on annotated documents
//
// ARCHITECTURE.md lists all packages, with those below internal.
package ctxnorm

import (
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// The types that the functions of this package take and return.
type (
	// Concept is one entry of a dictionary.
	Concept = kb.Concept
	// ConceptID identifies a concept, as the dictionary writes it: "MESH:D003924".
	ConceptID = kb.ConceptID
	// Dictionary is an immutable set of concepts with their names.
	Dictionary = kb.Dictionary

	// Document is a text with mentions. Offsets are bytes.
	Document = text.Document
	// Mention is a span of a document that names a concept.
	Mention = text.Mention
	// Span is a half-open range of bytes.
	Span = text.Span
	// Query is a mention in its sentence: what an encoder encodes.
	Query = text.Query

	// LinkedDocument is a document with its linked mentions, see package text/linked.
	LinkedDocument = linked.Document

	// Encoder turns queries into vectors.
	Encoder = text.Encoder
)
