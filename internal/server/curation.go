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
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ctxnorm/ctxnorm/internal/curation"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/memory"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// curating restricts an operation to servers that store documents to curate.
func curating[I, O any](s *Server, answer operation[I, O]) operation[I, O] {
	return func(ctx context.Context, m *servedModel, in *I) (*O, error) {
		if s.cfg.Curation == nil {
			return nil, problem(http.StatusNotFound, "the server was started without documents to curate")
		}
		return answer(ctx, m, in)
	}
}

type curationInput struct {
	Query  string `query:"query" maxLength:"200" doc:"Words that the identifier, the file or the title of a document has"`
	Key    string `query:"key" maxLength:"100" doc:"The key of the only document to list"`
	State  string `query:"state" enum:"all,left,done" default:"all" doc:"Which documents to list: left are those that were not opened, or in which mentions are left to decide"`
	After  int    `query:"after" default:"0" minimum:"0" maximum:"1000000000" doc:"List documents after the one with this number, in the order"`
	Order  string `query:"order" enum:"files,worst" default:"files" doc:"The order: that of the files, or those first in which most is to be looked at, and of rows of tables those that most others equal"`
	Once   bool   `query:"once" doc:"List one of the rows of tables with the same text and mentions"`
	Full   bool   `query:"full" doc:"List the documents with their sources and with what was decided of them"`
	Limit  int    `query:"limit" default:"100" minimum:"1" maximum:"1000" doc:"The largest number of documents to return"`
	Offset int    `query:"offset" default:"0" minimum:"0" maximum:"1000000000" doc:"The number of documents to skip"`
}

// curationPage is one page of the documents that the server stores.
type curationPage struct {
	Documents  []listedDocument  `json:"documents" doc:"The documents"`
	Count      int               `json:"count" doc:"The number of documents on all pages"`
	NextOffset *int              `json:"next_offset,omitempty" doc:"The offset of the next page; absent on the last"`
	Columns    []string          `json:"columns,omitempty" doc:"The columns of the table that all documents are rows of; absent if they are not"`
	Progress   curation.Progress `json:"progress" doc:"Of all documents, also those that are not listed"`
}

// listedDocument is a document in a list, with its source and decisions if the request wants them.
type listedDocument struct {
	curation.Entry
	Source  inputDocument           `json:"source,omitempty" doc:"The document, as /v1/link and /v1/annotate take it"`
	Cells   []string                `json:"cells,omitempty" doc:"Of a row of a table, its cells"`
	Curated asJSON[CuratedMentions] `json:"curated,omitempty" doc:"What was decided, as it is stored"`
}

// listCuration answers GET /v1/curation.
func (s *Server) listCuration(_ context.Context, _ *servedModel, in *curationInput) (_ *curationPage, err error) {
	words := strings.Fields(strings.ToLower(in.Query))
	store := s.cfg.Curation
	entries := store.Entries()
	page := curationPage{Documents: []listedDocument{}, Columns: store.Columns(), Progress: store.Progress()}
	if in.Order == "worst" {
		slices.SortFunc(entries, func(a, b curation.Entry) int { return a.CompareWorst(&b) })
	}
	listed := make([]bool, len(entries)) // groups of equal rows
	isAfter := in.After == 0
	asked := entries[:0]
	for _, e := range entries {
		isAsked := (in.Key == "" || in.Key == e.Key) && (in.State == "all" || (in.State == "done") == e.Done) &&
			isAfter && !(in.Once && listed[e.Group])
		lacks := func(word string) bool { return !strings.Contains(strings.ToLower(e.ID+" "+e.File+" "+e.Title), word) }
		if isAsked && !slices.ContainsFunc(words, lacks) {
			listed[e.Group] = true
			asked = append(asked, e)
		}
		isAfter = isAfter || e.Number == in.After
	}
	page.Count = len(asked)
	asked, page.NextOffset = pageOf(asked, in.Offset, in.Limit)
	for _, e := range asked {
		listed := listedDocument{Entry: e}
		if in.Full {
			_, d, _ := store.Get(e.Number)
			if listed, err = s.listed(&e, d); err != nil {
				return nil, err
			}
		}
		page.Documents = append(page.Documents, listed)
	}
	return &page, nil
}

// CuratedNumber is the path parameter that identifies a document.
type CuratedNumber struct {
	Number int `path:"number" minimum:"1" maximum:"1000000000" doc:"The number of the document"`
}

