package lists

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
)

// dictionary contains the names for the tests.
var dictionary = strings.Split("breast cancer|colon cancer|ovarian cancer|cancer of the breast|cancer of the ovary|"+
	"left bundle branch block|right bundle branch block|SCA1|SCA2|SCA3|HSV-1|HSV-2|hepatitis A|hepatitis B|hepatitis E|"+
	"vitamin A deficiency|vitamin D deficiency|renal failure|renal hypertension|hypertension|hypoglycemia|hyperglycemia|"+
	"Herzversagen|Nierenversagen|Magengeschwüre|Magenblutungen|diabetes tipo 1|diabetes tipo 2|alpha-thalassemia|"+
	"beta-thalassemia|nausea|vomiting|gout|CD4-|CD8-|CD48-|osteodystrophy|renal osteodystrophy", "|")

func isName(s string) bool {
	return slices.ContainsFunc(dictionary, func(name string) bool { return strings.EqualFold(name, s) })
}

func isWord(s string) bool {
	has := func(name string) bool {
		return slices.Contains(strings.Fields(strings.ToLower(name)), strings.ToLower(s))
	}
	return slices.ContainsFunc(dictionary, has)
}

// TestFind lists the members of the lists in texts, separated by bars, with the pieces of each separated by dots.
func TestFind(t *testing.T) {
	for body, want := range map[string]string{
		"with breast and ovarian cancer.":      "breast cancer = breast…cancer | ovarian cancer",
		"breast, colon, and/or ovarian cancer": "breast cancer = breast…cancer | colon cancer = colon…cancer | ovarian cancer",
		"the breast/ovarian cancer":            "breast cancer = breast…cancer | ovarian cancer",
		"breast/colon/ovarian cancer":          "breast cancer = breast…cancer | colon cancer = colon…cancer | ovarian cancer",
		"hepatitis A and E":                    "hepatitis A | hepatitis E = hepatitis…E",
		"gout, breast & ovarian cancer":        "breast cancer = breast…cancer | ovarian cancer",
		"cancer of the breast and ovary":       "cancer of the breast | cancer of the ovary = cancer of the…ovary",
		"left and right bundle branch block":   "left bundle branch block = left…bundle branch block | right bundle branch block",
		"vitamin A and D deficiency":           "vitamin A deficiency = vitamin A…deficiency | vitamin D deficiency = vitamin…D deficiency",
		"SCA1, 2 and 3 were seen":              "SCA1 | SCA2 = SCA…2 | SCA3 = SCA…3",
		"HSV-1 and -2":                         "HSV-1 | HSV-2 = HSV-…2",
		"and hypo- or hyperglycemia.":          "hypoglycemia = hypo…glycemia | hyperglycemia",
		"alpha- and beta-thalassemia":          "alpha-thalassemia = alpha-…thalassemia | beta-thalassemia",
		"Herz- und Nierenversagen":             "Herzversagen = Herz…versagen | Nierenversagen",
		"Magengeschwüre und -blutungen":        "Magengeschwüre | Magenblutungen = Magen…blutungen",
		"hepatitis A/B coinfection":            "hepatitis A | hepatitis B = hepatitis…B",
		"HSV-1/2":                              "HSV-1 | HSV-2 = HSV-…2",
		"vitamin A/vitamin D deficiency":       "vitamin A deficiency = vitamin A…deficiency | vitamin D deficiency",
		"hepatitis A/B/C":                      "", // hepatitis C is not in the dictionary
		"SCA1/2/3 were seen":                   "SCA1 | SCA2 = SCA…2 | SCA3 = SCA…3",
		"SCA1/2/2024":                          "",
		"diabetes tipo 1 y 2":                  "diabetes tipo 1 | diabetes tipo 2 = diabetes tipo…2",
		"SCA1 and 3 controls":                  "", // three of them
		"hepatitis B and a fever":              "",
		"renal failure and hypertension":       "", // both are names
		"renal failure and osteodystrophy":     "", // also a name
		"nausea and vomiting":                  "",
		"CD4- and CD8-":                        "", // no word in two parts
		"breast. And ovarian cancer":           "",
		"breast (and ovarian cancer)":          "",
		"lung and ovarian cancer":              "", // not a name of the dictionary
		"hepatitis A and A":                    "",
	} {
		var found []text.Span
		for _, name := range dictionary {
			if at := strings.Index(strings.ToLower(body), strings.ToLower(name)); at >= 0 {
				found = append(found, text.Span{Start: at, End: at + len(name)})
			}
		}
		slices.SortFunc(found, text.Span.Compare)
		var got []string
		for _, l := range Find(body, found, isWord, isName) {
			got = append(got, shown(body, l.Members))
		}
		must.Equal(t, strings.Join(got, "\n"), want, body)
	}
}

// shown formats members, with their pieces unless a member occurs unchanged in the text.
func shown(body string, members []Member) string {
	all := make([]string, len(members))
	for i, m := range members {
		var pieces []string
		for _, piece := range m.Pieces {
			pieces = append(pieces, piece.Of(body))
		}
		all[i] = m.Text
		if joined := strings.Join(pieces, "…"); joined != m.Text {
			all[i] += " = " + joined
		}
	}
	return strings.Join(all, " | ")
}

// TestSplitByNames checks that the names of the dictionary determine what the members of a mention share.
func TestSplitByNames(t *testing.T) {
	for surface, want := range map[string]string{
		"SCA1, 2 and 3":                  "SCA1 | SCA2 = SCA…2 | SCA3 = SCA…3",
		"renal failure and hypertension": "renal failure | hypertension",
		"gout and breast cancer":         "gout | breast cancer",
		"nausea; breast/ovarian cancer":  "nausea | breast cancer = breast…cancer | ovarian cancer",
		"nausea, gout":                   "nausea | gout", // in a table cell
		"nausea/gout":                    "nausea | gout",
		"SCA1/HSV-2 + gout":              "SCA1 | HSV-2 | gout",
		"cancer, breast":                 "",
		"CD4- and CD8-":                  "CD4- | CD8-",
	} {
		members, _ := Split(surface, isName)
		must.Equal(t, shown(surface, members), want, surface)
	}
}
