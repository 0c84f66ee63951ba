package normalize

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestCanonicalTokens(t *testing.T) {
	tests := []struct{ name, want string }{
		{"", ""},
		{"—", ""},
		// Japanese
		{"ウィルス性肝炎", "ウイルス性肝炎"},
		{"Ⅱ型糖尿病", "2型糖尿病"},
		{"第八因子 二型", "第8因子 2型"},
		{"頚椎の癌、頸椎のがん", "颈椎の癌 颈椎の癌"},
		{"原発性鬱病、原発性うつ病", "原発性郁病 原発性郁病"},
		{"第三級 第三级", "第3级 第3级"},
		// Chinese
		{"高血壓 高血压", "高血压 高血压"},
		{"二型糖尿病 2型糖尿病", "2型糖尿病 2型糖尿病"},
		{"XII型 十二度", "xii型 十二度"},
		// British
		{"Haemorrhagic tumours; oesophageal oedema", "hemorrhagic tumor esophageal edema"},
		{"œsophagitis, paediatric anaemia, leukaemia", "esophagitis pediatric anemia leukemia"},
		{"diarrhoea, dyspnoea, fibre behaviour, hospitalisation, does", "diarrhea dyspnea fiber behavior hospitalization doe"},
		// Plural
		{"neoplasms anomalies abscesses metastases diseases", "neoplasm anomaly abscess metastasis disease"},
		{"carcinomata, dermatitides, otitides", "carcinoma dermatitis otitis"},
		{"hypertensive crises, microthrombi and varices", "hypertensive crisis microthrombus varix"},
		{"colonic diverticula; ureteral calculi", "colonic diverticulum ureteral calculus"},
		{"viruses virus arthritis gas abscess toes", "virus virus arthritis gas abscess toe"},
		{"E. coli, Fanconi", "e coli fanconi"},
		// Possessive
		{"Parkinson's disease", "parkinson disease"},
		{"PARKINSON’S DISEASE", "parkinson disease"},
		{"Parkinson 's disease", "parkinson disease"},
		{"Parkinsons disease", "parkinson disease"},
		{"protein S deficiency", "protein s deficiency"},
		{"5' end", "5 end"},
		{"'s", "s"},
		// Greek
		{"β-thalassaemia", "beta thalassemia"},
		{"TNFα", "tnf alpha"},
		{"TGFβ1, TGF-beta1, TGFbeta1", "tgf beta 1 tgf beta 1 tgf beta 1"},
		{"β2, γδ, 5μg, νόσος", "beta 2 gamma delta 5 ug νοσοσ"},
		{"καρκίνος", "καρκινοσ"}, // a Greek word
		// Shortened
		{"graft vs. host, migraine W/O aura, h/o stroke, IL6/H2", "graft versus host migraine without aura history stroke il6 h2"},
		// Roman
		{"type II diabetes", "type 2 diabetes"},
		{"glycogenosis iv", "glycogenosis 4"},
		{"type I", "type 1"},
		{"mucopolysaccharidosis I", "mucopolysaccharidosis 1"},
		{"factor V deficiency", "factor 5 deficiency"},
		{"fragile X", "fragile x"},
		{"I", "i"},
		{"vitamin C", "vitamin c"},
		// Prefix
		{"non-polyposis", "nonpolyposis"},
		{"hyper kalaemia", "hyperkalemia"},
		{"non-Hodgkin's", "nonhodgkin"},
		{"anti co x", "anticox"},
		{"pre", "pre"},
		// Function words
		{"cancer of the breast", "cancer breast"},
		{"of the", "of the"},
		{"non of", "nonof"},
		// Signs and units
		{"CD4+, CD4(-) and ER-negative", "cd4 positive cd4 negative er negative"},
		{"HER2 3+, C++, p53-/-, Rh- blood", "her2 3+ c++ p53−/− rh negative blood"},
		{"aspirin 81mg tab", "aspirin 81 mg tablet"},
		{"2,5 mg 1,000mg/1.5ml caps.", "2.5 mg 1000 mg 1.5 ml capsule"},
		{"5 µg, 5mcg; a tab", "5 ug 5 ug tab"},
		{"1,25-dihydroxyvitamin D", "1 25 dihydroxyvitamin d"},
		// Any script
		{"2型糖尿病", "2型糖尿病"},
		{"рак лёгкого", "рак легкого"},
	}
	for _, test := range tests {
		must.Equal(t, strings.Join(CanonicalTokens(test.name), " "), test.want, test.name)
	}
}

