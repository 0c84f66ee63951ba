package matcher

// Reason tells why a [NameFilter] drops a name.
type Reason string

// The reasons, in the order of a report.
const (
	reasonNoWord     Reason = "no letter or digit"
	reasonListed     Reason = "listed"
	reasonNumber     Reason = "only digits"
	reasonTooShort   Reason = "too short"
	reasonGeneral    Reason = "general term"
	reasonCommonWord Reason = "common word"
	reasonAmbiguous  Reason = "several concepts"
)

// FilterReport counts the names that a [NameFilter] kept and dropped. A name counts once for each concept that has it:
// Names is the sum of Kept and every Dropped.Count.
type FilterReport struct {
	Names      int       `json:"names"`
	Kept       int       `json:"kept"`
	Distinct   int       `json:"distinct"`              // distinct normal forms among the kept names
	Ambiguous  int       `json:"several"`               // distinct names of several concepts
	Capitals   int       `json:"capitals"`              // distinct names that are only found in capitals
	ExactCase  int       `json:"exact_case"`            // distinct names that are only found in the dictionary's case
	InCapitals []string  `json:"in_capitals,omitempty"` // the first 5 of Capitals
	Dropped    []Dropped `json:"dropped"`               // one for each reason
}

// Dropped counts the names dropped for one reason: "no letter or digit", "listed", "only digits", "too short", "general
// term", "common word" or "several concepts".
type Dropped struct {
	Reason   Reason   `json:"reason"`
	Count    int      `json:"count"`
	Examples []string `json:"examples"` // the first 5
}

const maxExamples = 5

func newFilterReport() *FilterReport {
	r := &FilterReport{}
	for _, reason := range []Reason{
		reasonNoWord, reasonListed, reasonNumber, reasonTooShort, reasonGeneral, reasonCommonWord, reasonAmbiguous,
	} {
		r.Dropped = append(r.Dropped, Dropped{Reason: reason, Examples: []string{}})
	}
	return r
}

// countDropped counts a dropped name.
func (r *FilterReport) countDropped(reason Reason, name string) {
	for i := range r.Dropped {
		if d := &r.Dropped[i]; d.Reason == reason {
			d.Count++
			if len(d.Examples) < maxExamples {
				d.Examples = append(d.Examples, name)
			}
		}
	}
}

// countKept counts a name of some concepts that was merged from n forms.
func (r *FilterReport) countKept(name string, rule caseRule, concepts, n int) {
	r.Kept += n
	r.Distinct++
	if concepts > 1 {
		r.Ambiguous++
	}
	switch rule {
	case capitals:
		if r.Capitals++; r.Capitals <= maxExamples {
			r.InCapitals = append(r.InCapitals, name)
		}
	case exactCase:
		r.ExactCase++
	}
}
