package assertion

import (
	"strings"
	"testing"
)

// abstracts are sentences as abstracts have them, with the attributes that a reader gives their mentions (see
// letters). The terms for abstracts were written after them, so the figures are those of the development.
var abstracts = []struct{ text, want string }{
	{"These results suggest that aspirin reduces the risk of [stroke] in patients with [atrial fibrillation].", "- -"},
	{"Our data suggest that [obesity] is associated with [asthma].", "- -"},
	{"This finding suggests a role for interleukin-6 in [rheumatoid arthritis].", "-"},
	{"The lesion on MRI was suggestive of [glioma].", "u"},
	{"The biopsy suggested [sarcoidosis].", "u"},
	{"Statins may reduce [inflammation] in [chronic kidney disease].", "- -"},
	{"Vitamin D may be useful in the treatment of [psoriasis].", "-"},
	{"Smoking may be a risk factor for [Graves disease].", "-"},
	{"Hypoxia may be associated with [pulmonary hypertension].", "-"},
	{"The nodule may be [lung cancer].", "u"},
	{"Some of these patients may have [celiac disease].", "u"},
	{"Early treatment might be effective in preventing [dementia].", "-"},
	{"Screening could be considered for [colorectal cancer].", "-"},
	{"The rash could be [measles].", "u"},
	{"[Pneumonia] was suspected but [tuberculosis] was confirmed.", "u -"},
	{"A possible case of [lupus] was seen.", "u"},
	{"This polymorphism is a possible risk factor for [breast cancer].", "-"},
	{"We investigated the possible role of cytokines in [multiple sclerosis].", "-"},
	{"A possible mechanism of [hepatotoxicity] is discussed.", "-"},
	{"Probable [Alzheimer disease] was diagnosed in 12 patients.", "u"},
	{"Patients with [diabetes] are more likely to develop [nephropathy].", "- -"},
	{"Boys were likely to have [autism].", "u"},
	{"There was no association between coffee and [bladder cancer].", "-"},
	{"The drug had no effect on [hypertension].", "-"},
	{"No significant effect on [body weight] or [anemia] was seen.", "- -"},
	{"We found no relationship between height and [scoliosis].", "-"},
	{"Treatment did not improve [depression].", "-"},
	{"Exercise did not affect [obesity].", "-"},
	{"The risk of [stroke] was not significantly increased.", "-"},
	{"Sex was not associated with [osteoporosis].", "-"},
	{"None of the patients had [fever].", "n"},
	{"No patient developed [sepsis].", "n"},
	{"No cases of [rhabdomyolysis] were reported.", "n"},
	{"There was no evidence of [metastasis] at follow-up.", "n"},
	{"Patients without [diabetes] served as controls.", "n"},
	{"Patients without [diabetes] had a higher prevalence of [gout].", "n -"},
	{"In the absence of [heart failure], survival was 90 % at one year.", "n"},
	{"[Toxicity] was not observed.", "n"},
	{"Neither [nausea] nor [vomiting] occurred.", "n n"},
	{"[HIV] infection was ruled out in all donors.", "n"},
	{"No animals died, and [hepatitis] was induced in the remaining rats.", "-"},
	{"The drug is not toxic and prevents [epilepsy] in mice.", "-"},
	{"The etiology of [Crohn disease] is not known.", "-"},
	{"Little is known, and no drug is approved, for [Huntington disease].", "-"},
	{"Although no gene was found, [autism] is highly heritable.", "-"},
	{"Mutations were not found in families with [retinitis pigmentosa].", "-"},
	{"[Renal failure] cannot be excluded.", "u"},
	{"The differential diagnosis includes [lymphoma] and [tuberculosis].", "u u"},
	{"A 54-year-old man with a history of [hypertension] presented with [chest pain].", "h -"},
	{"A history of [depression] was reported by 30 patients.", "h"},
	{"The natural history of [hepatitis C] is variable.", "-"},
	{"Women with previous [preeclampsia] have a high risk of [stroke].", "h -"},
	{"A family history of [breast cancer] was present in 12 women.", "o"},
	{"Her mother had died of [ovarian cancer].", "o"},
	{"If [hyperkalemia] develops, the drug should be stopped.", "y"},
	{"We examined whether [obesity] causes [arthritis].", "- -"},
	{"Mothers of children with [asthma] were interviewed.", "-"},
	{"The patient's father carried the mutation but had no [ataxia].", "no"},
	{"Cells lacking the gene were resistant, suggesting that it causes [leukemia].", "-"},
	{"Doppler findings were consistent with [deep vein thrombosis].", "u"},
}

// TestAbstracts compares the attributes with those of the abstracts. An attribute is right if the
// reader gives it too.
func TestAbstracts(t *testing.T) {
	right, found, gold := 0, 0, 0
	for _, test := range abstracts {
		got := strings.Fields(classified(marked(test.text)))
		want := strings.Fields(test.want)
		if len(got) != len(want) {
			t.Fatalf("%s: %d mentions, want %d", test.text, len(got), len(want))
		}
		for i := range got {
			found += len(strings.Trim(got[i], "-"))
			gold += len(strings.Trim(want[i], "-"))
			for _, attribute := range strings.Trim(got[i], "-") {
				if strings.ContainsRune(want[i], attribute) {
					right++
				}
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Logf("%s: %s, want %s", test.text, strings.Join(got, " "), test.want)
		}
	}
	t.Logf("precision %d of %d, recall %d of %d", right, found, right, gold)
	const minRight, maxWrong = 30, 4
	if right < minRight || found-right > maxWrong {
		t.Errorf("%d attributes are right and %d wrong, want at least %d and at most %d", right, found-right, minRight, maxWrong)
	}
}
