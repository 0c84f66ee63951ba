package normalize

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

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
