package link

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// Species with an abbreviated genus are found and expanded, if the text or the dictionary determines the genus.
func TestSpecies(t *testing.T) {
	var concepts []kb.Concept
	for _, names := range []string{
		"Escherichia coli", "Staphylococcus aureus", "Clostridioides difficile|Clostridium difficile", "Plasmodium falciparum",
		"Caenorhabditis elegans", "Escherichia coli Infections", "Escherichia coli O157:H7", "Streptococcus pneumoniae",
		"Mycobacterium tuberculosis", "Candida albicans", "Cryptosporidium parvum", "Corynebacterium parvum", "heart failure",
		"liver failure", "atrial fibrillation", "helicobacter pylori infection", "Staphylococcus epidermidis", "vitamin E",
		"adenocarcinoma", "cervix adenocarcinoma", "influenza in humans", "dysraphia status", "familial polyposis coli",
		"B. cereus", "influenza humans", "abdomina rubber", "systolic blood pressure",
	} {
		all := strings.Split(names, "|")
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(strings.ToLower(all[0])), Name: all[0], Synonyms: all[1:]})
	}
	dict := kb.NewDictionary(concepts)
	tagger, _, err := matcher.NewTagger(dict, matcher.DefaultNameFilter())
	must.Succeed(t, err)
	genera := model.NewDictionaryIndexes(dict).Genera
	for body, want := range map[string]string{
		"We grew E. coli.":                        "E. coli=escherichia coli",
		"S. aureus was found.":                    "S. aureus=staphylococcus aureus",
		"Stool had C. difficile.":                 "C. difficile=clostridioides difficile",
		"P. falciparum, C. elegans":               "P. falciparum=plasmodium falciparum C. elegans=caenorhabditis elegans",
		"Strain of E.coli grew.":                  "E.coli=escherichia coli",
		"E coli in urine":                         "E coli=escherichia coli",
		"She had E. coli O157:H7.":                "E. coli O157:H7=escherichia coli o157:h7",
		"She had an E. coli infection.":           "E. coli infection=escherichia coli infections",
		"Staph. aureus, Staph aureus":             "Staph. aureus=staphylococcus aureus Staph aureus=staphylococcus aureus",
		"Strep. pneumoniae grew.":                 "Strep. pneumoniae=streptococcus pneumoniae",
		"M. tuberculosis grew.":                   "M. tuberculosis=mycobacterium tuberculosis",
		"C. albicans grew.":                       "C. albicans=candida albicans",
		"C. parvum was found.":                    "", // of two genera
		"Cryptosporidium hominis, C. parvum":      "C. parvum=cryptosporidium parvum",
		"Corynebacterium parvum. C. parvum":       "Corynebacterium parvum=corynebacterium parvum C. parvum=corynebacterium parvum",
		"Entamoeba coli. E. coli":                 "", // another species
		"E. Smith, E. Coli":                       "",
		"She took vitamin E. coli grew.":          "vitamin E=vitamin e",
		"H. failure, a. fibrillation":             "",
		"A. fibrillation, L. failure":             "",
		"Treat H. pylori infection.":              "H. pylori infection=helicobacter pylori infection",
		"Staphylococcus, S. epidermidis":          "S. epidermidis=staphylococcus epidermidis",
		"The U.S. aureus trial":                   "",
		"Diastolic and mean pressure (DP and MP)": "",
		"Systolic and diastolic blood pressure (SBP and DBP, respectively); SBP": "SBP=systolic blood pressure " +
			"SBP=systolic blood pressure",
		"Clostridium difficile, C. difficile": "Clostridium difficile=clostridioides difficile " +
			"C. difficile=clostridioides difficile",
		"Vitamin D status; a (vitamin D status)": "",
		"Stages B and C adenocarcinomas":         "adenocarcinomas=adenocarcinoma",
		"In humans. A rubber balloon":            "",
		"Bacillus cereus and B. cereus":          "B. cereus=b. cereus", // a name as it is written
	} {
		found := TagDocument(&text.Document{Text: body}, tagger, abbrev.FindImplied(body, genera)...)
		var got []string
		for _, m := range found.Mentions {
			for _, concept := range m.Concepts {
				got = append(got, m.Of(body)+"="+string(concept))
			}
			if long, _ := abbrev.NewExpander(body, abbrev.FindImplied(body, genera)...).Expand(m.Of(body), m.Start); len(tagger.Tag(nil, long)) != 1 {
				t.Errorf("%q: %q is expanded to %q", body, m.Of(body), long)
			}
		}
		must.Equal(t, strings.Join(got, " "), want, "found in", body)
	}
	for _, surface := range []string{"E. Smith", "H. failure", "C. parvum"} {
		_, expanded := abbrev.NewExpander(surface, abbrev.FindImplied(surface, genera)...).Expand(surface, 0)
		must.Equal(t, expanded, false, surface, "is expanded")
	}
}
