package dictionary

import "fmt"

// RowError is a row that cannot be read. Where rows have no lines of their own
// (a JSON object in one line) Got holds what is needed to find the place.
type RowError struct {
	File      string
	Line      int // from 1
	Want, Got string
}

func (e *RowError) Error() string {
	return fmt.Sprintf("%s:%d: want %s, got %s", e.File, e.Line, e.Want, e.Got)
}

// Report counts what a file held and what was left out of the dictionary.
type Report struct {
	Format  Format   `json:"format"`
	Columns []string `json:"columns,omitempty"` // of a table: the role of each column, "" for one not used

	Rows     int `json:"rows"` // lines, stanzas or entries of the file, those left out included
	Concepts int `json:"concepts"`
	Names    int `json:"names"`   // distinct names of each concept, added up
	AltIDs   int `json:"alt_ids"` // alternative identifiers of all concepts

	DuplicateNames int `json:"duplicate_names"` // a concept's name given to it again
	EmptyNames     int `json:"empty_names"`

	NoID          int `json:"no_id,omitempty"`          // rows whose identifier is "-" or "-1": named, not coded
	Obsolete      int `json:"obsolete,omitempty"`       // OBO: terms marked is_obsolete
	OtherScope    int `json:"other_scope,omitempty"`    // OBO: narrow and broad synonyms
	Suppressed    int `json:"suppressed,omitempty"`     // MRCONSO: rows marked SUPPRESS
	OtherLanguage int `json:"other_language,omitempty"` // MRCONSO: rows of another language

	BadRows int         `json:"bad_rows"`
	Errors  []*RowError `json:"-"` // the first of the bad rows
}
