//go:build torch

package tokenizer

import "ctxnorm"

// The markers around a mention.
const (
	EntStart = "[ENT]"
	EntEnd   = "[/ENT]"
)

// MinTokens is the shortest window: [CLS] [ENT] one token [/ENT] [SEP].
const MinTokens = 5

// Options of [Tokenizer.Encode].
type Options struct {
	// MaxTokens is the longest input, [CLS], [SEP] and markers included. At
	// least MinTokens.
	MaxTokens int
	// MarkAll marks every mention of the document that lies in the query's
	// sentence, and not only the queried one.
	MarkAll bool
	// Offsets asks for Input.Offsets.
	Offsets bool
}

// TokenSpan is a half-open range of tokens, IDs[Start:End].
type TokenSpan struct {
	Start, End int
}

// Len is the number of tokens.
func (s TokenSpan) Len() int { return s.End - s.Start }

// Input is a tokenized query: [CLS] sentence [SEP], with its mentions marked.
type Input struct {
	IDs   []int32
	Query TokenSpan // the queried mention, its two markers included
	// Others are the other marked mentions, markers included, in the order of
	// the sentence. OtherMentions[i] is the position of Others[i] in the
	// document's Mentions.
	Others        []TokenSpan
	OtherMentions []int
	// Offsets are the bytes of the document's text that each token was made
	// of; empty spans for [CLS], [SEP] and the markers. Nil unless asked for.
	Offsets []ctxnorm.Span
}
