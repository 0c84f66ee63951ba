package normalize

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

func TestVariants(t *testing.T) {
	tests := []struct{ name, want string }{ // a word that must not follow space has a hyphen before it
		{"liver cancer", "liver cancers, livercancer"},
		{"cancers of the breast", "cancer of the breast, cancers of the breasts"},
		{"tumor", "tumors, tumour, tumours"},
		{"tumours", "tumor, tumors, tumour"},
		{"haemorrhage", "haemorrhages, hemorrhage, hemorrhages"},
		{"stenosis", "stenoses"},
		{"metastases", "metastasis"},
		{"psoriatic arthritis", "psoriatic arthritides"},
		{"vasculitides", "vasculitis"},
		{"pulmonary embolus", "pulmonary emboli"},
		{"varix", "varices"},
		{"anomaly", "anomalies"},
		{"abscess", "abscesses"},
		{"reflex", "reflexes"},
		{"rash", "rashes"},
		{"herpes", ""},
		{"virus", ""},
		{"diabetes", ""},
		{"drugs", ""}, // the name of a class
		{"gout", "gouts"},
		{"flu", ""},
		{"hepatitis c", ""},
		{"type 2", "type ii, type2"},
		{"brake pad", "brake pads"}, // a word of three letters, but not alone
		{"pad", ""},
		{"アルツハイマー病", "アルツハイマ病"},
		{"ビール", ""},
		{"エイズ", ""},
		{"糖尿病", ""},
		{"ß", ""},
		{"tnf α", "tnf alpha, tnf-a, tnfalpha, tnfα"},
		{"tnf alpha", "tnf alphas, tnf α, tnf-a, tnfalpha, tnfα"},
		{"tnfα", "tnf alpha, tnf α, tnf-a, tnfalpha"},
		{"α thalassemia", "alpha thalassemia, α thalassaemia, α thalassaemias, α thalassemias"},
		{"α", ""},
		{"ααα", ""},
		{"ω 3", "omega 3, ω iii"},
		{"βサラセミア", "β サラセミア, ベータ サラセミア, ベータサラセミア, ベーター サラセミア, ベーターサラセミア"},
		{"ベータサラセミア", "β サラセミア, βサラセミア, ベータ サラセミア, ベーター サラセミア, ベーターサラセミア"},
		{"tnf α阻害薬", "tnf α 阻害薬, tnf アルファ 阻害薬, tnf アルファー 阻害薬, tnf アルファー阻害薬, tnf アルファ阻害薬, tnfα阻害薬, tnfアルファー阻害薬, tnfアルファ阻害薬"},
		{"抗α", "抗 alpha, 抗 α, 抗 アルファ, 抗 アルファー, 抗-a, 抗alpha, 抗アルファ, 抗アルファー"},
		{"アルファルファ", "α ルファ, αルファ, アルファ ルファ, アルファー ルファ, アルファールファ"}, // which no text has
		{"アルファ", ""},
		{"タウリン", ""}, // "τリン酸化" is no taurine
		{"τ蛋白", "τ 蛋白, τたんぱく, τタンパク, タウ 蛋白, タウ蛋白"},
		{"ウイルス性肝炎", "ウィルス性肝炎"},
		{"頸椎症", "頚椎症"},
		{"2型糖尿病", "ii型糖尿病, 二型糖尿病"},
		{"第viii因子欠乏症", "第8因子欠乏症, 第八因子欠乏症"},
		{"12型", ""}, {"a1型", ""}, {"十二型", ""}, {"型", ""},
		{"αβ遺伝子", ""},
		{"μ受容体", ""},
	}
	for _, test := range tests {
		var forms []string
		for _, v := range Variants(test.name) {
			form := v.Form
			if v.Hyphen > 0 {
				var n Normalizer
				n.Normalize(v.Form)
				at := n.Tokens()[v.Hyphen].Normal.Start
				if form[at-1] != ' ' {
					t.Errorf("%q: token %d of %q follows no space", test.name, v.Hyphen, form)
				}
				form = form[:at-1] + "-" + form[at:]
			}
			forms = append(forms, form)
		}
		slices.Sort(forms)
		if diff := cmp.Diff(test.want, strings.Join(slices.Compact(forms), ", ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.name, diff)
		}
	}
}

func FuzzVariants(f *testing.F) {
	for _, name := range []string{"liver cancers", "TNF-α", "tumour of the brain", "糖尿病", "a of", "TNF-α1阻害薬", "抗ベータﾞ", "アルファ 1波"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		name := Normal(raw)
		if name == "" {
			return
		}
		for _, v := range Variants(name) {
			if v.Form == name || Normal(v.Form) != v.Form {
				t.Errorf("%q: variant %q is the name or not in normal form", name, v.Form)
			}
			var n Normalizer
			n.Normalize(v.Form)
			for _, at := range []int{v.Hyphen, v.Gap} {
				if at < 0 || at >= len(n.Tokens()) || at > 0 && n.Tokens()[at].Joined {
					t.Errorf("%q: variant %q has no gap before token %d", name, v.Form, at)
				}
			}
		}
	})
}

