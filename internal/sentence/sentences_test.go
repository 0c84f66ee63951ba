package sentence

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/text"
)

// cases are texts whose sentences are separated by "|", which is removed before
// splitting.
var cases = []struct{ name, marked string }{
	{"empty", ""},
	{"white space", " \t\n "},
	{"one", "Tumours shrank."},
	{"no full stop", "A case of renal cell carcinoma"},
	{"two", "Tumours shrank. |No patient died."},
	{"other ends", "Does it help? |It does! |Good."},
	{"quote", "He said \"it helps.\" |Nobody agreed."},

	{"e.g.", "Drugs, e.g. Aspirin, were stopped."},
	{"e.g. in brackets", "Some drugs (e.g., NSAIDs) were stopped. |Others were not."},
	{"i.e.", "The second arm, i.e. Placebo, did worse."},
	{"vs.", "Aspirin vs. Placebo was studied."},
	{"Fig.", "As Fig. A shows, it fell. |So did the rest."},
	{"Figs.", "See Figs. B and C."},
	{"Dr.", "It was read by Dr. Jones. |She agreed."},
	{"et al. before a name", "Smith et al. Nature 2003 reported it."},
	{"et al. at the end", "It was first seen by Smith et al. |The cause is unknown."},
	{"et al. and a year", "Smith et al. (2003) found none."},
	{"DR is no title", "Eyes with DR. |Jones saw them."},

	{"initial", "The method of J. Smith was used."},
	{"initials", "The method of J. R. Smith was used."},
	{"initials without a space", "The method of J.R. Smith was used."},
	{"genus", "S. aureus and E. coli grew."},
	{"genus and serovar", "S. Typhimurium and S. Enteritidis grew."},
	{"species", "Candida spp. were found. |Candida spp. |The rest was sterile."},
	{"subspecies", "Francisella tularensis subsp. Holarctica was found."},
	{"hepatitis B", "They had hepatitis B. |Patients with hepatitis C. |Controls had neither."},
	{"vitamins", "It lacks vitamins A and C. |Scurvy follows."},
	{"end of a unit", "It was kept at 4 C. |Samples were thawed at 37 °C. |Cells grew to 5 mg/L. |They died."},
	{"dotted", "It was given i.v. Doses rose."},
	{"dotted and an opener", "It was approved in the U.S. |The dose is 5 mg."},

	{"address", "It is at www.example.org. |Nobody looked."},

	{"decimals", "It fell by 3.5 mm (p = 0.05; p <.01). |It rose later."},
	{"number", "Trial No. 5 began in Jan. 2003 and ended. |The answer was no. |Nobody came."},

	{"closing bracket", "It fell (see above.) |It rose."},
	{"closing bracket on its own", "It fell (see above. ) |It rose."},
	{"items below a heading", "PLAN\n|1. Aspirin. \n|2. Rest."},
	{"a number on a line of its own", "It was 3 and then\n10. |Later it fell."},
	{"inside brackets", "Few (n = 12. Table 2) were cured. |Most died."},
	{"square brackets", "It was seen [Smith J. Lancet 2003. London] before. |It was rare."},
	{"list", "1) First. |2) Second."},
	{"list without full stops", "1) Fever was high |2) Cough was mild |3) No rash"},
	{"list of numbers", "1. Fever was high. |2. Cough was mild."},
	{"list of numbers without full stops", "1. Fever was high |2. Cough was mild |3. Rash"},
	{"list after a colon", "Diagnoses: 1. Hypertension. |2. Diabetes. |3. Gout."},
	{"list after a colon without full stops", "Diagnoses: 1. Hypertension |2. Diabetes |3. Gout"},
	{"list of letters", "a. Fever was high |b. Cough was mild |c. Rash"},
	{"list of numbers with brackets", "1.) Fever was high |2.) Cough was mild"},
	{"list of bullets", "• Fever was high |• cough was mild"},
	{"list of bullets and numbers", "• 9. Fever was high |• 10. Cough was mild"},
	{"no list", "1. Patients had a mean of 2. |Controls had 3. |A. Most had hepatitis B. |Controls had none."},
	{"numbers in brackets", "1) Values were equal (2) Values rose"},
	{"Roman numeral of a title", "Embolism: I. Is it rare?"},

	{"citation in brackets", "Fever is common.[3] |Cough is rare.[4, 5-7] |No rash."},
	{"citation as superscript", "It was seen in that group.11 12 |Later trials agreed.3,4 |Others did not."},
	{"no citation", "It rose to 3.5 Units and vol.3 Part was read."},

	{"opener after an abbreviation", "It was approved in the U.S. |How is it used? |He and I. |Did she?"},
	{"exclamation mark in a name", "She works at Yahoo! in accounting. |It is large! |So it is."},
	{"source of a quotation", "He wrote \"it helps\" (Smith 55). |She did not."},
	{"number sign", "It is at N°. 1026. |This is no. A13 here."},
	{"title", "It was read by Capt. Jones."},
	{"bracket never closed", "The first (of two. |The second."},

	{"lower-case gene", "Cells were lysed. |mRNA was read. |p53 was high. |pH fell. |iPSCs grew."},
	{"lower-case gene after an abbreviation", "Some genes, e.g. p53, and proteins vs. mRNA levels."},
	{"lower case", "It fell to approx. half. in vitro tests agreed"},

	{"broken over lines", "Renal cell\ncarcinoma is rare.\n|It is treated\r\nby surgery."},
	{"blank line", "Renal cell carcinoma\n\n|It is treated by surgery."},
	{"blank line with spaces", "Renal cell carcinoma\n  \n|It is treated by surgery."},
	{"abbreviation at a line's end", "Aspirin vs.\nPlacebo was studied."},

	{"Japanese", "糖尿病の患者である。|高血圧はない。|治療した。"},
	{"Japanese brackets", "胃癌（術後。詳細は別記）の患者。|肺炎である（未治療）。|次の文。"},
	{"Japanese full stops of papers", "発熱を認めた．|体温は３８．５度であった．|解熱した。"},
	{"Japanese quotes", "「異常なし。」|経過は良い！|本当か？|はい。"},
	{"Greek", "TNF-α fell. |β-blockers helped. |Α was first."},
	{"other full stops", "它很罕见。|Ｉt is rare． |Yes‼ |No"},
}

