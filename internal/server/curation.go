package server

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ctxnorm/ctxnorm/internal/curation"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/memory"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// curating makes an operation one of servers that keep documents.
func curating[I, O any](s *Server, answer operation[I, O]) operation[I, O] {
	return func(ctx context.Context, m *servedModel, in *I) (*O, error) {
		if s.cfg.Curation == nil {
			return nil, problem(http.StatusNotFound, "the server was started without documents to curate")
		}
		return answer(ctx, m, in)
	}
}

type curationInput struct {
	Query  string `query:"query" maxLength:"200" doc:"Words that the identifier or the file of a document has"`
	Key    string `query:"key" maxLength:"100" doc:"The key of the only document to list"`
	State  string `query:"state" enum:"all,left,done" default:"all" doc:"Which documents to list: left are those that were not opened, or in which mentions are left to decide"`
	After  int    `query:"after" default:"0" minimum:"0" maximum:"1000000000" doc:"List documents after the one with this number"`
	Limit  int    `query:"limit" default:"100" minimum:"1" maximum:"1000" doc:"The largest number of documents to return"`
	Offset int    `query:"offset" default:"0" minimum:"0" maximum:"1000000000" doc:"The number of documents to skip"`
}

// curationPage is a page of the documents that the server keeps.
type curationPage struct {
	Documents  []curation.Entry `json:"documents" doc:"The documents, in the order of their files"`
	Count      int              `json:"count" doc:"The number of documents on all pages"`
	NextOffset *int             `json:"next_offset,omitempty" doc:"The offset of the next page; absent on the last"`
	Progress   curationProgress `json:"progress" doc:"Of all documents, also those that are not listed"`
}

// curationProgress says how far curators are.
type curationProgress struct {
	Documents int `json:"documents" doc:"The number of documents"`
	Opened    int `json:"opened" doc:"The number of those that were opened"`
	Done      int `json:"done" doc:"The number of those in which nothing is left to decide"`
	Decided   int `json:"decided" doc:"The number of mentions that were decided on, or removed"`
	Left      int `json:"left" doc:"The number of mentions that are left to decide in those that were opened"`
}

func (p *curationProgress) add(e *curation.Entry) {
	p.Documents++
	p.Decided += e.Decided
	p.Left += e.Left
	if e.Opened {
		p.Opened++
	}
	if e.IsDone() {
		p.Done++
	}
}

// listCuration answers GET /v1/curation.
func (s *Server) listCuration(_ context.Context, _ *servedModel, in *curationInput) (*curationPage, error) {
	words := strings.Fields(strings.ToLower(in.Query))
	page := curationPage{Documents: []curation.Entry{}}
	for _, e := range s.cfg.Curation.Entries() {
		page.Progress.add(&e)
		isAsked := (in.Key == "" || in.Key == e.Key) && (in.State == "all" || (in.State == "done") == e.IsDone())
		if e.Number > in.After && isAsked && hasWords(&e, words) {
			page.Documents = append(page.Documents, e)
		}
	}
	page.Count = len(page.Documents)
	page.Documents, page.NextOffset = pageOf(page.Documents, in.Offset, in.Limit)
	return &page, nil
}

// hasWords reports whether the identifier or the file of a document has all words, which are in small letters.
func hasWords(e *curation.Entry, words []string) bool {
	in := strings.ToLower(e.ID + " " + e.File)
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(in, word) })
}

// CuratedNumber is the parameter of the path of a document.
type CuratedNumber struct {
	Number int `path:"number" minimum:"1" maximum:"1000000000" doc:"The number of the document"`
}

type curatedOutput struct {
	ETag string `header:"ETag" doc:"The version of the decisions, for If-Match"`
	Body curatedDocument
}

// curatedDocument is a document that the server keeps, with what was decided of it.
type curatedDocument struct {
	curation.Entry
	Source  inputDocument           `json:"source" doc:"The document, as /v1/link and /v1/annotate take it"`
	Curated asJSON[CuratedMentions] `json:"curated" doc:"What was decided, as it is stored"`
	All     curationProgress        `json:"progress" doc:"Of all documents"`
}

// CuratedMentions describes the JSON of a [curation.Document].
type CuratedMentions struct {
	_        struct{}         `additionalProperties:"true"`
	ID       string           `json:"id" doc:"The identifier of the document"`
	Text     string           `json:"text" doc:"Its text"`
	Mentions []linked.Mention `json:"mentions" doc:"The mentions that were decided on: ids has the concept, none for NIL, and corrected says who decided, and when"`
	Curation curation.State   `json:"curation"`
}

// showCurated answers GET /v1/curation/{number}.
func (s *Server) showCurated(_ context.Context, _ *servedModel, in *CuratedNumber) (*curatedOutput, error) {
	e, d, err := s.keptDocument(in.Number)
	if err != nil {
		return nil, err
	}
	return s.curated(&e, d)
}