type curatedOutput struct {
	ETag string `header:"ETag" doc:"The version of the decisions, for If-Match"`
	Body curatedDocument
}

// curatedDocument is a document that the server stores, with the decisions on it.
type curatedDocument struct {
	listedDocument
	All curation.Progress `json:"progress" doc:"Of all documents"`
}

// CuratedMentions describes the JSON of a [curation.Document].
type CuratedMentions struct {
	ID       string           `json:"id" doc:"The identifier of the document"`
	Text     string           `json:"text" doc:"Its text"`
	Mentions []linked.Mention `json:"mentions" doc:"The mentions that were decided on: ids has the concept, none for NIL, and corrected says who decided, and when"`
	Curation curation.State   `json:"curation"`
}

// showCurated answers GET /v1/curation/{number}.
func (s *Server) showCurated(_ context.Context, _ *servedModel, in *CuratedNumber) (*curatedOutput, error) {
	e, d, ok := s.cfg.Curation.Get(in.Number)
	if !ok {
		return nil, problem(http.StatusNotFound, "there is no document %d", in.Number)
	}
	listed, err := s.listed(&e, d)
	return &curatedOutput{ETag: etagOf(d.Version), Body: curatedDocument{listed, s.cfg.Curation.Progress()}}, err
}

// listed returns a document with its source and the decisions on it.
func (s *Server) listed(e *curation.Entry, d *curation.Document) (listedDocument, error) {
	kept := s.cfg.Curation.Source(e.Number)
	source, err := documentLine(kept.Document)
	if err != nil {
		return listedDocument{}, err
	}
	listed := listedDocument{Entry: *e, Source: source}
	for _, cell := range kept.Columns {
		listed.Cells = append(listed.Cells, cell.Value)
	}
	shown := *d
	shown.Twin = 0 // part of the key
	listed.Curated, err = shown.MarshalJSON()
	return listed, err
}

// etagOf returns the entity tag for a version of the decisions on a document.
func etagOf(version int) string { return strconv.Quote(strconv.Itoa(version)) }

type decideInput struct {
	CuratedNumber
	IfMatch string `header:"If-Match" doc:"The ETag of the version that the decisions change; another version is answered by 412"`
	Body    curation.Decisions
}

// decide answers PUT /v1/curation/{number}.
func (s *Server) decide(ctx context.Context, m *servedModel, in *decideInput) (*curatedOutput, error) {
	if _, _, ok := s.cfg.Curation.Get(in.Number); !ok {
		return s.showCurated(ctx, m, &in.CuratedNumber) // which answers 404
	}
	if in.IfMatch == "" {
		return nil, problem(http.StatusPreconditionRequired,
			"want the header If-Match, with the ETag of the version to change")
	}
	seen, err := strconv.Atoi(strings.Trim(in.IfMatch, `"`))
	if err != nil || in.IfMatch != etagOf(seen) {
		seen = -1 // no version
	}
	if err = memory.CheckAuthor(in.Body.By); err == nil {
		_, err = s.cfg.Curation.Put(ctx, in.Number, seen, time.Now().UTC(), &in.Body, m.Dictionary())
	}
	if stale, ok := errors.AsType[*curation.VersionError](err); ok {
		return nil, problem(http.StatusPreconditionFailed, "somebody else changed the document: its version is %d", stale.Version)
	}
	if fault, ok := errors.AsType[*curation.FaultError](err); ok {
		return nil, unprocessable(Fault{Detail: fault.Reason, Pointer: fault.Pointer})
	}
	if err != nil {
		return nil, s.memoryProblem(err, "")
	}
	return s.showCurated(ctx, m, &in.CuratedNumber)
}

// curationExportPath is the only operation without a body that gets the time of a stream.
const curationExportPath = "/v1/curation/export"

// exportCuration answers GET /v1/curation/export: it streams the documents that were opened, and all rows of tables.
func (s *Server) exportCuration(_ context.Context, _ *servedModel, in *ExportParams) (*huma.StreamResponse, error) {
	format := in.format()
	m, release, err := s.models.acquire()
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer release()
		r, w := humago.Unwrap(c)
		w.Header().Set("Content-Type", format.MIME)
		w.Header().Set("Content-Disposition", disposition("curated", format))
		options := formats.WriterOptions{SpreadsheetSafe: !in.Formulas, Links: s.cfg.Links, Columns: s.cfg.Curation.Columns()}
		options.Assertion, options.Correction = options.Columns != nil, options.Columns != nil
		out := format.New(patientWriter{w, s.cfg.Limits.Time}, options)
		if err := s.writeCurated(r.Context(), format, out, m.Dictionary()); err != nil {
			s.cfg.Errorf("GET %s: %v", curationExportPath, err)
			panic(s.problemOf(r.Context(), err)) // answered if nothing was sent
		}
	}}, nil
}

