package matcher

// Reason is why a name is not looked for.
type Reason string

// The reasons, in the order in which they are reported.
const (
	ReasonNoWord     Reason = "no letter or digit"
	ReasonListed     Reason = "listed"
	ReasonNumber     Reason = "only digits"
	ReasonTooShort   Reason = "too short"
	ReasonGeneral    Reason = "general term"
	ReasonCommonWord Reason = "common word"
	ReasonAmbiguous  Reason = "several concepts"
)

// CleanReport counts what [Clean] did to a dictionary. A name counts once for
// each concept that has it: Names is Kept and every Dropped.Count together.
type CleanReport struct {
	Names      int       `json:"names"`
	Kept       int       `json:"kept"`
	Distinct   int       `json:"distinct"`     // different normal forms among those kept
	Several    int       `json:"several"`      // of these, those of several concepts
	Capitals   int       `json:"capitals"`     // of these, those found in capitals only
	ExactCase  int       `json:"exact_case"`   // of these, those found in the dictionary's case only
	CaseIsLost bool      `json:"case_is_lost"` // the dictionary is all in one case
	Dropped    []Dropped `json:"dropped"`      // one for each reason
}

// Dropped counts the names that were dropped for one reason.
type Dropped struct {
	Reason   Reason   `json:"reason"`
	Count    int      `json:"count"`
	Examples []string `json:"examples"` // the first 5
}

func newCleanReport() *CleanReport {
	r := &CleanReport{}
	for _, reason := range []Reason{
		ReasonNoWord, ReasonListed, ReasonNumber, ReasonTooShort, ReasonGeneral, ReasonCommonWord, ReasonAmbiguous,
	} {
		r.Dropped = append(r.Dropped, Dropped{Reason: reason, Examples: []string{}})
	}
	return r
}

func (r *CleanReport) drop(reason Reason, name string) {
	const examples = 5
	for i := range r.Dropped {
		if d := &r.Dropped[i]; d.Reason == reason {
			d.Count++
			if len(d.Examples) < examples {
				d.Examples = append(d.Examples, name)
			}
		}
	}
}

// keep counts a posting that was made of n names.
func (r *CleanReport) keep(p *posting, n int) {
	r.Kept += n
	r.Distinct++
	if len(p.concepts) > 1 {
		r.Several++
	}
	switch p.rule {
	case capitals:
		r.Capitals++
	case exactCase:
		r.ExactCase++
	}
}
