package eval

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Report is what one linker reached on some gold.
type Report struct {
	Gold       []string `json:"gold"`
	Types      []string `json:"types,omitempty"`
	Policy     string   `json:"policy"`
	Linker     string   `json:"linker"`
	Model      string   `json:"model,omitempty"`
	Dictionary string   `json:"dictionary"` // hash of the dictionary that was linked to
	Seed       uint64   `json:"seed"`       // of the intervals
	Documents  int      `json:"documents"`  // with at least one mention that counts
	Mentions   int      `json:"mentions"`   // of the types, those that the policy leaves out included
	Unreadable int      `json:"unreadable"` // records of the gold that could not be read
	Shares     []Share  `json:"shares"`
}

// NewReport counts the answers. Facts about the run that the answers do not hold
// are left for the caller to fill in.
func NewReport(gold *Gold, answers []Answer, policy Policy, seed uint64) *Report {
	r := &Report{Gold: gold.Files, Policy: policy.Name, Seed: seed, Mentions: len(gold.Items), Unreadable: len(gold.Skip)}
	for _, k := range []int{1, 5} {
		documents := tallies(answers, func(a *Answer) bool { return policy.Right(a.Item, a.Concepts, k) })
		r.Documents = len(documents)
		r.Shares = append(r.Shares, share(fmt.Sprintf("Acc@%d", k), documents, seed))
	}
	return r
}

// tallies counts the answers that are right, by document in order of appearance.
func tallies(answers []Answer, right func(*Answer) bool) []tally {
	var documents []tally
	at := make(map[string]int)
	for i := range answers {
		a := &answers[i]
		j, ok := at[a.Item.Query.ID]
		if !ok {
			j = len(documents)
			at[a.Item.Query.ID] = j
			documents = append(documents, tally{})
		}
		documents[j].total++
		if right(a) {
			documents[j].hits++
		}
	}
	return documents
}

// WriteText writes reports as a table for a person to read.
func WriteText(w io.Writer, reports []*Report) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, r := range reports {
		if i == 0 {
			fmt.Fprintf(t, "gold\t%s\n", strings.Join(r.Gold, ", "))
			if len(r.Types) > 0 {
				fmt.Fprintf(t, "types\t%s\n", strings.Join(r.Types, ", "))
			}
			fmt.Fprintf(t, "policy\t%s\n", r.Policy)
			fmt.Fprintf(t, "dictionary\t%s\n", r.Dictionary)
			fmt.Fprintf(t, "seed\t%d\n", r.Seed)
			fmt.Fprintf(t, "mentions\t%d, in %d documents with one that counts\n", r.Mentions, r.Documents)
			if r.Unreadable > 0 {
				fmt.Fprintf(t, "unreadable\t%d records\n", r.Unreadable)
			}
			fmt.Fprintln(t)
		}
		for _, s := range r.Shares {
			fmt.Fprintf(t, "%s\t%s\t%s\t%d/%d\t%s to %s\n", r.Linker, s.Name, digits(s.Value), s.Numerator, s.Denominator, digits(s.Low), digits(s.High))
		}
	}
	return t.Flush()
}
