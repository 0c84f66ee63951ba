package server

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// ExportParams are the parameters for writing a file.
type ExportParams struct {
	Format   outputFormat `query:"format" default:"jsonl" doc:"The format to write; brat is a zip archive of its files"`
	Formulas bool         `query:"formulas" doc:"Write cells of csv and tsv that a spreadsheet would compute as they are; by default an apostrophe stands before them"`
}

// format returns the format to write.
func (p *ExportParams) format() *formats.OutputFormat {
	return formats.Outputs().Named(formats.Format(p.Format)) // the schema admits only these
}

// disposition returns the value of the Content-Disposition header that names the file.
func disposition(name string, format *formats.OutputFormat) string {
	return fmt.Sprintf(`attachment; filename="%s%s"`, name, format.Extensions[0])
}

type exportInput struct {
	ExportParams
	Body struct {
		Documents []asJSON[ExportDocument] `json:"documents" minItems:"1" doc:"The linked documents: those of an answer, whose mentions and candidates may be other ones"`
	}
}

type exportOutput struct {
	ContentType        string `header:"Content-Type"`
	ContentDisposition string `header:"Content-Disposition"`
	Body               []byte
}

// exportContent describes the response by the media types of all output formats.
func exportContent() map[string]*huma.MediaType {
	content := make(map[string]*huma.MediaType)
	for _, name := range formats.Outputs().Names() {
		kind, _, _ := strings.Cut(formats.Outputs().Named(name).MIME, ";")
		schema := huma.TypeString
		if kind == "application/json" || strings.HasSuffix(kind, "+json") {
			schema = huma.TypeObject
		}
		content[kind] = &huma.MediaType{Schema: &huma.Schema{Type: schema}}
	}
	return content
}

// outputFormat is the name of an output format.
type outputFormat string

// Schema implements [huma.SchemaProvider].
func (outputFormat) Schema(huma.Registry) *huma.Schema {
	return formatSchema(formats.Outputs().Names())
}

// ExportDocument is a linked document of a request.
type ExportDocument struct {
	ID       string          `json:"id,omitempty" doc:"Its identifier; by default its number in the request, from 1"`
	Text     string          `json:"text" doc:"The text"`
	Mentions []ExportMention `json:"mentions" doc:"The linked mentions"`
}

// ExportMention is a mention of an [ExportDocument].
type ExportMention struct {
	_          struct{}          `additionalProperties:"true"`
	Start      int               `json:"start" minimum:"0" doc:"The offset of its first character, in Unicode code points of the text"`
	End        int               `json:"end" minimum:"1" doc:"The offset after its last character"`
	Candidates []ExportCandidate `json:"candidates" doc:"The candidates, the best first; none if the mention is NIL"`
}

// ExportCandidate is a candidate of an [ExportMention].
type ExportCandidate struct {
	_           struct{} `additionalProperties:"true"`
	ID          string   `json:"id" minLength:"1" doc:"The identifier of the concept"`
	Name        string   `json:"name,omitempty" doc:"Its preferred name; by default its identifier"`
	Probability float64  `json:"probability,omitempty" minimum:"0" maximum:"1"`
}

// export answers /v1/export.
func (s *Server) export(ctx context.Context, m *servedModel, in *exportInput) (*exportOutput, error) {
	records, err := readDocuments(ctx, s, in.Body.Documents)
	if err != nil {
		return nil, err
	}
	if p := s.checkSize(mentionsOf(records)); p != nil {
		return nil, p
	}
	format := in.format()
	var b bytes.Buffer
	fault := func(i int, err error) error {
		return unprocessable(Fault{Detail: err.Error(), Pointer: fmt.Sprintf("/documents/%d", i)})
	}
	docs := make([]*linked.Document, len(records))
	options := formats.WriterOptions{SpreadsheetSafe: !in.Formulas, Links: s.cfg.Links}
	for i, record := range records {
		if docs[i], err = linkedOf(record, in.Body.Documents[i]); err != nil {
			return nil, fault(i, err)
		}
		complete(docs[i].Mentions, format, m.Dictionary())
		for j := range docs[i].Mentions {
			options.Xrefs = options.Xrefs || docs[i].Mentions[j].HasXrefs()
			options.Assertion = options.Assertion || docs[i].Mentions[j].Assertion != (linked.Assertion{})
		}
	}
	w := format.New(&b, options)
	for i, record := range records {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := w.Write(record, docs[i]); err != nil {
			return nil, fault(i, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return &exportOutput{format.MIME, disposition("linked", format), b.Bytes()}, nil
}

// linkedOf returns the linked document for a record. The mentions get their candidates from raw, the JSON of the
// document.
func linkedOf(record *formats.Record, raw []byte) (*linked.Document, error) {
	var doc struct {
		Mentions []linked.Mention `json:"mentions"`
	}
	if err := input.DecodeJSON(raw, &doc); err != nil {
		return nil, input.JSONError(err)
	}
	// Match the order of the record's mentions.
	slices.SortStableFunc(doc.Mentions, func(a, b linked.Mention) int { return a.Span.Compare(b.Span) })
	for i := range doc.Mentions {
		m, read := &doc.Mentions[i], &record.Mentions[i]
		m.Span, m.Fragments, m.Text = read.Span, read.Fragments, read.Of(record.Text)
		nameCandidates(m.Candidates)
		for j := range m.SubMentions {
			nameCandidates(m.SubMentions[j].Candidates)
		}
	}
	return &linked.Document{ID: record.ID, Text: record.Text, Mentions: doc.Mentions}, nil
}

// complete fills in members that a format needs and the client may not have: for OMOP, the vocabulary of each concept.
func complete(mentions []linked.Mention, format *formats.OutputFormat, dict *kb.Dictionary) {
	if format.Name == formats.OMOP {
		link.CrossReference(mentions, dict)
	}
}

// nameCandidates fills in missing names.
func nameCandidates(candidates []linked.Candidate) {
	for i := range candidates {
		c := &candidates[i]
		c.Name = cmp.Or(c.Name, string(c.Concept))
		c.MatchedName = cmp.Or(c.MatchedName, c.Name)
	}
}
