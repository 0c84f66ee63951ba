package normalize

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

func TestInflectedVariants(t *testing.T) {
	for _, tc := range []struct {
		language   *language.Language
		name, want string // forms with bars between them
	}{
		{&language.French, "ulcere gastrique", "ulceres gastriques"},
		{&language.French, "cancer du sein", "cancers du sein"},
		{&language.French, "ulceres", ""},
		{&language.French, "anevrisme cerebral", "anevrismes cerebraux"},
		{&language.Spanish, "infeccion urinaria", "infecciones urinarias"},
		{&language.Spanish, "ulcera de estomago", "ulceras de estomago"},
		{&language.German, "lungenentzundung", "lungenentzundungen"},
		{&language.German, "blase", "blasen"},
		{&language.German, "herzinfarkt", "herzinfarkte|herzinfarkten|herzinfarkts|herzinfarktes"},
		{&language.German, "atopische dermatitis", "atopischen dermatitis|atopischer dermatitis|atopisches dermatitis|atopischem dermatitis"},
		{&language.German, "magen", "magens"},
		{&language.German, "typ 2", ""},
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
		"cancer du sein,fievre":                  &language.French,
		"infeccion del tracto,gripe,tos del rio": &language.Spanish,
		"lungenentzundung,grippe":                &language.German,
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
