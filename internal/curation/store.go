// Package curation stores the decisions of curators on a collection of documents.
//
// Open a [Store] with the documents, which it holds in memory, and a folder for the decisions; list the documents with
// [Store.Entries], and store decisions with [Store.Put]. The folder has a file for each document that was opened. It is
// one line of JSONL, which every command can read, also as gold, with a member for additional data:
//
//	{"id":"7","text":"A gastric ulcer.","mentions":[{"start":2,"end":15,"text":"gastric ulcer","ids":["G2"],
//	  "candidates":[{"id":"G2",…}],"corrected":"corrected by ann at 2026-01-02T15:04:05Z"}],
//	  "curation":{"format":1,"version":3,"left":0},"crc32c":"0f1e2d3c"}
package curation

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// These limit the documents of a [Store], which are held in memory.
const (
	maxDocuments = 200_000
	maxTexts     = 1 << 30 // bytes
)

// Source is a document to curate.
type Source struct {
	*text.Document
	File string // as shown in lists
	// Unnamed is true if the file gives the document no identifier, as in [formats.Record].
	Unnamed bool
	Columns []formats.Column // cells of a table's row; nil for other documents
	twin    int              // as in [State]
	title   string           // the beginning of the text
}

// Dir returns the folder for decisions on the documents at a path, which is beside them.
func Dir(documents string) string { return filepath.Clean(documents) + ".decisions" }

// Store holds documents and the decisions of curators. It is safe for concurrent use.
type Store struct {
	dir     string
	lock    *artifact.Lock
	sources []Source
	names   []string // file names of the documents
	columns []string // see [Store.Columns]

	// Strays is the number of files whose documents are not in the store.
	Strays int

	equal []*group // of each document

	mu      sync.RWMutex
	decided []*Document // nil for a document that was not opened; the Documents are never modified
}

// group is a document or, for a table's row, all rows with the same text and mentions, in order.
type group struct {
	rows     []int
	writing  sync.Mutex // held while their files are written
	linked   bool       // guarded by the store's mu, as are the results of linking below
	mentions int
	unsure   []text.Span // mentions that need review
}

// Open returns a store of documents with the decisions in a folder, which it creates if necessary and locks until
// [Store.Close]. If documents have the same identifier and text, only the first is used, except for rows of tables. The
// error is a [*files.DamagedError] for a file of the folder that was altered, and a [*files.LockedError] if another
// process has opened the folder.
func Open(ctx context.Context, dir string, sources []Source) (_ *Store, err error) {
	s := &Store{dir: dir}
	at := make(map[string]int, len(sources))
	twins := make(map[string]int)    // number of documents without an identifier, by text
	equal := make(map[string]*group) // by the key of the rows that are decided together
	size := 0
	for _, source := range sources {
		_, twice := at[fileName(source.ID, source.Text, 0)]
		if source.Unnamed || twice && source.Columns != nil {
			twins[source.Text]++
			source.twin = twins[source.Text]
		}
		source.title = titleOf(source.Text)
		name := fileName(source.ID, source.Text, source.twin)
		if _, twice := at[name]; twice {
			continue
		}
		if len(s.sources) == maxDocuments {
			return nil, fmt.Errorf("there are more than %d documents", maxDocuments)
		}
		size += len(source.Text)
		for _, cell := range source.Columns {
			size += len(cell.Value)
		}
		if size > maxTexts {
			return nil, fmt.Errorf("the texts of the documents have more than %d bytes", maxTexts)
		}
		at[name] = len(s.sources)
		cell := name // a key of its own for a document that is not a row
		if source.Columns != nil {
			cell = source.cell()
		}
		if equal[cell] == nil {
			equal[cell] = new(group)
		}
		equal[cell].rows = append(equal[cell].rows, len(s.sources))
		s.sources, s.names, s.equal = append(s.sources, source), append(s.names, name), append(s.equal, equal[cell])
	}
	s.decided = make([]*Document, len(s.sources))
	isOther := func(o Source) bool {
		return !slices.EqualFunc(o.Columns, s.sources[0].Columns, func(a, b formats.Column) bool { return a.Name == b.Name })
	}
	if len(s.sources) > 0 && !slices.ContainsFunc(s.sources, isOther) {
		for _, cell := range s.sources[0].Columns {
			s.columns = append(s.columns, cell.Name)
		}
	}
	if err := artifact.MkdirAll(dir); err != nil {
		return nil, err
	}
	if s.lock, err = artifact.LockFolder(ctx, dir, nil); err != nil {
		return nil, err
	}
	if err := s.read(at); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// read reads the files of the folder. at maps their names to indexes of documents.
func (s *Store) read(at map[string]int) error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := filepath.Join(s.dir, entry.Name())
		if name := artifact.WithoutTemporary(entry.Name()); name != entry.Name() {
			if err := artifact.RemoveStale(filepath.Join(s.dir, name)); err != nil {
				return err
			}
			continue
		}
		if filepath.Ext(entry.Name()) != fileSuffix || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		data, err := artifact.ReadFrom(path, 0)
		if err != nil {
			return err
		}
		d, err := parse(data)
		if err != nil {
			return artifact.WithPath(path, err)
		}
		if want := fileName(d.ID, d.Text, d.Twin); want != entry.Name() {
			return artifact.Damaged(path, "line 1: is the file %s by its identifier and its text", want)
		}
		i, ok := at[entry.Name()]
		if !ok {
			s.Strays++
			continue
		}
		d.ID, d.Text = s.sources[i].ID, s.sources[i].Text // its row may have another number now; shares the text
		s.decided[i] = d
	}
	return nil
}