// TestIsCitation has superscripts and what is before them.
func TestIsCitation(t *testing.T) {
	for _, test := range []struct {
		before, superscript string
		want                bool
	}{
		{"fever", "3", true}, {"fever", "3,4", true}, {"fever.", "[1]", true}, {"fever", "a, b", true}, {"kg,", "2", true}, {"pain", "a", true}, {"age", "a", false},
		{"m", "2", false}, {"m", "2,3", true}, {"min", "-1", false}, {"Ser", "473", false}, {"Ser", "4,7", true},
		{"10", "5", false}, {"NAD", "+", false}, {"CD4", "a", false}, {"", "13", false}, {"fever", "", false}, {"fever", "z", false},
	} {
		if got := IsCitation(test.before, test.superscript); got != test.want {
			t.Errorf("%q after %q: %t, want %t", test.superscript, test.before, got, test.want)
		}
	}
}

func TestSentences(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var want []string
			for part := range strings.SplitSeq(c.marked, "|") {
				if part = strings.TrimSpace(part); part != "" {
					want = append(want, part)
				}
			}
			text := strings.ReplaceAll(c.marked, "|", "")
			var got []string
			for _, s := range Split(text) {
				got = append(got, s.Of(text))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Sentences(%q) (-want +got):\n%s", text, diff)
			}
		})
	}
}

