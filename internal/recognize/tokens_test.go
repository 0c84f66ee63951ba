package recognize

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestTokenize: words, other characters one by one, and possessives, which are not tokens.
func TestTokenize(t *testing.T) {
	for body, want := range map[string]string{
		"Kaposi's sarcoma.":      "Kaposi sarcoma .",
		"of Parkinson’s disease": "of Parkinson disease", "PARKINSON'S DISEASE": "PARKINSON DISEASE",
		"that of Huntington's":   "that of Huntington",
		"Alzheimer 's disease":   "Alzheimer disease",
		"the 'sarcoma' 's":       "the ' sarcoma ' ' s",
		"Graves' diet–disease":   "Graves ' diet - disease",
		"type-2 (HbA1c), 5'side": "type - 2 ( HbA1c ) , 5 ' side",
		"naïve\u0301 'scores' ":  "naïve\u0301 ' scores '",
		" 's":                    "' s",
		"2型糖尿病の患者A":              "2 型 糖 尿 病 の 患 者 A", // no spaces between words
		"アレルギー性鼻炎":               "アレルギー 性 鼻 炎",
		"ไข้สูง":                 "ไ ข้ สู ง",
		"당뇨병 환자":                 "당뇨병 환자",
		"":                       "",
	} {
		tokens := tokenize(body, text.Span{Start: 0, End: len(body)})
		raw := make([]string, len(tokens))
		for i, token := range tokens {
			raw[i] = token.raw
			must.Equal(t, strings.ReplaceAll(token.Of(body), "–", "-"), token.raw, body, "token", token.Span)
		}
		must.Equal(t, strings.Join(raw, " "), want, body)
	}
}

// TestIsShort: a single letter may end a mention in scripts without spaces between words, unless it is a particle.
func TestIsShort(t *testing.T) {
	for word, want := range map[string]bool{"病": false, "の": true, "リウ": true, "リウマチ": false, "ms": true, "flu": false, "": true} {
		must.Equal(t, isShort(word), want, "isShort", word)
	}
}

// TestLongSentence: a sentence is cut after a comma in its second half, or at the length limit.
func TestLongSentence(t *testing.T) {
	long := strings.Repeat("病", 100)
	for body, want := range map[string][]int{
		long + "、" + long:                {101, 100},
		"病、" + long + long:               {160, 42},
		long + "、病、" + long + "、" + long: {103, 101, 100},
		strings.Repeat("sick ", 160):     {160},
		"sick, " + strings.Repeat("sick ", 120) + ", " + strings.Repeat("sick ", 50): {123, 50},
	} {
		var got []int
		for _, tokens := range sentencesOf(body, nil) {
			got = append(got, len(tokens))
		}
		must.Equal(t, got, want, body, "tokens")
	}
}
