package files

import (
	"cmp"
	"fmt"
)

// Limits bound the memory that reading a file takes, whatever the file has: a small gzip
// file can unpack to terabytes. A field of 0 stands for its default, in [DefaultLimits].
type Limits struct {
	// Line is the length of the longest line, in bytes.
	Line int64
	// Record is the length of the longest record that spans lines, in bytes: a citation of
	// PubMed, a document of PubTator, BioC, BRAT, CoNLL or JATS, a stanza of OBO, the rows of a concept of
	// MRCONSO, a row of CSV, a member of a JSON object, a concept of another XML or JSON
	// dictionary.
	Record int64
	// Mentions is the largest number of mentions of a document.
	Mentions int64
	// InMemory is the largest size of what is kept of a file that is used as a whole, in
	// bytes of memory: a dictionary, a hierarchy, gold, a list of PMIDs.
	InMemory int64
}

// DefaultLimits are beyond real data: the longest line and record of PubMed, full texts in
// BioC and dictionaries are below 2 MB, and all English names of UMLS are below 1 GiB.
var DefaultLimits = Limits{Line: 16 << 20, Record: 32 << 20, Mentions: 100_000, InMemory: 1 << 30}

// Unlimited is for files of our own, whose checksums are verified.
var Unlimited = Limits{Line: 1 << 62, Record: 1 << 62, Mentions: 1 << 62, InMemory: 1 << 62}

// WithDefaults returns the limits with the default of every field that is 0.
func (l Limits) WithDefaults() Limits {
	return Limits{
		Line:     cmp.Or(l.Line, DefaultLimits.Line),
		Record:   cmp.Or(l.Record, DefaultLimits.Record),
		Mentions: cmp.Or(l.Mentions, DefaultLimits.Mentions),
		InMemory: cmp.Or(l.InMemory, DefaultLimits.InMemory),
	}
}

// LimitError is the error for input beyond a limit. Nothing after it can be read.
type LimitError struct {
	What  string // "a record of CSV"
	Limit int64
	Unit  string // "bytes"
	Field string // of [Limits], "Record"
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("want %s of at most %d %s (Limits.%s), got more", e.What, e.Limit, e.Unit, e.Field)
}

// CheckRecord returns a LimitError if a record has more bytes than a record may have. what
// names the kind of record, with its article.
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

// CheckInMemory returns a LimitError if what is kept of a file takes too many bytes. what
// names it.
func (l Limits) CheckInMemory(what string, bytes int64) error {
	if bytes <= l.InMemory {
		return nil
	}
	return &LimitError{what, l.InMemory, "bytes in memory", "InMemory"}
}