// Close unlocks the folder.
func (s *Store) Close() { s.lock.Release() }

// Len returns the number of documents.
func (s *Store) Len() int { return len(s.sources) }

// cell returns the key that rows share if they are decided together.
func (s *Source) cell() string {
	key := fmt.Sprintf("%q", s.Text)
	for i := range s.Mentions {
		key += fmt.Sprint(s.Mentions[i].Span)
	}
	return key
}

// Entry is a document in a list.
type Entry struct {
	Number  int    `json:"number" doc:"Its number, from 1, until the server restarts"`
	Key     string `json:"key" doc:"Its key, which stays the same when the server restarts, even with other documents"`
	ID      string `json:"id" doc:"Its identifier"`
	File    string `json:"file" doc:"Its file"`
	Unnamed bool   `json:"unnamed,omitempty" doc:"Whether the file gives it no identifier"`
	Opened  bool   `json:"opened" doc:"Whether a curator has opened it"`
	Decided int    `json:"decided" doc:"The number of mentions that were decided on or removed"`
	Left    int    `json:"left" doc:"The number of undecided mentions; 0 if it was neither opened nor linked yet"`
	Done    bool   `json:"done" doc:"Whether all mentions are decided, and the document was opened or is a linked row of a table"`

	Title    string `json:"title,omitempty" doc:"The beginning of its text"`
	Linked   bool   `json:"linked" doc:"Whether the server has linked it since the model was opened"`
	Mentions int    `json:"mentions" doc:"The number of mentions that the server found"`
	Unsure   int    `json:"unsure" doc:"The number of undecided mentions that need review, as in the column review of tables"`
	Equal    int    `json:"equal" doc:"For a row of a table, the number of rows with the same text and mentions, including itself; otherwise 1"`
	Group    int    `json:"-"` // the same for all equal rows

	worst int // number of mentions that need review, decided or not
}

// CompareWorst orders documents by the number of mentions that need review, then by the number of rows that are decided
// with them. Decisions do not change the order.
func (e *Entry) CompareWorst(o *Entry) int {
	return cmp.Or(cmp.Compare(o.worst, e.worst), cmp.Compare(o.Equal, e.Equal), cmp.Compare(e.Group, o.Group),
		cmp.Compare(e.Number, o.Number))
}

// Progress counts how far curators have got.
type Progress struct {
	Documents int `json:"documents" doc:"The number of documents"`
	Opened    int `json:"opened" doc:"The number of those that were opened"`
	Done      int `json:"done" doc:"The number of those in which nothing is left to decide"`
	Decided   int `json:"decided" doc:"The number of mentions that were decided on, or removed"`
	Left      int `json:"left" doc:"The number of mentions that are left to decide in those that were opened or linked"`
	Linked    int `json:"linked" doc:"The number of documents that the server has linked since the model was opened"`
	Unsure    int `json:"unsure" doc:"The number of mentions left to decide that somebody should look at"`
}

// Progress returns the progress over all documents.
func (s *Store) Progress() (p Progress) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	count := map[bool]int{true: 1}
	for i := range s.sources {
		e := s.entry(i)
		p.Documents++
		p.Opened += count[e.Opened]
		p.Done += count[e.Done]
		p.Linked += count[e.Linked]
		p.Decided += e.Decided
		p.Left += e.Left
		p.Unsure += e.Unsure
	}
	return p
}

// SetLinked records how many mentions linking found in a document and the rows equal to it, and which of them need
// review.
func (s *Store) SetLinked(number, mentions int, unsure []text.Span) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.equal[number-1]
	g.linked, g.mentions, g.unsure = true, mentions, unsure
}

// Entries returns all documents in their order.
func (s *Store) Entries() []Entry {
	s.mu.RLock()
	defer s.mu.RUnlock()
	entries := make([]Entry, len(s.sources))
	for i := range entries {
		entries[i] = s.entry(i)
	}
	return entries
}

