package normalize

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestNormalize(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{" -- ", ""},
		{"Crohn's disease", "crohn s disease"},
		{"  Type-2 (diabetes) ", "type 2 diabetes"},
		{"Sjögren", "sjogren"},                               // composed
		{"Sjo\u0308gren", "sjogren"},                         // decomposed
		{"Bjørnstad, Weiß, Œdème", "bjornstad weiss oedeme"}, // letters without a decomposition
		{"ＡＩＤＳ　ﬁbrosis", "aids fibrosis"},                    // full-width, ligature
		{"ΤΑΥΣ τauς", "ταυσ τauσ"},                           // final sigma
		{"TNF-α, µ-opioid", "tnf α μ opioid"},                // micro sign is Greek mu
		{"syn\u00addrome zero\u200bwidth", "syndrome zerowidth"},
		{"10⁵ Ⅷ ½ Aspirin™ 37℃", "105 viii ½ aspirin 37"},
		{"\u0301 a.\u0301b", "a b"}, // an accent on nothing
		{"a\xffb", "a b"},           // not UTF-8
		{"２型糖尿病", "2型糖尿病"},
		{"肺癌　胃癌", "肺癌 胃癌"},
		{"ｶﾞﾝ、ガン", "ガン ガン"}, // half-width Katakana with its voicing mark
		{"IgA腎症 (IgA)", "iga腎症 iga"},
		{"น้ำตาล", "น้ำตาล"}, // Thai, with vowel signs
		{"당뇨병", "당뇨병"},
		{"CD4+ CD4- CD4−, (CD4–) CD4(-) CD4 (+) T", "cd4+ cd4− cd4− cd4− cd4− cd4+ t"}, // signs
		{"O-, Rh- blood, Ca²⁺ Na+-dependent p53-/- IgA+CD27+ CD4+CD25+", "o− rh− blood ca2+ na+ dependent p53−/− iga cd27+ cd4+ cd25+"},
		{"HER2 3+, C++ (C#) 5 % 2.5%", "her2 3+ c++ c# 5% 2.5%"},
		{"type-2 hypo- and hyperkalemia, Pre- or post-B- or T-cell, TNF- alpha IL-\n2", "type 2 hypo and hyperkalemia pre or post b or t cell tnf alpha il 2"},
		{"CD4- and CD8-positive, CD4-, CD8- cells, A/B- (+)-catechin Gram- rods", "cd4 and cd8 positive cd4− cd8− cells a b− catechin gram− rods"},
		{"INR > 3 p<.05 >=2 <= 4.0 ≤5 +/- 2 5±1 a->5", "inr >3 p <0.05 ≥2 ≤4 ≤5 ±2 5 ±1 a 5"},
		{".5 5.0 5.0mg 0.50 1,000 12,345,678 0,5 2,5 1.2.0 22q11.2 (.05) 2.5µg", "0.5 5 5mg 0.5 1000 12345678 0.5 2 5 1.2.0 22q11 2 0.05 2.5μg"},
		{"1,25-dihydroxy 3,4-di 10-20 mg 1:100, x: 1 T −2 -2.5 E11.9. 5", "1 25 dihydroxy 3 4 di 10 20 mg 1:100 x 1 t −2 −2.5 e11 9 5"},
		{"糖尿\r\n　病、高血\n\n压", "糖尿病 高血 压"},
		{"рак лёгкого, ЁЖ, йод", "рак легкого еж йод"},
		{"السُّكَّري أَلَم إلتهاب مـــرض", "السكري الم التهاب مرض"}, // vowel marks, hamza, a lengthening stroke
		{"סַכֶּרֶת", "סכרת"},
		{"ΠΝΕΥΜΟΝΊΑ πνευμονία", "πνευμονια πνευμονια"},
		{"IL-1ß, ß-thalassemia, 17ß, TGFß1", "il 1β β thalassemia 17β tgfβ1"},
		{"Fuß- und Maßstab, FUß", "fuss und massstab fuss"},
		{"Iɛ ĸB þ ð", "iε κb th d"},
	}
	for _, test := range tests {
		must.Equal(t, Normal(test.text), test.want, "Normal", test.text)
		checkNormal(t, test.text)
	}
}

