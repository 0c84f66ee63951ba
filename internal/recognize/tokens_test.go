package recognize

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/text"
)

// TestTokenize: words, other characters one by one, and possessives that are no tokens.
func TestTokenize(t *testing.T) {
	for body, want := range map[string]string{
		"Kaposi's sarcoma.":      "Kaposi sarcoma .",
		"of Parkinson’s disease": "of Parkinson disease",
		"that of Huntington's":   "that of Huntington",
		"Alzheimer 's disease":   "Alzheimer disease",
		"the 'sarcoma' 's":       "the ' sarcoma ' ' s",
		"Graves' disease":        "Graves ' disease",
		"type-2 (HbA1c), 5'side": "type - 2 ( HbA1c ) , 5 ' side",
		"naïve\u0301 'scores' ":  "naïve\u0301 ' scores '",
		" 's":                    "' s",
		"":                       "",
	} {
		tokens := tokenize(body, text.Span{Start: 0, End: len(body)})
		raw := make([]string, len(tokens))
		for i, token := range tokens {
			raw[i] = token.raw
			if token.Of(body) != token.raw {
				t.Errorf("%q: token %q is at %v", body, token.raw, token.Span)
			}
		}
		if got := strings.Join(raw, " "); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}