func (s *Store) entry(i int) Entry {
	source, equal, d := &s.sources[i], s.equal[i], s.decided[i]
	// The key is the name of the decisions file without its extension.
	e := Entry{Number: i + 1, Key: strings.TrimSuffix(s.names[i], fileSuffix), ID: source.ID, File: source.File,
		Unnamed: source.Unnamed, Title: source.title, Equal: len(equal.rows), Group: equal.rows[0]}
	if equal.linked {
		e.Linked, e.Mentions, e.Left, e.worst = true, equal.mentions, equal.mentions, len(equal.unsure)
		for _, span := range equal.unsure {
			if !d.isDecided(span) {
				e.Unsure++
			}
		}
	}
	if d != nil {
		e.Opened, e.Decided, e.Left = true, len(d.Mentions)+len(d.Removed), d.Left
	}
	e.Done = e.Left == 0 && (e.Opened || e.Linked && source.Columns != nil)
	return e
}

// titleOf returns the beginning of the first line of a text.
func titleOf(body string) string {
	const maxTitle = 80 // characters
	line, _, _ := strings.Cut(strings.TrimSpace(body), "\n")
	runes := 0
	for at := range line {
		if runes++; runes > maxTitle {
			return line[:at] + "…"
		}
	}
	return line
}

// Columns returns the column names of the table to which all documents belong, or nil if they do not.
func (s *Store) Columns() []string { return s.columns }

// Source returns the document with a valid number.
func (s *Store) Source(number int) *Source { return &s.sources[number-1] }

// Get returns the document with a number and its decisions. It returns false if there is none.
func (s *Store) Get(number int) (Entry, *Document, bool) {
	if number < 1 || number > len(s.sources) {
		return Entry{}, nil, false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	d := s.decided[number-1]
	if d == nil {
		source := &s.sources[number-1]
		d = &Document{Document: linked.Document{ID: source.ID, Text: source.Text}, State: State{Format: formatVersion}}
	}
	return s.entry(number - 1), d, true
}

// Decisions are a curator's decisions on a document. They replace all earlier ones.
type Decisions struct {
	By       string     `json:"by,omitempty" doc:"The curator"`
	Mentions []Decision `json:"mentions" doc:"All decided mentions; a mention may be in only one list of the body, and an unchanged decision keeps its author"`
	Removed  []Place    `json:"removed,omitempty" doc:"All removed mentions, which are not mentions of a concept"`
	Marked   []Place    `json:"marked,omitempty" doc:"All mentions that are added but not decided on"`
	Left     int        `json:"left" minimum:"0" maximum:"1000000000" doc:"The number of undecided mentions"`
	Equal    bool       `json:"equal,omitempty" doc:"Apply the decisions also to rows with the same text and mentions, if their earlier decisions are the same, made at the same time, or if they have none"`
}

// Decision is the decision on a mention: a concept, several for a composite mention, or none for NIL.
type Decision struct {
	Place
	Type     string         `json:"type,omitempty" maxLength:"1000" doc:"The type of the mention in the file"`
	Concept  kb.ConceptID   `json:"concept,omitempty" doc:"The concept; absent for NIL"`
	Concepts []kb.ConceptID `json:"concepts,omitempty" maxItems:"100" doc:"The concepts of a composite mention, instead of concept"`
}

// VersionError reports that a document has changed since the version that a curator saw.
type VersionError struct{ Seen, Version int }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the document has version %d, want a change of that, got one of %d", e.Version, e.Seen)
}

// FaultError reports an error in [Decisions], at the place given by a JSON pointer.
type FaultError struct{ Pointer, Reason string }

func (e *FaultError) Error() string { return e.Reason }

