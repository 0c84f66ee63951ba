package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/papers"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// LinkParams are the query parameters of /v1/link and /v1/annotate.
type LinkParams struct {
	Top       int  `query:"top" default:"5" minimum:"1" maximum:"100" doc:"The largest number of candidates of a mention"`
	Explain   bool `query:"explain" doc:"Add the exemplars that support each candidate"`
	Recognize bool `query:"recognize" doc:"Find mentions that are no names too, as the model has learned from its corpus; for /v1/annotate"`
	Xrefs     bool `query:"xrefs" doc:"Add the identifiers that the dictionary has of other vocabularies to each candidate"`
	Assertion bool `query:"assertion" doc:"Mark mentions that the text negates, is not certain of, or reports of the past or of another person (ConText rules)"`
}

type linkInput struct {
	LinkParams
	Body struct {
		Documents []inputDocument `json:"documents" minItems:"1" doc:"The documents"`
	}
}

type linkedDocuments struct {
	Documents []asJSON[linked.Document] `json:"documents" doc:"The documents of the request, in their order"`
}

// asJSON is the JSON of a T, including members of the client that T does not have.
type asJSON[T any] json.RawMessage

// UnmarshalJSON implements [json.Unmarshaler].
func (d *asJSON[T]) UnmarshalJSON(raw []byte) error {
	*d = bytes.Clone(raw)
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (d asJSON[T]) MarshalJSON() ([]byte, error) { return d, nil }

// Schema implements [huma.SchemaProvider].
func (asJSON[T]) Schema(r huma.Registry) *huma.Schema {
	schema := r.Schema(reflect.TypeFor[T](), true, "")
	r.SchemaFromRef(schema.Ref).AdditionalProperties = true
	return schema
}

// inputDocument is a document to link.
type inputDocument = asJSON[Document]

// Document is a document of a request.
type Document struct {
	ID       string    `json:"id,omitempty" doc:"Its identifier; by default its number in the request, from 1"`
	Text     string    `json:"text" doc:"The text. Mentions may be marked in it instead of listed: [ENT] … [/ENT]"`
	Mentions []Mention `json:"mentions,omitempty" doc:"The mentions to link"`
}

// Mention is a mention of a [Document].
type Mention struct {
	_         struct{}    `additionalProperties:"true"`
	Start     int         `json:"start" minimum:"0" doc:"The offset of its first character, in Unicode code points of the text"`
	End       int         `json:"end" minimum:"1" doc:"The offset after its last character"`
	Text      string      `json:"text,omitempty" doc:"The text between the offsets, which is compared if it is given"`
	Fragments []text.Span `json:"fragments,omitempty" doc:"The fragments of a discontinuous mention, in order; text is theirs then, with spaces between them"`
	Type      string      `json:"type,omitempty" doc:"The type of the mention, which is returned"`
}

// linkDocuments answers /v1/link and, with tag, /v1/annotate.
func (s *Server) linkDocuments(tag bool) operation[linkInput, linkedDocuments] {
	return func(ctx context.Context, _ *servedModel, in *linkInput) (*linkedDocuments, error) {
		if p := s.checkParams(&in.LinkParams, tag); p != nil {
			return nil, p
		}
		records, err := readDocuments(ctx, s, in.Body.Documents)
		if err != nil {
			return nil, err
		}
		docs, err := s.linkRecords(ctx, records, &in.LinkParams, tag)
		if err != nil {
			return nil, err
		}
		out := &linkedDocuments{make([]asJSON[linked.Document], len(docs))}
		for i, doc := range docs {
			if out.Documents[i], err = marshalLinked(records[i], doc); err != nil || ctx.Err() != nil {
				return nil, cmp.Or(err, ctx.Err())
			}
		}
		return out, nil
	}
}

// newReader returns a reader of documents, one JSON object a line, with offsets in code points.
func (s *Server) newReader(r io.Reader) *formats.Reader {
	return formats.NewReader(r, "body", formats.Options{
		Format: formats.JSONL, Limits: s.cfg.Limits.Input, Unit: formats.CodePoints, RefuseMisspelled: true,
	})
}

// readDocuments returns the documents of a request as the client wrote them. The error is ready to be sent.
func readDocuments[T any](ctx context.Context, s *Server, documents []asJSON[T]) ([]*formats.Record, error) {
	if len(documents) > maxDocuments {
		return nil, problem(http.StatusRequestEntityTooLarge, "the body has more than %d documents", maxDocuments)
	}
	var lines bytes.Buffer
	for _, d := range documents {
		if err := json.Compact(&lines, d); err != nil {
			return nil, err
		}
		lines.WriteByte('\n')
	}
	var records []*formats.Record
	var faults []Fault
	err := eachRecord(ctx, s.newReader(&lines), func(record *formats.Record) error {
		records = append(records, record)
		return nil
	}, func(bad *formats.RecordError) {
		f := Fault{Detail: bad.Reason, Pointer: fmt.Sprintf("/documents/%d", bad.Line-1)}
		if bad.Mention > 0 {
			f.Pointer += fmt.Sprintf("/mentions/%d", bad.Mention-1)
		}
		faults = append(faults, f)
	})
	if err == nil && len(faults) > 0 {
		err = unprocessable(faults...)
	}
	return records, err
}

// eachRecord passes the documents of a file to take and malformed records to fail, until ctx ends.
func eachRecord(ctx context.Context, r *formats.Reader, take func(*formats.Record) error, fail func(*formats.RecordError)) error {
	for ctx.Err() == nil {
		record, err := r.Next()
		bad, isBad := errors.AsType[*formats.RecordError](err)
		switch {
		case err == io.EOF:
			return nil
		case isBad:
			fail(bad)
		case err != nil:
			return unprocessable(Fault{Detail: err.Error()})
		default:
			if err := take(record); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// checkSize returns a problem if documents that are linked together have too many mentions.
func (s *Server) checkSize(mentions int) error {
	if limit := s.cfg.Limits.Input.Mentions; int64(mentions) > limit {
		return problem(http.StatusRequestEntityTooLarge, "the texts have %d mentions, want at most %d together", mentions, limit)
	}
	return nil
}

// mentionsOf counts the mentions of documents.
func mentionsOf(records []*formats.Record) (n int) {
	for _, record := range records {
		n += len(record.Mentions)
	}
	return n
}

// checkParams returns a problem if the server's method does not support a parameter.
func (s *Server) checkParams(params *LinkParams, tag bool) *Problem {
	if params.Recognize && !tag {
		return unprocessable(Fault{Detail: "it has an effect on /v1/annotate alone", Parameter: "recognize"})
	}
	if method, _ := papers.MethodOf(string(s.cfg.Link.Method)); method.Evidence || !params.Explain {
		return nil
	}
	detail := fmt.Sprintf("the server links with the method %s, which has no evidence", s.cfg.Link.Method)
	return unprocessable(Fault{Detail: detail, Parameter: "explain"})
}

// linkRecords links the mentions of documents with the parameters of a request. If tag is set, it first finds the
// mentions.
func (s *Server) linkRecords(
	ctx context.Context, records []*formats.Record, params *LinkParams, tag bool,
) ([]*linked.Document, error) {
	if err := s.linking.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.linking.Release(1)
	m, release, err := s.models.acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	if err := s.checkSize(mentionsOf(records)); err != nil {
		return nil, err
	}
	options := s.cfg.Link
	options.TopK, options.Evidence, options.Assertion, options.Tag = params.Top, params.Explain, params.Assertion, tag
	options.Recognize, options.Xrefs, options.Admit = params.Recognize, params.Xrefs, s.checkSize
	docs, err := m.LinkRecords(ctx, records, options)
	if errors.Is(err, ctxnorm.ErrNoRecognizer) {
		return nil, unprocessable(Fault{Detail: err.Error(), Parameter: "recognize"})
	}
	s.metrics.documents.Add(float64(len(docs)))
	for _, doc := range docs {
		s.metrics.mentions.Add(float64(len(doc.Mentions)))
	}
	return docs, err
}

// marshalLinked returns a linked document as a line of JSON, without the line end.
func marshalLinked(record *formats.Record, doc *linked.Document) ([]byte, error) {
	var line bytes.Buffer
	w, err := formats.NewWriter(&line, formats.JSONL)
	if err == nil {
		err = w.Write(record, doc)
	}
	return bytes.TrimSuffix(line.Bytes(), []byte("\n")), err
}