func TestJoinedVariants(t *testing.T) {
	tests := []struct {
		name string
		code bool
		want string
	}{ // a word that must not follow space has a hyphen before it
		{"COVID 19", true, "COVID19"},
		{"covid19", false, "covid 19"},
		{"IL6", true, "IL-6"}, // "IL 6" may be anything
		{"IL 6", true, "IL6"},
		{"SARS CoV 2", true, "SARSCoV 2, SARS CoV2, SARSCoV2"},
		{"SARS CoV 2", false, "SARS CoV2"},
		{"K ras", true, "Kras"},
		{"IL 1 2", true, "IL1 2"}, // not IL 12
		{"type 2 diabetes", false, "type2 diabetes, type 2diabetes, type2diabetes"},
		{"gout", false, ""}, {"", false, ""}, {"2型", false, ""}, {"5", true, ""},
	}
	for _, test := range tests {
		var got []string
		for _, v := range JoinedVariants(test.name, test.code) {
			form := v.Form
			if v.Hyphen > 0 {
				words := strings.Split(form, " ")
				form = strings.Join(words[:v.Hyphen], " ") + "-" + strings.Join(words[v.Hyphen:], " ")
			}
			got = append(got, form)
		}
		if diff := cmp.Diff(test.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestJoinedForm(t *testing.T) {
	for name, want := range map[string]string{
		"IL-6": "il6", "Il 6": "il6", "k-ras": "kras", "SARS CoV-2": "sarscov2", "NF-κB": "", "IL-1 2": "il1 2", "HbA1c": "hba1c",
		"": "", "T2": "", "interleukin 17 receptor": "", "糖尿病": "", "-": "",
	} {
		got, ok := JoinedForm(name)
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

// TestVariantsOfLongName checks that the variants of a name take time in proportion to its
// length: by the square of its words these take minutes.
func TestVariantsOfLongName(t *testing.T) {
	done := make(chan []Variant, 1)
	go func() { done <- Variants(strings.Repeat("breast cancer ", 75_000) + "asthma") }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("a name of 1 MB still has no variants after 20 s")
	}
	for _, word := range []string{"alpha ", "aα ", "α型", "アルファ"} {
		if n := len(Variants(strings.Repeat(word, 75_000) + "x")); n > 100 {
			t.Errorf("%q, many times: %d variants of 1 MB", word, n)
		}
	}
}

// byName returns a language.
func byName(name string) *language.Language {
	return language.Languages[slices.IndexFunc(language.Languages, func(l *language.Language) bool { return l.Name == name })]
}

func TestInflectedVariants(t *testing.T) {
	for _, tc := range []struct {
		language   *language.Language
		name, want string // forms with bars between them
	}{
		{byName("French"), "ulcere gastrique", "ulceres gastriques"},
		{byName("French"), "cancer du sein", "cancers du sein"},
		{byName("French"), "ulceres", ""},
		{byName("French"), "anevrisme cerebral", "anevrismes cerebraux"},
		{byName("Spanish"), "infeccion urinaria", "infecciones urinarias"},
		{byName("Spanish"), "ulcera de estomago", "ulceras de estomago"},
		{byName("German"), "lungenentzundung", "lungenentzundungen"},
		{byName("German"), "blase", "blasen"},
		{byName("German"), "herzinfarkt", "herzinfarkte|herzinfarkten|herzinfarkts|herzinfarktes"},
		{byName("German"), "atopische dermatitis", "atopischen dermatitis|atopischer dermatitis|atopisches dermatitis|atopischem dermatitis"},
		{byName("German"), "magen", "magens"},
		{byName("German"), "typ 2", ""},
		{byName("German"), "herzschwaeche", "herzschwaechen|herzschwache"},
		{byName("German"), "frequenz neu", ""},
		{nil, "ulcere gastrique", ""},
	} {
		var got []string
		for _, v := range InflectedVariants(tc.name, tc.language) {
			got = append(got, v.Form)
		}
		if strings.Join(got, "|") != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestLanguageOf(t *testing.T) {
	for names, want := range map[string]*language.Language{
		"":                                       nil,
		"river fever,flood":                      nil,
		"cancer du sein,fievre":                  byName("French"),
		"infeccion del tracto,gripe,tos del rio": byName("Spanish"),
		"lungenentzundung,grippe":                byName("German"),
		strings.Repeat("river fever,", 20) + "mal de mer": nil, // one of 21
	} {
		if got := LanguageOf(slices.Values(strings.Split(names, ","))); got != want {
			t.Errorf("%.40s: not in the language that was wanted", names)
		}
	}
}

func TestPossessiveVariants(t *testing.T) {
	for name, want := range map[string]string{
		"alzheimer disease":   "alzheimers disease|alzheimer s disease",
		"alzheimer s disease": "alzheimers disease|alzheimer disease",
		"graves disease":      "",
		"kidney syndrome":     "kidneys syndrome|kidney s syndrome",
		"renal disease":       "",
		"behcet s":            "", // as a code
		"disease":             "",
	} {
		var got []string
		for _, v := range possessiveVariants(strings.Split(name, " ")) {
			got = append(got, v.Form)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