func TestTokens(t *testing.T) {
	const text = "  Naïve2型のIgA-腎"
	var n Normalizer
	n.Normalize(text)
	normal := string(n.Normal())
	var got []string
	for _, token := range n.Tokens() {
		s := token.Raw.Of(text) + "=" + token.Normal.Of(normal)
		if token.Joined {
			s = "+" + s
		}
		got = append(got, s)
	}
	must.Equal(t, strings.Join(got, " "), "Naïve2=naive2 +型=型 +の=の +IgA=iga 腎=腎")
}

// TestCased checks that Cased preserves the case and drops everything else that Normal drops.
func TestCased(t *testing.T) {
	must.Equal(t, Cased("  TdP-Sjögren ΤΑΥΣ, Fuß"), "TdP Sjogren ΤΑΥΣ Fuss")
}

// TestNormalizeRunes checks every letter, mark, number and format character, alone and between others. In large uniform
// scripts it checks one character in 16.
func TestNormalizeRunes(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Cf) ||
			unicode.In(r, unicode.Han, unicode.Hangul, unicode.Cuneiform, unicode.Yi) && r%16 != 0 {
			continue
		}
		checkNormal(t, string(r))
		checkNormal(t, "a"+string(r)+"b"+string(r)+"病"+string(r))
		if t.Failed() {
			t.FailNow()
		}
	}
}

func FuzzNormalize(f *testing.F) {
	for _, seed := range []string{"Sjo\u0308gren’s", "ｶﾞﾝ2型", "น้ำ", "각\u11a8\u1161", "a\u00ad\u0301\ufe0f", "\xff\xc3",
		"CD4+CD25- (-) ≥.50%", "1,000.0.5µ−/−"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 200 { // checkNormal is cubic
			checkNormal(t, text)
		}
	})
}

// checkNormal checks that the tokens of a text are in order and cover its normal form, and that each run of tokens has
// the same normal form alone as within the text.
func checkNormal(t *testing.T, text string) {
	t.Helper()
	var n Normalizer
	n.Normalize(text)
	tokens, normal := n.Tokens(), string(n.Normal())
	must.Equal(t, Normal(normal), normal, text, "normal form of a normal form")
	end, written := 0, 0
	for i, token := range tokens {
		if token.Raw.Start < end || token.Raw.Len() <= 0 || token.Raw.End > len(text) {
			t.Fatalf("%q: token %d is at %v, the one before ends at %d", text, i, token.Raw, end)
		}
		space := 1
		if token.Joined || i == 0 {
			space = 0
		}
		if token.Normal.Start != written+space || token.Normal.Len() <= 0 {
			t.Fatalf("%q: token %d is at %v of the normal form, want start %d", text, i, token.Normal, written+space)
		}
		end, written = token.Raw.End, token.Normal.End
	}
	if written != len(normal) {
		t.Fatalf("%q: tokens end at %d of the normal form %q", text, written, normal)
	}
	for i := range tokens {
		for j := i; j < len(tokens); j++ {
			raw := text[tokens[i].Raw.Start:tokens[j].Raw.End]
			want := normal[tokens[i].Normal.Start:tokens[j].Normal.End]
			if got := Normal(raw); got != want {
				t.Fatalf("%q: tokens %d to %d, %q, have the normal form %q alone and %q within", text, i, j, raw, got, want)
			}
		}
	}
}

// TestMarkupIsLinear checks that the end tag is searched for once, and not again for each of 500,000 tags.
func TestMarkupIsLinear(t *testing.T) {
	if edits := Markup(strings.Repeat("a<b>", 500_000)); len(edits) > 0 {
		t.Errorf("%d edits of a text without an end tag, want none", len(edits))
	}
}
