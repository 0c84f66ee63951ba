package kbfile

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// languageNames maps language names that occur in column names to their codes.
var languageNames = map[string]string{
	"english": "en", "german": "de", "deutsch": "de", "french": "fr", "français": "fr", "spanish": "es", "español": "es",
	"italian": "it", "italiano": "it", "portuguese": "pt", "português": "pt", "dutch": "nl", "japanese": "ja",
	"chinese": "zh", "swedish": "sv", "danish": "da", "norwegian": "no", "finnish": "fi", "polish": "pl", "czech": "cs",
}

// selectsLanguage reports whether a language is in selected, the non-empty value of [Options.Language]: "ENG" in UMLS
// and "en" or "en-GB" in XML are the same.
func selectsLanguage(selected, language string) bool {
	return selected == "*" || slices.ContainsFunc(strings.Split(selected, ","), func(wanted string) bool {
		return strings.EqualFold(wanted, language) || baseLanguage(wanted) == baseLanguage(language)
	})
}

// baseLanguage returns the code of a language without region and script, or the tag itself if it is unknown.
func baseLanguage(tag string) string {
	tag = strings.ToLower(strings.TrimSpace(tag))
	if code, ok := languageNames[tag]; ok {
		return code
	}
	known, err := language.Parse(tag)
	if err != nil {
		return tag
	}
	base, _ := known.Base()
	return base.String()
}