// keptDocument returns a document that the server keeps by its number, and what was decided of it.
func (s *Server) keptDocument(number int) (curation.Entry, *curation.Document, error) {
	e, d, ok := s.cfg.Curation.Get(number)
	if !ok {
		return e, nil, problem(http.StatusNotFound, "there is no document %d", number)
	}
	return e, d, nil
}

// curated returns the answer for a document.
func (s *Server) curated(e *curation.Entry, d *curation.Document) (*curatedOutput, error) {
	source, err := documentLine(s.cfg.Curation.Source(e.Number).Document)
	if err != nil {
		return nil, err
	}
	shown := *d
	shown.Twin = 0 // part of the key
	stored, err := shown.MarshalJSON()
	out := &curatedOutput{ETag: etagOf(d.Version), Body: curatedDocument{*e, source, stored, curationProgress{}}}
	for _, e := range s.cfg.Curation.Entries() {
		out.Body.All.add(&e)
	}
	return out, err
}

// etagOf returns the entity tag of a version of the decisions on a document.
func etagOf(version int) string { return strconv.Quote(strconv.Itoa(version)) }

type decideInput struct {
	CuratedNumber
	IfMatch string `header:"If-Match" doc:"The ETag of the version that the decisions change; another version is answered by 412"`
	Body    curation.Decisions
}

// decide answers PUT /v1/curation/{number}.
func (s *Server) decide(_ context.Context, m *servedModel, in *decideInput) (*curatedOutput, error) {
	_, last, err := s.keptDocument(in.Number)
	if err != nil {
		return nil, err
	}
	if in.IfMatch == "" {
		return nil, problem(http.StatusPreconditionRequired,
			"want the header If-Match, with the ETag of the version to change")
	}
	if in.IfMatch != etagOf(last.Version) {
		return nil, staleVersion(last.Version)
	}
	if err := memory.CheckAuthor(in.Body.By); err != nil {
		return nil, s.memoryProblem(err, "")
	}
	d, err := s.cfg.Curation.Put(in.Number, last.Version, time.Now().UTC(), &in.Body, m.Dictionary())
	if stale, ok := errors.AsType[*curation.VersionError](err); ok {
		return nil, staleVersion(stale.Version)
	}
	if fault, ok := errors.AsType[*curation.FaultError](err); ok {
		return nil, unprocessable(Fault{Detail: fault.Reason, Pointer: fault.Pointer})
	}
	if err != nil {
		return nil, s.memoryProblem(err, "")
	}
	e, _, _ := s.cfg.Curation.Get(in.Number)
	return s.curated(&e, d)
}

// staleVersion returns the problem of a change of another version than the current one.
func staleVersion(version int) *Problem {
	return problem(http.StatusPreconditionFailed, "somebody else changed the document: its version is %d", version)
}

// exportCuration answers GET /v1/curation/export: it writes the documents that were opened while they are sent.
func (s *Server) exportCuration(_ context.Context, _ *servedModel, in *ExportParams) (*huma.StreamResponse, error) {
	format := in.format()
	m, release, err := s.models.acquire()
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		defer release()
		ctx.SetHeader("Content-Type", format.MIME)
		ctx.SetHeader("Content-Disposition", disposition("curated", format))
		options := formats.WriterOptions{SpreadsheetSafe: !in.Formulas, Links: s.cfg.Links}
		if err := writeCurated(ctx.Context(), s.cfg.Curation, format, format.New(ctx.BodyWriter(), options), m.Dictionary()); err != nil {
			s.cfg.Errorf("GET /v1/curation/export: %v", err)
			panic(unprocessable(Fault{Detail: err.Error()})) // answered if nothing was sent
		}
	}}, nil
}

// writeCurated writes the documents that were opened. One without an identifier is called by its file and number.
func writeCurated(
	ctx context.Context, store *curation.Store, format *formats.OutputFormat, out formats.Writer, dict *kb.Dictionary,
) error {
	for _, e := range store.Entries() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !e.Opened {
			continue
		}
		_, d, _ := store.Get(e.Number)
		doc := d.Document
		doc.Tagged = true // the mentions are not those of a file
		doc.Mentions = slices.Clone(doc.Mentions)
		for i := range doc.Mentions {
			doc.Mentions[i].Candidates = slices.Clone(doc.Mentions[i].Candidates)
		}
		complete(doc.Mentions, format, dict)
		if e.Unnamed {
			doc.ID = e.File + ":" + doc.ID
		}
		if err := out.Write(formats.NewRecord(&text.Document{ID: doc.ID, Text: doc.Text}), &doc); err != nil {
			return err
		}
	}
	return out.Close()
}
