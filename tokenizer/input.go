package tokenizer

import "github.com/ctxnorm/ctxnorm/text"

// The markers around a mention.
const (
	startMarker = "[ENT]"
	endMarker   = "[/ENT]"
)

// MinTokens is the smallest MaxTokens: [CLS] [ENT] one token [/ENT] [SEP].
const MinTokens = 5

// Options are the options of [Tokenizer.Encode].
type Options struct {
	// MaxTokens is the length of the longest input, with [CLS], [SEP] and markers, at
	// least [MinTokens].
	MaxTokens int
	// MarkAll marks every mention of the document that is in the query's sentence, not
	// only the queried one.
	MarkAll bool
	// Offsets sets Input.Offsets.
	Offsets bool
}

// TokenSpan is a half-open range of tokens, IDs[Start:End].
type TokenSpan struct {
	Start, End int
}

// Len returns the number of tokens.
func (s TokenSpan) Len() int { return s.End - s.Start }

// Input is a tokenized query: [CLS] sentence [SEP], with its mentions marked.
type Input struct {
	IDs   []int32
	Query TokenSpan // the queried mention with its two markers
	// Others are the other marked mentions with their markers, in the order of the
	// sentence. OtherMentions[i] is the position of Others[i] in the mentions of the
	// document.
	Others        []TokenSpan
	OtherMentions []int
	// Offsets are the byte spans of the tokens in the document's text. Those of [CLS],
	// [SEP] and the markers are empty. Nil unless Options.Offsets is set.
	Offsets []text.Span
}
