package server

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// documentsPath is the only operation whose body is a raw file.
const documentsPath = "/v1/documents"

// fileType is the content type of a file in any format.
const fileType = "application/octet-stream"

// maxDocuments is the largest number of documents that are read from a file or a JSON body. Each takes a few hundred
// bytes besides its text, and a file of short lines has a million of them.
const maxDocuments = 10_000

// prepareFile returns the decompressed file, which may itself be gzip. It rejects other compressions.
func (s *Server) prepareFile(_ context.Context, data []byte) ([]byte, *Problem) {
	compression := input.CompressionOf(data)
	if compression == "gzip" {
		unzipped, err := gzip.NewReader(bytes.NewReader(data))
		if err == nil {
			data, err = io.ReadAll(http.MaxBytesReader(nil, unzipped, s.cfg.Limits.Body))
		}
		if err != nil {
			return nil, bodyProblem(err)
		}
		if compression = input.CompressionOf(data); compression != "" {
			compression += " in gzip"
		}
	}
	if compression != "" {
		return nil, problem(http.StatusUnsupportedMediaType, "the file is %s, want it as it is or gzip", compression)
	}
	return data, nil
}

type documentsInput struct {
	Format  inputFormat `query:"format" doc:"The format of the file; by default it is detected from the content"`
	Name    string      `query:"name" maxLength:"200" default:"file" doc:"The name of the file, for messages and for documents without an identifier"`
	RawBody []byte      `contentType:"application/octet-stream"`
}

// fileContent is the response for a file: its documents and faults.
type fileContent struct {
	Format    string          `json:"format" doc:"The format of the file"`
	Documents []inputDocument `json:"documents" doc:"The documents, as /v1/link and /v1/annotate take them"`
	Skipped   []Fault         `json:"skipped" doc:"What is malformed in the file and was skipped; the first 20 faults"`
	Faults    int             `json:"skipped_count" doc:"The number of all faults"`
}

// inputFormat is the name of a format that a single file can have.
type inputFormat string

// Schema implements [huma.SchemaProvider].
func (inputFormat) Schema(huma.Registry) *huma.Schema {
	return formatSchema(slices.DeleteFunc(formats.Formats(), func(f formats.Format) bool { return f == formats.BRAT || f == formats.XLSX }))
}

func formatSchema(names []formats.Format) *huma.Schema {
	schema := &huma.Schema{Type: huma.TypeString}
	for _, name := range names {
		schema.Enum = append(schema.Enum, string(name))
	}
	schema.PrecomputeMessages()
	return schema
}

// readDocuments answers /v1/documents.
func (s *Server) readDocuments(ctx context.Context, _ *servedModel, in *documentsInput) (*fileContent, error) {
	r := formats.NewReader(bytes.NewReader(in.RawBody), in.Name, formats.Options{Format: formats.Format(in.Format),
		Limits: s.cfg.Limits.Input})
	out := &fileContent{Documents: []inputDocument{}, Skipped: []Fault{}}
	err := eachRecord(ctx, r, func(record *formats.Record) error {
		if len(out.Documents) == maxDocuments {
			return problem(http.StatusRequestEntityTooLarge, "the file has more than %d documents", maxDocuments)
		}
		line, err := documentLine(record.Document)
		out.Documents = append(out.Documents, line)
		return err
	}, func(bad *formats.RecordError) {
		if out.Faults++; out.Faults <= maxFaults {
			out.Skipped = append(out.Skipped, Fault{Detail: bad.Reason, Line: bad.Line})
		}
	})
	out.Format = string(r.Format())
	return out, err
}

// documentLine returns a document as a line of JSON.
func documentLine(doc *text.Document) (inputDocument, error) {
	var line bytes.Buffer
	err := formats.WriteJSONL(&line, []*text.Document{doc})
	return line.Bytes(), err
}

type recordsInput struct {
	Limit int `query:"limit" default:"20" minimum:"1" maximum:"100" doc:"The largest number of documents to return"`
}

// keptRecords lists the corpus documents from which the model keeps sentences.
type keptRecords struct {
	Records []keptCount `json:"records" doc:"The documents of which the model keeps the most sentences, in this order"`
}

type keptCount struct {
	ID        string `json:"id" doc:"The identifier of the document"`
	Sentences int    `json:"sentences" doc:"The number of sentences that the model keeps"`
}

// keptSentences returns the sentences that a model keeps, by document. It scans all exemplars.
func keptSentences(m *servedModel) (map[string][]string, error) {
	contexts, err := m.Stored().Contexts.Exemplars()
	type sentence struct{ id, text string }
	seen := make(map[sentence]bool)
	kept := make(map[string][]string)
	for i := range contexts {
		if s := (sentence{contexts[i].ID, contexts[i].Text}); s.id != "" && !seen[s] {
			seen[s] = true
			kept[s.id] = append(kept[s.id], s.text)
		}
	}
	return kept, err
}

// listRecords answers GET /v1/records.
func (s *Server) listRecords(_ context.Context, m *servedModel, in *recordsInput) (*keptRecords, error) {
	kept, err := keptSentences(m)
	list := make([]keptCount, 0, len(kept))
	for id, sentences := range kept {
		list = append(list, keptCount{id, len(sentences)})
	}
	slices.SortFunc(list, func(a, b keptCount) int {
		return cmp.Or(cmp.Compare(b.Sentences, a.Sentences), strings.Compare(a.ID, b.ID))
	})
	return &keptRecords{list[:min(in.Limit, len(list))]}, err
}

type recordInput struct {
	ID string `path:"id" maxLength:"100" doc:"The identifier of the document in the corpus"`
}

// keptRecord holds the sentences that a model keeps from one document of its corpus.
type keptRecord struct {
	ID        string `json:"id" doc:"The identifier of the document"`
	Text      string `json:"text" doc:"The sentences of the document that are exemplars of the model, one a line. The model keeps no others"`
	Sentences int    `json:"sentences" doc:"The number of these sentences"`
}

// showRecord answers GET /v1/records/{id}.
func (s *Server) showRecord(_ context.Context, m *servedModel, in *recordInput) (*keptRecord, error) {
	kept, err := keptSentences(m)
	sentences := kept[in.ID]
	if err == nil && sentences == nil {
		err = problem(http.StatusNotFound, "the model keeps no sentence of a document %s", input.Quote(in.ID))
	}
	return &keptRecord{in.ID, strings.Join(sentences, "\n"), len(sentences)}, err
}
