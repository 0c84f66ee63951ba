//go:build torch

package tokenizer

// The markers around a mention.
const (
	EntStart = "[ENT]"
	EntEnd   = "[/ENT]"
)

// Options of [Tokenizer.Encode].
type Options struct {
	// MaxTokens is the longest input, [CLS], [SEP] and markers included.
	MaxTokens int
	// MarkAll marks every mention of the document that lies in the query's
	// sentence, and not only the queried one.
	MarkAll bool
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
	// the sentence. Mentions[i] is the position of Others[i] in the document's
	// Mentions.
	Others   []TokenSpan
	Mentions []int
}
