package files

import (
	"cmp"
	"fmt"
)

// Limits bound the memory for reading a file, whatever its content: a small gzip file can unpack to terabytes. 0 means
// the default in [DefaultLimits].
type Limits struct {
	// Line is the maximum length of a line, in bytes.
	Line int64
	// Record is the maximum length of a record that may span lines, in bytes: a PubMed citation, a document of PubTator,
	// BioC, BRAT, CoNLL or JATS, a stanza of OBO, the rows of a concept in MRCONSO, a row of CSV, a member of a JSON
	// object, or a concept in other dictionaries in XML or JSON.
	Record int64
	// Mentions is the maximum number of mentions in a document.
	Mentions int64
	// InMemory is the maximum size in memory, in bytes, of the data from a file that is used as a whole: a dictionary, a
	// hierarchy, gold, a list of PMIDs.
	InMemory int64
}

// DefaultLimits are beyond real data: the longest lines and records of PubMed, full texts in BioC and dictionaries are
// shorter than 2 MB, and all English names of UMLS take less than 1 GiB.
var DefaultLimits = Limits{Line: 16 << 20, Record: 32 << 20, Mentions: 100_000, InMemory: 1 << 30}

// Unlimited is for ctxnorm's own files, whose checksums are verified.
var Unlimited = Limits{Line: 1 << 62, Record: 1 << 62, Mentions: 1 << 62, InMemory: 1 << 62}

// WithDefaults returns the limits with zero fields replaced by their defaults.
func (l Limits) WithDefaults() Limits {
	return Limits{
		Line:     cmp.Or(l.Line, DefaultLimits.Line),
		Record:   cmp.Or(l.Record, DefaultLimits.Record),
		Mentions: cmp.Or(l.Mentions, DefaultLimits.Mentions),
		InMemory: cmp.Or(l.InMemory, DefaultLimits.InMemory),
	}
}

// LimitError is the error for input beyond a limit. Reading cannot continue after it.
type LimitError struct {
	What  string // "a record of CSV"
	Limit int64
	Unit  string // "bytes"
	Field string // of [Limits], "Record"
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("want %s of at most %d %s (Limits.%s), got more", e.What, e.Limit, e.Unit, e.Field)
}

// CheckRecord returns a LimitError if a record is too long. what is the kind of record, with its article.
func (l Limits) CheckRecord(what string, bytes int64) error {
	if bytes <= l.Record {
		return nil
	}
	return &LimitError{what, l.Record, "bytes", "Record"}
}

// CheckMentions returns a LimitError if a document has too many mentions.
func (l Limits) CheckMentions(mentions int) error {
	if int64(mentions) <= l.Mentions {
		return nil
	}
	return &LimitError{"a document", l.Mentions, "mentions", "Mentions"}
}

// CheckInMemory returns a LimitError if the data kept from a file is too large. what describes the data.
func (l Limits) CheckInMemory(what string, bytes int64) error {
	if bytes <= l.InMemory {
		return nil
	}
	return &LimitError{what, l.InMemory, "bytes in memory", "InMemory"}
}