// Put replaces the decisions on a document if it still has the version that the curator saw, and returns the document
// once it is on disk. Decisions that stay the same keep their author and time, and may have concepts that dict no
// longer has. Equal rows are written before the document itself, so that Put can be repeated if ctx or a disk stopped
// it. The error is a [*VersionError], or a [*FaultError] if the decisions do not fit the document.
func (s *Store) Put(ctx context.Context, number, seen int, at time.Time, said *Decisions, dict *kb.Dictionary) (*Document, error) {
	if number < 1 || number > len(s.sources) {
		return nil, fmt.Errorf("there is no document %d", number)
	}
	equal := s.equal[number-1]
	equal.writing.Lock()
	defer equal.writing.Unlock()
	_, last, _ := s.Get(number)
	if last.Version != seen {
		return nil, &VersionError{seen, last.Version}
	}
	if said.Equal {
		err := parallel.ForErr(ctx, len(equal.rows), writers, func(k int) (err error) {
			row := equal.rows[k] + 1
			if _, other, _ := s.Get(row); row != number && other.hasSameDecisions(last) {
				_, err = s.put(row, other, at, said, dict, (*artifact.File).Place)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return s.put(number, last, at, said, dict, (*artifact.File).Commit)
}

// writers is the number of files to write at once: a disk flushes many files in hardly more time than one.
const writers = 128

// put replaces the decisions on a document. end moves the new file into place.
func (s *Store) put(number int, last *Document, at time.Time, said *Decisions, dict *kb.Dictionary,
	end func(*artifact.File) error) (*Document, error) {
	offsets := text.NewOffsets(last.Text)
	mentions, err := said.mentions(last, offsets, dict, at)
	d := &Document{Document: linked.Document{ID: last.ID, Text: last.Text, Mentions: mentions}, State: State{
		Format: formatVersion, Twin: s.sources[number-1].twin, Version: last.Version + 1, Left: said.Left,
		Removed: said.Removed, Marked: said.Marked,
	}}
	if err = cmp.Or(err, d.check(offsets)); err != nil {
		return nil, err
	}
	d.Removed, d.Marked = sorted(said.Removed), sorted(said.Marked)
	places := slices.Concat(d.Removed, d.Marked)
	for i := range said.Mentions {
		places = append(places, said.Mentions[i].Place)
	}
	if len(sorted(places)) < len(places) {
		return nil, &FaultError{"/mentions", "two decisions are on one mention"}
	}
	line, err := artifact.AppendCheckedLine(nil, d)
	if err != nil {
		return nil, err
	}
	f, err := artifact.Create(filepath.Join(s.dir, s.names[number-1]))
	if err != nil {
		return nil, err
	}
	defer f.Discard()
	if _, err = f.Write(line); err == nil {
		err = end(f)
	}
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.decided[number-1] = d
	return d, nil
}

// sorted returns places in order without duplicates.
func sorted(places []Place) []Place {
	return slices.Compact(slices.SortedFunc(slices.Values(places), func(a, b Place) int {
		return text.Span(a).Compare(text.Span(b))
	}))
}

// mentions returns the decided mentions in order.
func (d *Decisions) mentions(last *Document, offsets *text.Offsets, dict *kb.Dictionary, at time.Time) ([]linked.Mention, error) {
	before := make(map[text.Span]*linked.Mention, len(last.Mentions))
	for i := range last.Mentions {
		before[last.Mentions[i].Span] = &last.Mentions[i]
	}
	corrected := &text.Correction{By: d.By, At: at}
	var mentions []linked.Mention
	for i := range d.Mentions {
		decision, pointer := &d.Mentions[i], fmt.Sprintf("/mentions/%d", i)
		span, err := decision.within(offsets, pointer)
		if err != nil {
			return nil, err
		}
		old, isOld := before[span]
		if !isOld {
			old = new(linked.Mention)
		}
		m := linked.Mention{Span: span, Text: span.Of(last.Text), Type: decision.Type, Corrected: corrected}
		if err := decision.choose(&m, pointer, old.IDs, dict); err != nil {
			return nil, err
		}
		if isOld && slices.Equal(old.IDs, m.IDs) {
			m = *old
		}
		mentions = append(mentions, m)
	}
	slices.SortFunc(mentions, func(a, b linked.Mention) int { return a.Span.Compare(b.Span) })
	return mentions, nil
}

// choose turns the concepts of a decision into candidates of a mention. old are the concepts of the previous decision.
func (d *Decision) choose(m *linked.Mention, pointer string, old []kb.ConceptID, dict *kb.Dictionary) error {
	ids := d.Concepts
	if d.Concept != "" {
		if len(ids) > 0 {
			return &FaultError{pointer + "/concept", "want a concept or concepts, got both"}
		}
		ids = []kb.ConceptID{d.Concept}
	}
	for i, id := range ids {
		concept := dict.Lookup(id)
		if concept == nil && slices.Contains(old, id) {
			concept = &kb.Concept{ID: id}
		}
		if concept == nil {
			at := pointer + "/concept"
			if d.Concept == "" {
				at += fmt.Sprintf("s/%d", i)
			}
			return &FaultError{at, "the model has no concept " + input.Quote(string(id))}
		}
		name := concept.PreferredName()
		candidate := linked.Candidate{Concept: concept.ID, Name: name, MatchedName: name, Probability: 1}
		m.IDs, m.Candidates = append(m.IDs, concept.ID), append(m.Candidates, candidate)
		m.SubMentions = append(m.SubMentions, linked.SubMention{Text: m.Text, Candidates: []linked.Candidate{candidate}})
	}
	if m.Composite = len(ids) > 1; !m.Composite {
		m.SubMentions = nil
	}
	return nil
}