// writeCurated writes the documents that were opened. To a table it writes all rows, with links for the mentions that
// are still undecided. A document without an identifier is named by its file and number.
func (s *Server) writeCurated(ctx context.Context, format *formats.OutputFormat, out formats.Writer, dict *kb.Dictionary) error {
	store := s.cfg.Curation
	isTable := store.Columns() != nil && slices.Contains([]formats.Format{formats.XLSX, formats.CSV, formats.TSV, formats.Parquet}, format.Name)
	for entries := range slices.Chunk(store.Entries(), streamBatch) {
		found := make(map[int]*linked.Document)
		if isTable {
			err := inSlot(ctx, s, func(ctx context.Context) error {
				return s.linkKept(ctx, entries, func(number int, doc *linked.Document) { found[number] = doc })
			})
			if err != nil {
				return err
			}
		}
		for _, e := range entries {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if !e.Opened && found[e.Number] == nil {
				continue
			}
			_, d, _ := store.Get(e.Number)
			doc := d.Document
			doc.Tagged = true // the mentions come from no file
			doc.Mentions = d.Over(found[e.Number])
			complete(doc.Mentions, format, dict)
			if e.Unnamed && !isTable {
				doc.ID = e.File + ":" + doc.ID
			}
			record := formats.NewRecord(&text.Document{ID: doc.ID, Text: doc.Text})
			if isTable {
				record.Columns = store.Source(e.Number).Columns
			}
			if err := out.Write(record, &doc); err != nil {
				return unprocessable(Fault{Detail: err.Error()})
			}
		}
	}
	return out.Close()
}

// patientWriter gives the client some time to receive each chunk of a response.
type patientWriter struct {
	http.ResponseWriter
	time time.Duration
}

// Write implements [io.Writer].
func (w patientWriter) Write(p []byte) (int, error) {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.time)) // may have no connection
	return w.ResponseWriter.Write(p)
}

// linkKept links stored documents with the options of the page, and passes them to take.
func (s *Server) linkKept(ctx context.Context, entries []curation.Entry, take func(number int, doc *linked.Document)) error {
	m, release, err := s.models.acquire()
	if err != nil {
		return err
	}
	defer release()
	for _, tag := range []bool{false, true} {
		var records []*formats.Record
		var numbers []int
		for i := range entries {
			source := s.cfg.Curation.Source(entries[i].Number)
			if (len(source.Mentions) == 0) == tag {
				records, numbers = append(records, formats.NewRecord(source.Document)), append(numbers, entries[i].Number)
			}
		}
		params := LinkParams{Top: 2, Assertion: true, Recognize: tag && m.Stored().Manifest.Recognizer != nil}
		docs, err := s.linkRecords(ctx, records, &params, tag)
		if p, ok := errors.AsType[*Problem](err); ok && p.Status == http.StatusRequestEntityTooLarge && len(entries) > 1 {
			half := len(entries) / 2 // they may only be too large together
			return errors.Join(s.linkKept(ctx, entries[:half], take), s.linkKept(ctx, entries[half:], take))
		}
		if err != nil {
			return err
		}
		for i, doc := range docs {
			take(numbers[i], doc)
		}
	}
	return nil
}

// survey links all documents to curate in advance, so that their list can show counts of mentions. It starts again when
// the model is reloaded, and runs until ctx is done.
func (s *Server) survey(ctx context.Context) {
	store := s.cfg.Curation
	for {
		firsts := slices.DeleteFunc(store.Entries(), func(e curation.Entry) bool { return e.Number != e.Group+1 })
		for entries := range slices.Chunk(firsts, streamBatch) {
			err := noPanic(func() error {
				return s.linkKept(ctx, entries, func(number int, doc *linked.Document) {
					var unsure []text.Span
					for i := range doc.Mentions {
						if doc.Mentions[i].IsUnsure() {
							unsure = append(unsure, doc.Mentions[i].Span)
						}
					}
					store.SetLinked(number, len(doc.Mentions), unsure)
				})
			})
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				s.cfg.Errorf("documents %d to %d are not linked in advance: %v", entries[0].Number, entries[len(entries)-1].Number, err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-s.reloaded:
		}
	}
}
