package abbrev

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestHide(t *testing.T) {
	tests := []struct{ short, text, want string }{
		{"MS", "A case of multiple sclerosis (MS).", "A case of MS."},
		{"MS", "MS (multiple sclerosis) is rare.", "MS is rare."},
		{"AIDS", "The acquired immunodeficiency syndrome [AIDS] spreads.", "The AIDS spreads."},
		// Without a bracket.
		{"MS", "MS, short for multiple sclerosis, is rare.", "MS is rare."},
		{"MS", "Multiple sclerosis, or MS, is rare.", "MS is rare."},
		{"MS", "MS stands for multiple sclerosis, a disease.", "MS, a disease."},
		// Every other occurrence, in any case, number and spelling.
		{"AD", "Alzheimer's disease.\nWe saw Alzheimer disease (AD). ALZHEIMER DISEASE is not Alzheimer's-disease risk.", "AD.\nWe saw AD. AD is not AD risk."},
		{"EO", "Eye oedema (EO), later eye edemas.", "EO, later EO."},
		{"EO", "Eye oedema (EO). No eye. Oedema stayed.", "EO. No eye. Oedema stayed."},
		// A plural.
		{"AP", "Action potentials (APs) differ; one action potential and one AP.", "APs differ; one AP and one AP."},
		// The rest of the bracket is kept.
		{"MRI", "Magnetic resonance imaging (MRI; 3T) was done.", "MRI (3T) was done."},
		{"MRI", "Magnetic resonance imaging (MRI, see [4]) was done.", "MRI (see [4]) was done."},
		{"RA", "RA (rheumatoid arthritis; ICD M05) hurts.", "RA (ICD M05) hurts."},
		// Nested brackets.
		{"BMI", "A risk (body mass index [BMI] over 30) of gout.", "A risk (BMI over 30) of gout."},
		{"MCS", "MCS (multiple (chemical) sensitivity) is disputed.", "MCS is disputed."},
		// Marks of references and footnotes.
		{"SF", "A stone fever[4] (SF) and stone fever [5].", "A SF and SF [5]."},
		{"SF", "A stone fever* (SF[4,5])1,2 was seen.", "A SF ([4,5])1,2 was seen."},
		// Full-width brackets.
		{"CD", "Patients with celiac disease（CD）were seen.", "Patients with CDwere seen."},
		{"COPD", "慢性閉塞性肺疾患（COPD）の患者", "COPDの患者"},
		{"COPD", "COPD（chronic obstructive (pulmonary) disease）is common.", "COPDis common."},
		{"MRI", "Magnetic resonance imaging［MRI; 3T］ was done.", "MRI ［3T］ was done."},
		// Defined twice.
		{"CD", "Celiac disease (CD) again: celiac disease (CD).", "CD again: CD."},
		// Two long forms, one of them part of the other.
		{"CD", "Celiac disease (CD) or silent celiac disease (CD): celiac disease, silent celiac disease.", "CD or silent CD: CD, silent CD."},
		// Part of a longer long form: the definition of PAF is not hidden.
		{"AF", "Atrial fibrillation (AF) and paroxysmal atrial fibrillation (PAF).", "AF and paroxysmal AF (PAF)."},
		{"TB", "No definition of TB.", "No definition of TB."},
	}
	for _, test := range tests {
		got, ok := Hide(test.text, test.short)
		if diff := cmp.Diff(test.want, got); diff != "" || !ok {
			t.Errorf("%s in %q: %v (-want +got):\n%s", test.short, test.text, ok, diff)
		}
	}
}

// FuzzHide: the result is valid text, and contains no definition if Hide returns true.
func FuzzHide(f *testing.F) {
	f.Add("Celiac disease (CD) and CD（celiac disease）.", "CD")
	f.Add("COPD（chronic obstructive (pulmonary) disease）", "COPD")
	f.Add("a stone fever[4] (SF[5])1,2 and *lung scan* (**LS**)", "SF")
	f.Fuzz(func(t *testing.T, body, short string) {
		hidden, ok := Hide(body, short)
		if utf8.ValidString(body) && utf8.ValidString(short) && !utf8.ValidString(hidden) {
			t.Errorf("Hide(%q, %q) = %q, which is not UTF-8", body, short, hidden)
		}
		if ok == Defines(hidden, short) {
			t.Errorf("Hide(%q, %q) = %q, %v", body, short, hidden, ok)
		}
	})
}

func TestSpansOfAll(t *testing.T) {
	want := []text.Span{{Start: 0, End: 2}, {Start: 23, End: 25}, {Start: 30, End: 32}, {Start: 45, End: 47}, {Start: 59, End: 61}}
	must.Equal(t, SpansOf("AD, anti-AD, ADHD and (AD) in AD/MCI; ADs of AD. No AD-PK, AD-like.", "AD"), want)
	all := SpansOfAll("RF, anti-RF, RF2/RF, äRF T RF(RF) RFRF", []string{"RF", "RF2", "T RF", "äRF", "RF"})
	wantAll := map[string][]text.Span{
		"RF":  {{Start: 0, End: 2}, {Start: 17, End: 19}, {Start: 28, End: 30}, {Start: 31, End: 33}},
		"RF2": {{Start: 13, End: 16}}, "T RF": {{Start: 26, End: 30}},
		"äRF": {{Start: 21, End: 25}},
	}
	must.Equal(t, all, wantAll)
}
