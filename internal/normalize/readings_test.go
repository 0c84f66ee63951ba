package normalize

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// byName returns a language by its name.
func byName(name string) *language.Language {
	return language.Languages[slices.IndexFunc(language.Languages, func(l *language.Language) bool { return l.Name == name })]
}

func TestReadings(t *testing.T) {
	for _, tc := range []struct {
		language   *language.Language
		word, want string // forms separated by bars
	}{
		{nil, "neoplasms", "neoplasm"},
		{nil, "metastases", "metastasis"},
		{nil, "drugs", "drugs|drug"}, // the name of a class
		{nil, "pads", "pads|pad"},
		{nil, "drug", "drug"},
		{nil, "herpes", "herpes"},
		{nil, "rabies", "rabies"},
		{nil, "haemorrhages", "hemorrhages|hemorrhage"},
		{nil, "tumour", "tumor"},
		{nil, "vs", "versus"},
		{nil, "tnfα", "tnf alpha"},
		{nil, "tnfalpha", "tnf alpha"},
		{nil, "ikappab", "i kappa b"},
		{nil, "α", "alpha"},
		{nil, "καρκινοσ", "καρκινοσ"},
		{nil, "covid19", "covid19|covid 19"},
		{nil, "2d", "2d|2 d"},
		{nil, "hba1c", "hba1c"},
		{nil, "hayfever", "hayfever|hay fever"},
		{nil, "81mg", "81 mg"},
		{nil, "5mcg", "5 ug"},
		{nil, "cd4+", "cd4 positive|cd 4 positive"},
		{nil, "il1β", "il1 beta|il 1 beta"},
		{nil, "5ht3", "5ht3|5 ht3"},
		{nil, "sjoegren", "sjegren"},
		{nil, "糖", "糖"},
		{nil, strings.Repeat("a", 1<<20), strings.Repeat("a", 1<<20)},
		{byName("French"), "cerebraux", "cerebraux|cerebral"},
		{byName("French"), "ulceres", "ulceres|ulcere"},
		{byName("Spanish"), "infecciones", "infecciones|infeccione|infeccion"},
		{byName("German"), "lungenentzundungen", "lungenentzundungen|lungenentzundung|lungenentzundunge"},
		{byName("German"), "herzinfarktes", "herzinfarktes|herzinfarkte|herzinfarkt"},
		{byName("German"), "atopischen", "atopischen|atopische|atopisch"},
		{byName("German"), "herzschwaeche", "herzschwache|herzschwach"},
		{byName("German"), "frequenz", "frequenz"},
	} {
		must.Equal(t, strings.Join(Readings(nil, tc.word, tc.language), "|"), tc.want, tc.word)
	}
}

func FuzzReadings(f *testing.F) {
	for _, name := range []string{"liver cancers", "TNF-α", "tumour of the brain", "糖尿病", "TNF-α1阻害薬", "抗ベータﾞ", "5mg", "CD4+"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for word := range strings.FieldsSeq(Normal(raw)) {
			for _, of := range append(language.Languages, nil) {
				readings := Readings(nil, word, of)
				if len(readings) == 0 || slices.ContainsFunc(readings, func(s string) bool { return s == "" || strings.Trim(s, " ") != s }) {
					t.Errorf("%q is read as %q", word, readings)
				}
			}
		}
	})
}

func TestUnspacedReading(t *testing.T) {
	for _, tc := range []struct {
		text, form, stands string
		maybeAsIs          bool
	}{
		{"ベータサラセミア", "beta", "ベータ", false},
		{"アルファー波", "alpha", "アルファー", false},
		{"タウ蛋白", "tau", "タウ", true},
		{"ウィルス性肝炎", "ウイ", "ウィ", false},
		{"がん", "癌", "がん", false},
		{"二型糖尿病", "2", "二", false},
		{"viii因子", "8", "viii", false},
		{"糖尿病", "", "", true},
		{"12型", "", "", true},
		{"ー病", "", "", true},
	} {
		form, size, maybeAsIs := UnspacedReading([]byte(tc.text), 0)
		if form != tc.form || tc.text[:size] != tc.stands || maybeAsIs != tc.maybeAsIs {
			t.Errorf("%s: %q for %q, %t, want %q for %q, %t", tc.text, form, tc.text[:size], maybeAsIs, tc.form, tc.stands, tc.maybeAsIs)
		}
	}
	for text, want := range map[string]int{"アルツハイマー病": len("ー"), "アレルギー": len("ー"), "ビール": 0, "エイズー": 0, "十二型": 0} {
		at := max(strings.Index(text, "ー"), len("十"))
		if _, size, _ := UnspacedReading([]byte(text), at); size != want {
			t.Errorf("%s: a reading of %d bytes at %d, want %d", text, size, at, want)
		}
	}
}

func TestJoinedForm(t *testing.T) {
	for name, want := range map[string]string{
		"IL-6": "il6", "Il 6": "il6", "k-ras": "kra", "SARS CoV-2": "sarscov2", "NF-κB": "nfkb", "NF-kappa B": "nfkb", "TNF-alpha": "tnfa", "IL-1β": "il1b", "β cell": "", "beta cell": "betacell", "pH 7 pi": "ph7pi", "IL-1 2": "il1 2", "HbA1c": "hba1c",
		"club-feet": "clubfoot", "lamps, head": "headlamp", "T2": "", "interleukin 17 receptor": "", "糖尿病": "", "-": "",
	} {
		must.Equal(t, JoinedForm(name), want, name)
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
