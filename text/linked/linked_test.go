package linked

import "testing"

// TestHasPMID has numbers, and identifiers of documents of other corpora.
func TestHasPMID(t *testing.T) {
	for id, want := range map[string]bool{
		"8808605": true, "5": true, "notes.txt:12": false, "P7": false, "123456789": false, "": false,
	} {
		if got := (Evidence{PMID: id}).HasPMID(); got != want {
			t.Errorf("%q: got %v, want %v", id, got, want)
		}
	}
}