// TestCanonicalTokensOfManyPrefixes checks that consecutive prefixes become one token with the next word, in linear
// time.
func TestCanonicalTokensOfManyPrefixes(t *testing.T) {
	const n = 200_000 // took minutes when each prefix was joined to those before
	got := CanonicalTokens(strings.Repeat("anti ", n) + "body")
	if want := strings.Repeat("anti", n) + "body"; len(got) != 1 || got[0] != want {
		t.Errorf("%d tokens, want one of %d bytes", len(got), len(want))
	}
}

// FuzzCanonicalTokens searches for tokens that are empty or contain a space, and for names with words but no tokens.
func FuzzCanonicalTokens(f *testing.F) {
	for _, seed := range []string{"Parkinson 's disease", "type II", "TNFα", "hyper-", "aeoe", "\xff's", "`", "non 2型"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		words := CanonicalTokens(name)
		for _, word := range words {
			if word == "" || strings.Contains(word, " ") {
				t.Errorf("%q: word %q", name, word)
			}
		}
		must.Equal(t, Normal(dropPossessive(name)) != "", len(words) > 0, name, words)
	})
}

func TestCutWordPrefix(t *testing.T) {
	tests := []struct {
		word    string
		minRest int
		want    string
		found   bool
	}{
		{"hyperthyroidism", 4, "thyroidism", true},
		{"polyposis", 4, "posis", true},
		{"predict", 4, "dict", true},
		{"predict", 5, "", false},
		{"cardiology", 4, "logy", true}, // not "rdiology" after "co"
		{"gout", 1, "", false},
	}
	for _, test := range tests {
		if got, found := CutWordPrefix(test.word, test.minRest); got != test.want || found != test.found {
			t.Errorf("CutWordPrefix(%q, %d) = %q, %t, want %q, %t", test.word, test.minRest, got, found, test.want, test.found)
		}
	}
}

// TestContentWordsVersion detects content words that differ from those stored in models.
func TestContentWordsVersion(t *testing.T) {
	const version, want = 7, "7894114e5495ca86"
	files, err := filepath.Glob("../../examples/pubmed/*.xml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	hash := fnv.New64a()
	fmt.Fprintln(hash, ContentWords("βサラセミア、Ⅱ型糖尿病、ウィルス性肝炎"))
	for _, file := range append(files, "../../examples/dictionary.tsv") {
		content := must.Get(os.ReadFile(file))
		for line := range strings.Lines(string(content)) {
			fmt.Fprintln(hash, ContentWords(line))
		}
	}
	if got := fmt.Sprintf("%x", hash.Sum(nil)); got != want || version != ContentWordsVersion {
		t.Errorf("content words have the hash %s, and version %d %s: raise ContentWordsVersion, and have both here", got, version, want)
	}
}

// TestRememberedForms reads more words than fit into the cache, twice, to check that a word's forms do not depend on
// earlier words.
func TestRememberedForms(t *testing.T) {
	for range 2 {
		for i := range rememberedForms + 100 {
			text := fmt.Sprintf("type II of anaemic x%dgens", i)
			want := []string{"type", "2", "anemic", fmt.Sprintf("x%dgen", i)}
			if got := CanonicalTokens(text); !slices.Equal(got, want) {
				t.Fatalf("tokens of %q: %q, want %q", text, got, want)
			}
			stems := []string{"2", "anem", "type", want[3]} // -ic goes; sorted
			slices.Sort(stems)
			if got := ContentWords(text); !slices.Equal(got, stems) {
				t.Fatalf("content words of %q: %q, want %q", text, got, stems)
			}
		}
	}
}
