package normalize

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// checkPairs checks the result of a relation for two strings, separated by a slash, in both orders.
func checkPairs(t *testing.T, relation func(a, b string) bool, want bool, pairs ...string) {
	t.Helper()
	for _, pair := range pairs {
		a, b, _ := strings.Cut(pair, "/")
		if relation(a, b) != want || relation(b, a) != want {
			t.Errorf("%s: %t and %t, want %t", pair, relation(a, b), relation(b, a), want)
		}
	}
}

func TestAreOpposed(t *testing.T) {
	checkPairs(t, AreOpposed, true,
		"left/right", "acute/chronic", Stem("acute")+"/"+Stem("chronic"), "hypotension/hypertension",
		Stem("hypokalemia")+"/"+Stem("hyperkalemia"), "bradycardia/tachycardia", "1/2", "b6/b12", "c7/c6", "2a/2b", "b/c",
		"alpha/beta", "overactive/underactive", "exophthalmos/enophthalmos", "function/dysfunction", Stem("symptomatic")+"/"+Stem("asymptomatic"),
		"reversible/irreversible", "hodgkin/nonhodgkin", "st/nonst", "ventricular/supraventricular",
		"pulmonary/extrapulmonary", "first/second", ">3/<3", ">3/3", "0.5/0.05", "3+/2+", "c/c++", "c#/c++", "mg/ug", "g/mg", "h1n1/h3n2", "t1n0m0/t2n0m0", "active/latent",
		"krebsangst/krebs", "penicillinallergie/penicillin", "abnormal/normal", Stem("presence")+"/"+Stem("absence"))
	checkPairs(t, AreOpposed, false,
		"hypotension/hyperkalemia",  // different rest
		"hypo/hyper",                // no rest
		"b6/c6",                     // of different series; more than a letter
		"brca1/brca2",               // more than three letters: often names of one disease
		"neuropathy/polyneuropathy", // a subtype
		"b/2", "alpha/b", "left/left", "kidney/renal", "/a")
}

func TestExcludeEachOther(t *testing.T) {
	checkPairs(t, ExcludeEachOther, true,
		"vitamin A deficiency/vitamin D deficiency", "Ⅱ型糖尿病/1型糖尿病", "9型糖原病/8型糖原病", "甲状腺機能亢進症/甲状腺機能低下症",
		"右大腿骨骨折/左大腿骨骨折", "慢性肝炎/急性肝炎", "hepatitis A/hepatitis B", "migraine without aura/migraine with aura",
		"stage IIIA lung cancer/lung cancer, stage IIIB", "second degree burn/first-degree burn",
		"stroke/history of stroke", "known allergies/no known allergies", "breast cancer/risk assessment of breast cancer",
		"Hepatitis B/Hepatitis-B-Impfung", "cancer du sein/dépistage du cancer du sein", "diabete/rischio di diabete",
		"Schilddrüsenunterfunktion/Schilddrüsenüberfunktion", "dolor/sin dolor", "Fieber mit Husten/Fieber ohne Husten", "ipotiroidismo/ipertiroidismo", "titer 1:10/titer 10:1",
		"hipotensión/hipertensión", "smell/loss of smell", "linksseitige Lähmung/rechtsseitige Lähmung",
		"bösartiger Tumor/gutartiger Tumor", "weibliche Infertilität/männliche Infertilität", "Gewichtsabnahme/Gewichtszunahme",
		"genou gauche/genou droit", "riñón derecho/riñón izquierdo", "polmone destro/polmone sinistro",
		"CD4+ T cell/CD4(-) T cell", "O+/O-", "Rh+ blood/Rh- blood", "INR > 3/INR <3", "INR 3/INR > 3", "C++/C", "HER2 3+/HER2 2+",
		"age under 65/age over 65 years", "below-knee amputation/above-knee amputation", "stage 3A cancer/stage IIIB cancer", "x .5 mg tablet/x 5 mg tablet", "x 1 g/x 1 mg", "smoking/smoking cessation", "alcohol/alcohol dependence", "x 5 mg/x 5 ug", "bcl2-positive/Bcl2−", "non-small cell lung cancer/small cell lung cancer", "non-ST elevation infarction/ST elevation infarction")
	checkPairs(t, ExcludeEachOther, false,
		"甲状腺1型/副腎2型",                        // of different words
		"右大腿骨骨折/右上腕骨骨折",                     // another name, which string comparison distinguishes
		"type IID disease/type IIC disease", // often of one concept
		"hepatitis B vaccine/hepatitis B vaccination", "milk allergy/milk hypersensitivity", "familial gout/gout",
		"allergic rhinitis/rhinitis", "CD4+ T cell/CD4-positive T cell", "x 0,5 mg/x .50mg tab", "x 5 micrograms/x 5 mcg", "1st-degree burn/first degree burn", "stage 3A cancer/stage IIIA cancer", "TNF-alpha/TNF alpha",
		"Ⅱ型糖尿病/2型糖尿病", "右大腿骨骨折/大腿骨骨折", "hepatitis A/hepatitis", "Crohn's disease/Crohn disease",
		"migraine without aura/migraine", "diabetes without complications/diabetes, without complication",
		"first and second branchial arch/first branchial arch", "left and right heart failure/left heart failure")
}

func TestAreReversed(t *testing.T) {
	checkPairs(t, AreReversed, true, "kidney disease due to hypertension/hypertension caused by kidney diseases",
		"renal failure secondary to sepsis/sepsis due to renal failure", "kidney failure after transplant/transplant following kidney failure")
	checkPairs(t, AreReversed, false, "kidney disease due to hypertension/kidney disease caused by hypertension",
		"gout/gout due to gout", "gout due to gout/gout caused by gout", "due to gout/gout due to")
}

func TestLikeness(t *testing.T) {
	for i, name := range []string{"other Papa", "Papa's other", "papa other", "PAPÁ OTHER", "papá other"} {
		must.Equal(t, Likeness(name, "papá other"), i, name)
	}
}

// TestExcludeEachOtherIsLinear checks that the time for a long mention is not quadratic in its number of words.
func TestExcludeEachOtherIsLinear(t *testing.T) {
	var long strings.Builder
	for i := range 100_000 {
		fmt.Fprint(&long, " word", i)
	}
	begin := time.Now()
	if ExcludeEachOther(long.String(), "acute word7 failure") || !ExcludeEachOther(long.String()+" acute", "chronic word7") {
		t.Error("acute does not exclude chronic alone")
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

// TestOppositesOfLongWords checks a word of megabytes, which takes hours if each of its suffixes is looked up.
func TestOppositesOfLongWords(t *testing.T) {
	word := strings.Repeat("osis", 1<<20)
	checkPairs(t, AreOpposed, true, word+"unterfunkt/"+word+"uberfunkt")
}
