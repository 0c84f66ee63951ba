package eval

import "ctxnorm"

// Report is the outcome of an evaluation: results of one or more linkers on one
// gold, and comparisons of them. It is printed by [WriteText] and [WriteMarkdown],
// and made for package encoding/json.
type Report struct {
	Gold        []string     `json:"gold"`
	Types       []string     `json:"types,omitempty"`    // of entities; none for all
	Model       string       `json:"model,omitempty"`    // folder
	Dictionary  string       `json:"dictionary"`         // hash of the dictionary that was linked to
	HeldOut     int          `json:"held_out,omitempty"` // concepts that were taken out of the model and of the evaluated set
	Seed        uint64       `json:"seed"`               // of the intervals
	Documents   int          `json:"documents"`          // with a mention
	Mentions    int          `json:"mentions"`           // of the types
	Outside     int          `json:"outside"`            // of those, outside the evaluated set
	Composite   int          `json:"composite"`          // of those, composite
	Unreadable  int          `json:"unreadable"`         // records of the gold that could not be read
	Leak        *Leak        `json:"leak,omitempty"`
	Results     []Result     `json:"results"`
	Comparisons []Comparison `json:"comparisons,omitempty"`
}

// NewReport describes the gold. Model, Dictionary, HeldOut, Leak, Results and
// Comparisons are the caller's to fill in.
func NewReport(gold *Gold, seed uint64) *Report {
	r := &Report{Gold: gold.Files, Types: gold.Types, Seed: seed, Mentions: len(gold.Items), Unreadable: len(gold.Skip)}
	documents := make(map[*ctxnorm.Document]bool)
	for i := range gold.Items {
		item := &gold.Items[i]
		documents[item.Query.Document] = true
		if !item.InSet() {
			r.Outside++
		}
		if item.Query.Mention.Composite {
			r.Composite++
		}
	}
	r.Documents = len(documents)
	return r
}
