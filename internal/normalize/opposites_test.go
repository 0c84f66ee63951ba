package normalize

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestAreOpposed(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"left", "right", true},
		{"acute", "chronic", true},
		{Stem("acute"), Stem("chronic"), true},
		{"hypotension", "hypertension", true},
		{Stem("hypokalemia"), Stem("hyperkalemia"), true},
		{"bradycardia", "tachycardia", true},
		{"hypotension", "hyperkalemia", false}, // another rest
		{"hypo", "hyper", false},               // no rest
		{"1", "2", true},
		{"b6", "b12", true},
		{"b6", "c6", false}, // of different series; the letters are not alone
		{"c7", "c6", true},
		{"2a", "2b", true},
		{"b", "c", true},
		{"b", "2", false},
		{"alpha", "beta", true},
		{"alpha", "b", false},
		{"brca1", "brca2", false}, // more than three letters: often names of one disease
		{"overactive", "underactive", true},
		{"exophthalmos", "enophthalmos", true},
		{Stem("symptomatic"), Stem("asymptomatic"), true},
		{"reversible", "irreversible", true},
		{"hodgkin", "nonhodgkin", true},
		{"st", "nonst", true},
		{"ventricular", "supraventricular", true},
		{"pulmonary", "extrapulmonary", true},
		{"first", "second", true},
		{"neuropathy", "polyneuropathy", false}, // a kind of it
		{"left", "left", false},
		{"kidney", "renal", false},
		{"", "a", false},
	} {
		for _, pair := range [][2]string{{tc.a, tc.b}, {tc.b, tc.a}} {
			if got := AreOpposed(pair[0], pair[1]); got != tc.want {
				t.Errorf("AreOpposed(%q, %q) is %t, want %t", pair[0], pair[1], got, tc.want)
			}
		}
	}
}

func TestExcludeEachOther(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"vitamin A deficiency", "vitamin D deficiency", true},
		{"Ⅱ型糖尿病", "1型糖尿病", true},
		{"Ⅱ型糖尿病", "2型糖尿病", false},
		{"9型糖原病", "8型糖原病", true},
		{"甲状腺1型", "副腎2型", false}, // of other words
		{"甲状腺機能亢進症", "甲状腺機能低下症", true},
		{"右大腿骨骨折", "左大腿骨骨折", true},
		{"右大腿骨骨折", "大腿骨骨折", false},
		{"右大腿骨骨折", "右上腕骨骨折", false}, // another name, which strings tell apart
		{"慢性肝炎", "急性肝炎", true},
		{"hepatitis A", "hepatitis B", true},
		{"hepatitis A", "hepatitis", false},
		{"Crohn's disease", "Crohn disease", false},
		{"migraine without aura", "migraine with aura", true},
		{"migraine without aura", "migraine", false},
		{"diabetes without complications", "diabetes, without complication", false},
		{"stage IIIA lung cancer", "lung cancer, stage IIIB", true},
		{"type IID disease", "type IIC disease", false}, // often of one concept
		{"second degree burn", "first-degree burn", true},
		{"first and second branchial arch", "first branchial arch", false},
		{"non-small cell lung cancer", "small cell lung cancer", true},
		{"non-ST elevation infarction", "ST elevation infarction", true},
		{"left and right heart failure", "left heart failure", false},
	} {
		for _, pair := range [][2]string{{tc.a, tc.b}, {tc.b, tc.a}} {
			if got := ExcludeEachOther(pair[0], pair[1]); got != tc.want {
				t.Errorf("ExcludeEachOther(%q, %q) is %t, want %t", pair[0], pair[1], got, tc.want)
			}
		}
	}
}

// A long mention takes no time by the square of its words.
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
