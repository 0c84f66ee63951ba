// Package sssom writes and reads mappings of wordings to concepts as SSSOM/TSV, the Simple Standard for
// Sharing Ontological Mappings (https://mapping-commons.github.io/sssom/, version 1.0): a header of YAML in comment
// lines, and a table.
//
// The subject of a mapping is a literal ("rdfs literal"), the wording itself in subject_label. What a wording names
// everywhere is a skos:exactMatch, what it names in one text a skos:closeMatch, and no concept sssom:NoTermFound. Where
// it stands is in extension slots: ext_document, and ext_text with ext_start and ext_end in code points.
package sssom

import (
	"time"

	"github.com/ctxnorm/ctxnorm/kb"
)

// Mapping is a row: a wording and the concept that it names.
type Mapping struct {
	Line          int    // of its row in the file that was read
	Label         string // the wording
	Everywhere    bool   // and not in Text alone
	Object        kb.ConceptID
	NoTerm        bool // no concept fits; Object is empty
	ObjectLabel   string
	Justification string // [ManualCuration] or another identifier of the Semantic Mapping Vocabulary
	Author        string
	Date          time.Time // its day in UTC is written; zero if it is not known
	Tool          string
	Confidence    float64 // 0 to 1; 0 if it is not known

	Document   string // that the wording is in; may be empty
	Text       string // around the wording; may be empty
	Start, End int    // of the wording in Text, in code points
	Only       bool   // of this place alone, and not of its wording elsewhere in the text
}

// Values of [Mapping].Justification (https://mapping-commons.github.io/semantic-mapping-vocabulary/).
const (
	ManualCuration = "semapv:ManualMappingCuration"
	Composite      = "semapv:CompositeMatching"   // by several techniques
	Unspecified    = "semapv:UnspecifiedMatching" // by a technique that is not named
)

// Values of columns.
const (
	literal    = "rdfs literal"
	noTerm     = "sssom:NoTermFound"
	exactMatch = "skos:exactMatch"
	closeMatch = "skos:closeMatch"
)

// columns are those that are written, in their order in the specification; extensions follow.
var columns = []string{
	"subject_label", "subject_type", "predicate_id", "object_id", "object_label", "mapping_justification",
	"author_label",
	"mapping_tool", "mapping_date", "confidence", "ext_document", "ext_text", "ext_start", "ext_end", "ext_only",
}
