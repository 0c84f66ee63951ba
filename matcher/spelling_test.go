package matcher

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestSpelling(t *testing.T) {
	tests := []struct{ name, want string }{
		{"", ""},
		{"—", ""},
		// British
		{"Haemorrhagic tumours", "hemorrhagic tumor"},
		{"oesophageal oedema", "esophageal edema"},
		{"œsophagitis", "esophagitis"},
		{"paediatric anaemia", "pediatric anemia"},
		{"leukaemia", "leukemia"},
		{"diarrhoea, dyspnoea", "diarrhea dyspnea"},
		{"fibre behaviour", "fiber behavior"},
		{"hospitalisation", "hospitalization"},
		{"does", "doe"},
		// Plural
		{"neoplasms", "neoplasm"},
		{"anomalies", "anomaly"},
		{"abscesses", "abscess"},
		{"metastases", "metastasis"},
		{"diseases", "disease"},
		{"carcinomata", "carcinoma"},
		{"virus arthritis gas abscess", "virus arthritis gas abscess"},
		{"toes", "toe"},
		// Possessive
		{"Parkinson's disease", "parkinson disease"},
		{"Parkinson’s disease", "parkinson disease"},
		{"Parkinson 's disease", "parkinson disease"},
		{"Parkinsons disease", "parkinson disease"},
		{"protein S deficiency", "protein s deficiency"},
		{"5' end", "5 end"},
		{"'s", "s"},
		// Greek
		{"β-thalassaemia", "beta thalassemia"},
		{"TNFα", "tnfalpha"},
		{"καρκίνος", "καρκίνοσ"}, // a word of Greek
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
		// Any script
		{"2型糖尿病", "2型糖尿病"},
		{"рак лёгкого", "рак лёгкого"},
	}
	for _, test := range tests {
		if diff := gocmp.Diff(test.want, strings.Join(Spelling(test.name), " ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.name, diff)
		}
	}
}

// FuzzSpelling looks for names whose words are empty or hold a space, and for
// names with words that have none in this form.
func FuzzSpelling(f *testing.F) {
	for _, seed := range []string{"Parkinson 's disease", "type II", "TNFα", "hyper-", "aeoe", "\xff's", "`", "non 2型"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		words := Spelling(name)
		for _, word := range words {
			if word == "" || strings.Contains(word, " ") {
				t.Errorf("%q: word %q", name, word)
			}
		}
		if has := Normal(dropPossessive(name)) != ""; has != (len(words) > 0) {
			t.Errorf("%q: %q", name, words)
		}
	})
}
