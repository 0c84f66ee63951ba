package linktest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Field is a made-up field of medicine: its diseases are an organ and a kind, or one word. Texts mention all of
// them; the dictionary has half.
type Field struct {
	Names, Hidden []string // in the dictionary, and not
	Dictionary    *kb.Dictionary
	Documents     []*text.Document
}

// NewField returns the field with so many documents. It is always the same.
func NewField(documents int) *Field {
	r := rand.New(rand.NewPCG(1, 2))
	f := &Field{}
	var all []string
	for stem := range strings.FieldsSeq("cardi nephr hepat gastr derm neur arthr oste my pulm bronch enter col rhin " +
		"ot opt kerat ven arteri lymph splen thyr aden crani") {
		for _, ending := range []string{"itis", "opathy", "oma", "algia"} {
			all = append(all, stem+ending)
		}
	}
	for organ := range strings.FieldsSeq("kidney liver heart skin brain joint bone muscle lung bowel colon nose ear " +
		"eye vein artery") {
		for _, kind := range []string{"failure", "cancer", "ulcer", "abscess"} {
			all = append(all, organ+" "+kind)
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	concepts := []kb.Concept{{ID: "T:1", Name: "diseases of one word"}, {ID: "T:2", Name: "diseases of organs"}}
	for i, name := range all {
		if i%2 == 0 {
			f.Hidden = append(f.Hidden, name)
			continue
		}
		f.Names = append(f.Names, name)
		parent := kb.ConceptID("T:1")
		if strings.Contains(name, " ") {
			parent = "T:2"
		}
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(fmt.Sprintf("D:%d", i)), Name: name,
			Parents: []kb.ConceptID{parent}})
	}
	f.Dictionary = kb.NewDictionary(concepts)
	who := strings.Fields("patients children women men adults subjects people volunteers controls smokers")
	verbs := []string{"had", "developed", "showed", "reported", "died of", "presented with", "suffered from",
		"recovered from"}
	others := strings.Fields("the clinic measured blood pressure every week and samples were stored at low " +
		"temperature until analysis by " +
		"trained staff who followed written rules for age weight height dose time method result value mean score test group")
	for d := range documents {
		var b strings.Builder
		for range 4 {
			fmt.Fprintf(&b, "The %s %s %s after %d weeks. ", who[r.IntN(len(who))], verbs[r.IntN(len(verbs))],
				all[r.IntN(len(all))], r.IntN(40))
			start := r.IntN(len(others) - 8)
			fmt.Fprintf(&b, "Then %s. ", strings.Join(others[start:start+5+r.IntN(4)], " "))
		}
		f.Documents = append(f.Documents, &text.Document{ID: fmt.Sprint(d), Text: strings.TrimSpace(b.String())})
	}
	return f
}