func TestLongSentences(t *testing.T) {
	spaced := strings.Repeat("word ", 1000) // 5,000 bytes, white space at 4, 9, 14 …
	unspaced := strings.Repeat("症", 1000)   // 3,000 bytes, no white space
	for _, c := range []struct {
		name, text string
		want       []text.Span
	}{
		// The last white space of the first 2,000 bytes is byte 1,999.
		{"white space", spaced, []text.Span{{Start: 0, End: 1999}, {Start: 2000, End: 3999}, {Start: 4000, End: 4999}}},
		// 666 runes of 3 bytes are 1,998.
		{"runes", unspaced, []text.Span{{Start: 0, End: 1998}, {Start: 1998, End: 3000}}},
		{"not UTF-8", strings.Repeat("\x80", 2001), []text.Span{{Start: 0, End: 2000}, {Start: 2000, End: 2001}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Split(c.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAround(t *testing.T) {
	const body = "  It fell. It rose.\n\nIt ended.  "
	//            0 2       10 11      19 21      30
	for _, c := range []struct {
		name string
		m    text.Span
		want string
	}{
		{"inside", text.Span{Start: 5, End: 9}, "It fell."},
		{"whole sentence", text.Span{Start: 11, End: 19}, "It rose."},
		{"across one boundary", text.Span{Start: 5, End: 13}, "It fell. It rose."},
		{"across two", text.Span{Start: 5, End: 25}, "It fell. It rose.\n\nIt ended."},
		{"with the white space after it", text.Span{Start: 24, End: 31}, "It ended. "},
		{"white space", text.Span{Start: 19, End: 21}, "\n\n"},
		{"empty", text.Span{Start: 12, End: 12}, "It rose."},
		{"outside", text.Span{Start: -4, End: 4000}, body},
		{"reversed", text.Span{Start: 14, End: 3}, "It rose."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Around(body, c.m).Of(body); got != c.want {
				t.Errorf("Around(%v) = %q, want %q", c.m, got, c.want)
			}
		})
	}
	if got := Around("", text.Span{Start: 3, End: 5}); got != (text.Span{}) {
		t.Errorf("Around of an empty text = %v, want an empty span", got)
	}
}

// checkSentences checks what Split guarantees for any text.
func checkSentences(t *testing.T, text string) {
	t.Helper()
	spans := Split(text)
	last := 0
	for _, s := range spans {
		if s.Start < last || s.End <= s.Start || s.End > len(text) {
			t.Fatalf("Sentences(%q): span %v after one that ends at %d", text, s, last)
		}
		if between := text[last:s.Start]; strings.TrimSpace(between) != "" {
			t.Fatalf("Sentences(%q): %q is in no sentence", text, between)
		}
		if s.Of(text) != strings.TrimSpace(s.Of(text)) || s.Len() > maxBytes {
			t.Fatalf("Sentences(%q): %q is not trimmed or too long", text, s.Of(text))
		}
		if utf8.ValidString(text) && !utf8.ValidString(s.Of(text)) {
			t.Fatalf("Sentences(%q): %v cuts a character", text, s)
		}
		if got := Around(text, s); got != s {
			t.Fatalf("Around(%q, %v) = %v", text, s, got)
		}
		last = s.End
	}
	if rest := text[last:]; strings.TrimSpace(rest) != "" {
		t.Fatalf("Sentences(%q): %q is in no sentence", text, rest)
	}
}

// atoms are the parts of random texts: the characters and words that the rules look at.
var atoms = []string{" ", " ", " ", "\n", "\r\n", "\n\n", ".", ".", "!", "?", "(", ")", "[", "]", "\"", "”", ",", ";",
	"a", "B", "fell", "The", "Smith", "e.g", "al", "Fig", "mRNA", "p53", "7", "3.5", "。", "」", "症", "α", "É", "́", "\u00ad", "\u0085",
	"\u2028", "‼", "．", "\u00a0",
	"1.", "2.", "1)", " 2) B", "• ", "a.", ".[3] B", ".4 The", "\xff", "\xe3\x80"}

func TestRandom(t *testing.T) {
	for seed := range uint64(3000) {
		random := rand.New(rand.NewPCG(seed, 1))
		var text strings.Builder
		for range random.IntN(60) {
			text.WriteString(atoms[random.IntN(len(atoms))])
		}
		checkSentences(t, text.String())
	}
}

func FuzzSentences(f *testing.F) {
	for _, c := range cases {
		f.Add(c.marked)
	}
	f.Add(strings.Repeat("word ", 500))
	f.Fuzz(func(t *testing.T, text string) { checkSentences(t, text) })
}

func BenchmarkSentences(b *testing.B) {
	const abstract = "Hepatotoxicity of acetaminophen (APAP) is a leading cause of acute liver failure, e.g. in the U.S. " +
		"We studied 1,203 patients (median age 45.5 years; 52% women) with TNF-α levels ≥ 3.5 pg/mL. " +
		"Mortality was 12.4% vs. 8.1% in controls (p < 0.001). mRNA of CYP2E1 was raised (Fig. 2). " +
		"As Smith et al. showed, S. aureus sepsis was the most frequent complication. "
	text := strings.Repeat(abstract, 5) // about 1.9 kB: a long abstract
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if len(Split(text)) != 25 {
			b.Fatalf("%d sentences, want 25", len(Split(text)))
		}
	}
}
