package sense

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/text"
)

// TestWordsAround compares the words around a mention with those that are expected.
func TestWordsAround(t *testing.T) {
	for _, tc := range []struct{ text, mention, as, want string }{
		{"severe asthma in children", "asthma", "", "children sever"},
		{"asthma, and asthma in children", "asthma", "", "children"},                    // not the same word elsewhere
		{"AD in children with eczema", "AD", "atopic dermatitis", "children eczem"},     // nor the short form
		{"AD in children; eczema (AD)", "AD", "atopic dermatitis", "ad children eczem"}, // but where it stands twice
		{"AD in children with dermatitis", "AD", "atopic dermatitis", "children"},       // nor those of the long form
		{"of the AD", "AD", "atopic dermatitis", ""},
	} {
		start := strings.Index(tc.text, tc.mention)
		m := text.Mention{Span: text.Span{Start: start, End: start + len(tc.mention)}}
		doc := &text.Document{Text: tc.text, Mentions: []text.Mention{m}}
		q := text.Query{Document: doc, Mention: m, Sentence: text.Span{End: len(tc.text)}}
		if tc.as != "" {
			q = q.WithSurface(tc.as)
		}
		if got := NewDocuments().WordsAround(&q); !slices.Equal(strings.Fields(tc.want), got) {
			t.Errorf("%q of %q as %q: words %q, want %q", tc.mention, tc.text, tc.as, got, tc.want)
		}
	}
}
