package lists

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

func TestSplit(t *testing.T) {
	tests := []struct{ surface, want string }{ // want: the sub-mentions, separated by |
		// Modifiers share the words after the last.
		{"breast and ovarian cancer,", "breast cancer|ovarian cancer"},
		{"breast and/or ovarian cancer", "breast cancer|ovarian cancer"},
		{"hand/oral disease", "hand disease|oral disease"}, // not "and/or"
		{"breast/ovarian cancer", "breast cancer|ovarian cancer"},
		{"blood pressure 120/80", ""},
		{"breast & ovarian cancer", "breast cancer|ovarian cancer"},
		{"cardiac or renal failure", "cardiac failure|renal failure"},
		{"brain, breast, and prostate cancer", "brain cancer|breast cancer|prostate cancer"},
		{"prostatic, pancreas, skin and lung cancer", "prostatic cancer|pancreas cancer|skin cancer|lung cancer"},
		{"Duchenne and Becker muscular dystrophy", "Duchenne muscular dystrophy|Becker muscular dystrophy"},
		// Complements share the words before the first.
		{"cancers of the breast and ovary", "cancers of the breast|cancers of the ovary"},
		{"cancer of breast, ovary or colon", "cancer of breast|cancer of ovary|cancer of colon"},
		{"deficiency of C6 and C7", "deficiency of C6|deficiency of C7"},
		{"thrombosis of the artery and the sinus", "thrombosis of the artery|thrombosis of the sinus"},
		{"cancer of the breast and loss of weight", "cancer of the breast|loss of weight"},
		// Designators.
		{"hepatitis B and C", "hepatitis B|hepatitis C"},
		{"hepatitis A, B and C", "hepatitis A|hepatitis B|hepatitis C"},
		{"hepatitis B and C infection", "hepatitis B infection|hepatitis C infection"},
		{"C6 or C7 deficiency", "C6 deficiency|C7 deficiency"},
		{"stage II and III carcinoma", "stage II carcinoma|stage III carcinoma"},
		{"type 1 or type 2 diabetes", "type 1 diabetes|type 2 diabetes"},
		// Prefixes.
		{"hypo- and hyperglycaemia", "hypoglycaemia|hyperglycaemia"},
		{"pre- or postnatal growth failure", "prenatal growth failure|postnatal growth failure"},
		// Mentions apart from each other.
		{"asthma; high blood pressure", "asthma|high blood pressure"},
		{"gout;T2DM; ", "gout|T2DM"},
		{"gout; type 1 and type 2 diabetes", "gout|type 1 diabetes|type 2 diabetes"},
		{"asthma;", ""},
		// Whole names.
		{"nausea and vomiting", "nausea|vomiting"},
		{"nausea, vomiting and headache", "nausea|vomiting|headache"},
		{"renal failure and hepatic encephalopathy", "renal failure|hepatic encephalopathy"},
		{"nephropathy and breast cancer", "nephropathy|breast cancer"},
		// Japanese.
		{"胃癌及び大腸癌", "胃癌|大腸癌"},
		{"胃癌、および大腸癌", "胃癌|大腸癌"},
		{"高血圧と糖尿病", "高血圧|糖尿病"},
		{"悪心、嘔吐", "悪心|嘔吐"},
		{"悪心・嘔吐・めまい", "悪心|嘔吐|めまい"},
		{"急性または慢性腎不全", "急性腎不全|慢性腎不全"},
		{"肝・腎機能障害", "肝機能障害|腎機能障害"},
		{"胃・十二指腸潰瘍", "胃潰瘍|十二指腸潰瘍"},
		{"１型・２型糖尿病", "１型糖尿病|２型糖尿病"},
		{"B型及びC型肝炎", "B型肝炎|C型肝炎"},
		{"B・C型肝炎", "B型肝炎|C型肝炎"},
		{"乳がんや子宮がん", "乳がん|子宮がん"},
		{"ギラン・バレー症候群", ""},
		{"ひとみの病", ""},
		{"及び胃癌", ""},
		{"胃癌と", ""},
		{"胃癌", ""},
		{"1) gout 2) asthma", "gout|asthma"},
		{"1.  gout\n2.  breast and ovarian cancer", "gout|breast cancer|ovarian cancer"},
		{"(1)gout, (2)asthma; fever", "gout|asthma|fever"},
		{"1) gout", ""},
		// Not composite.
		{"", ""},
		{"breast cancer", ""},
		{"neoplasms, breast", ""},
		{"and ovarian cancer", ""},
		{"breast and", ""},
		{"and", ""},
		{"B and C", "B|C"},
		{"a/c ratio", ""},
		{"Anderson disease", ""},
	}
	for _, test := range tests {
		split, _ := Split(test.surface, isNone)
		must.Equal(t, strings.Join(textsOf(split), "|"), test.want, test.surface)
	}
}

// TestSplitLongMention checks that a passage is not split, because each of its members might take all of its words.
func TestSplitLongMention(t *testing.T) {
	if got, _ := Split(listOfMany(20), isNone); len(got) != 21 {
		t.Errorf("%d names of 21 members", len(got))
	}
	if got, _ := Split(listOfMany(5000), isNone); got != nil {
		t.Errorf("%d names of a long mention, want none", len(got))
	}
}

// FuzzSplit searches for a single sub-mention, for empty ones, and for words that the mention does not contain.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"breast and/or ovarian cancer", "B and C", "a,, b/ccc & , d", "hypo- and hyper", "of of and of", "type 1 and type", "\xff and \xff x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, surface string) {
		split, _ := Split(surface, isNone)
		names := textsOf(split)
		if len(names) == 1 {
			t.Errorf("%q: one sub-mention, %q", surface, names)
		}
		for _, name := range names {
			if strings.TrimSpace(name) == "" {
				t.Errorf("%q: empty sub-mention in %q", surface, names)
			}
			for word := range strings.FieldsSeq(name) {
				if !strings.Contains(surface, word) && !hasWordPrefix(word) {
					t.Errorf("%q: the word %q of %q is new", surface, word, name)
				}
			}
		}
	})
}

// hasWordPrefix reports whether splitPrefixes may have made the word.
func hasWordPrefix(word string) bool {
	_, ok := normalize.CutWordPrefix(strings.ToLower(word), 0)
	return ok
}

// isNone is isName for a dictionary without names.
func isNone(string) bool { return false }

func textsOf(members []Member) []string {
	var texts []string
	for _, m := range members {
		texts = append(texts, m.Text)
	}
	return texts
}

func listOfMany(n int) string {
	var list strings.Builder
	for i := range n {
		fmt.Fprintf(&list, "aaa%d, ", i)
	}
	return list.String() + "and " + strings.Repeat("bbb ", n)
}
