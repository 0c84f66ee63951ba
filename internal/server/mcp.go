package server

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/memory"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// ServeMCP serves one client of the Model Context Protocol, one JSON-RPC message a line, until in ends or ctx is done.
// Several goroutines write to out. If corrections is set, the client may add to the memory.
func (s *Server) ServeMCP(ctx context.Context, in io.Reader, out io.WriteCloser, corrections bool) error {
	following, stop := context.WithCancel(ctx)
	defer stop()
	go s.Follow(following, followInterval)
	tools, err := s.newTools(corrections)
	if err == nil {
		err = tools.Run(ctx, &mcp.IOTransport{Reader: checkedLines(in, out, int(s.cfg.Limits.Body)), Writer: out, MaxLineLength: -1})
	}
	if ctx.Err() != nil {
		return nil //nolint:nilerr // clients stop a server by a signal
	}
	return err
}

// checkedLines passes messages on to the SDK, one a line. It answers an invalid message, which would end the SDK's
// session, by an error on out. A line of more than most bytes ends the session.
func checkedLines(in io.Reader, out io.Writer, most int) io.ReadCloser {
	read, write := io.Pipe()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, most)
	go func() {
		var err error
		for err == nil && lines.Scan() {
			line := bytes.TrimSpace(lines.Bytes())
			if refusal := checkMessage(line); refusal != nil && len(line) > 0 {
				err = json.NewEncoder(out).Encode(map[string]any{"jsonrpc": "2.0", "id": nil, "error": refusal})
			} else {
				_, err = write.Write(append(line, '\n'))
			}
		}
		if err = cmp.Or(err, lines.Err()); errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("a line of messages has more than %d bytes", most)
		}
		write.CloseWithError(err)
	}()
	return read
}

// checkMessage returns the error in a JSON-RPC message, or nil. It rejects batches, which the protocol dropped with
// version 2025-06-18. It also rejects an id that would come back changed, because the SDK reads numbers as float64 and
// writes int64.
func checkMessage(message []byte) *jsonrpc.Error {
	var numbered struct{ ID any }
	syntax := json.Unmarshal(message, &numbered)
	_, err := jsonrpc.DecodeMessage(message)
	if id, _ := numbered.ID.(float64); id != math.Trunc(id) || math.Abs(id) >= 1<<53 {
		err = fmt.Errorf("the id of a message is %g, want a string or a whole number below 2^53", id)
	}
	if _, ok := errors.AsType[*json.SyntaxError](syntax); ok {
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: syntax.Error()}
	} else if err != nil {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
	}
	return nil
}

const aboutTools = `Links the wordings of concepts in texts to the concepts of a dictionary, by their context. ` +
	`The dictionary has %d concepts. Offsets count Unicode code points, and an end is exclusive. ` +
	`A mention without candidates is NIL: no concept of the dictionary fits.`

// newTools returns the server of the tools.
func (s *Server) newTools(corrections bool) (*mcp.Server, error) {
	m, release, err := s.models.acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	tools := mcp.NewServer(&mcp.Implementation{Name: "ctxnorm", Version: s.cfg.Version}, &mcp.ServerOptions{
		Instructions: fmt.Sprintf(aboutTools, m.Dictionary().Len()), Capabilities: new(mcp.ServerCapabilities),
	})
	addTool(s, tools, "link_text", "Link wordings in a text to concepts: those listed in mentions, or those marked as "+
		"[ENT] … [/ENT] in the text, or else the dictionary's names in it. "+
		"Returns each mention with its candidates, the best first.", s.linkText)
	addTool(s, tools, "find_mentions", "Find the dictionary's names in a text, and with recognize wordings that are no names, too, "+
		"without linking them.", s.findMentions)
	addTool(s, tools, "search_concepts", "Search concepts by identifier, by name, by the beginning of a name, or by a similar name.",
		s.searchTool)
	addTool(s, tools, "get_concept", "Return the names, types, broader and narrower concepts and some sentences of a concept.",
		s.conceptTool)
	if corrections {
		addTool(s, tools, correctName, "Store a correction, which later links follow: that a mention in a text names a concept, or "+
			"without concept that it names none; or without text that a concept has a name, or with the concept none that "+
			"the wording is no mention in any text.", s.correctTool)
	}
	return tools, nil
}

// correctName is the name of the only tool that changes anything.
const correctName = "correct"

// addTool adds a tool that answers within [Limits.Time]. Its errors are meant for the client.
func addTool[In, Out any](s *Server, tools *mcp.Server, name, description string, answer operation[In, Out]) {
	annotations := &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(bool)}
	if name == correctName {
		annotations = &mcp.ToolAnnotations{DestructiveHint: new(bool), OpenWorldHint: new(bool)}
	}
	mcp.AddTool(tools, &mcp.Tool{Name: name, Description: description, Annotations: annotations},
		func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, *Out, error) {
			ctx, cancel := context.WithTimeout(ctx, s.cfg.Limits.Time)
			defer cancel()
			out, err := now(ctx, s, answer, &in)
			return nil, out, err
		})
}

// refused returns the error for invalid arguments.
func refused(format string, args ...any) *Problem {
	return problem(http.StatusUnprocessableEntity, format, args...)
}

// bounded returns the value of an argument, or its default if the value is 0. It returns an error unless the result is
// from 1 to most.
func bounded(name string, value, byDefault, most int) (int, error) {
	if value = cmp.Or(value, byDefault); value < 1 || value > most {
		return 0, refused("%s is %d, want 1 to %d", name, value, most)
	}
	return value, nil
}

// LinkTextInput are the arguments of the tool link_text.
type LinkTextInput struct {
	Text      string   `json:"text" jsonschema:"the text; its sentences are the context of the mentions"`
	Mentions  []string `json:"mentions,omitempty" jsonschema:"wordings to link, each where it first stands"`
	Top       int      `json:"top,omitempty" jsonschema:"largest number of candidates of a mention, 1 to 20 (default 3)"`
	Recognize bool     `json:"recognize,omitempty" jsonschema:"without mentions: find wordings that are no names, too"`
	Assertion bool     `json:"assertion,omitempty" jsonschema:"say what is negated, uncertain, past or of another person"`
}

// toolMentions lists the mentions of a text.
type toolMentions[M any] struct {
	Mentions []M `json:"mentions"`
}

// toolMention is a linked mention, or a sub-mention of a composite one, which has no offsets of its own.
type toolMention struct {
	Start        *int            `json:"start,omitempty" jsonschema:"offset of the first character"`
	End          *int            `json:"end,omitempty" jsonschema:"offset after the last character"`
	Text         string          `json:"text"`
	ResolvedText string          `json:"resolved_text,omitempty" jsonschema:"the wording with short forms expanded"`
	Source       string          `json:"source,omitempty" jsonschema:"dictionary or recognized"`
	Assertion    []string        `json:"assertion,omitempty"`
	Corrected    string          `json:"corrected,omitempty" jsonschema:"who decided the concept by a correction"`
	Candidates   []toolCandidate `json:"candidates" jsonschema:"the best first; none: no concept fits"`
	Broader      *linked.Broader `json:"broader,omitempty" jsonschema:"without candidates: what it is probably a kind of"`
	PartOf       string          `json:"part_of,omitempty" jsonschema:"the composite mention that this is a part of"`
}

type toolCandidate struct {
	ID          kb.ConceptID `json:"id"`
	Name        string       `json:"name"`
	Probability *float64     `json:"probability,omitempty"`
	Score       *float64     `json:"score,omitempty" jsonschema:"similarity of strings, where there is no probability"`
}

func (s *Server) linkText(ctx context.Context, _ *servedModel, in *LinkTextInput) (*toolMentions[toolMention], error) {
	top, err := bounded("top", in.Top, 3, 20) // as the schema says
	if err != nil {
		return nil, err
	}
	params := LinkParams{Top: top, Recognize: in.Recognize, Assertion: in.Assertion}
	if limit := s.cfg.Limits.Input.Mentions; int64(len(in.Mentions)) > limit {
		return nil, refused("mentions has %d wordings, want at most %d", len(in.Mentions), limit)
	}
	doc, err := toolDocument(ctx, in.Text, in.Mentions)
	if err != nil {
		return nil, err
	}
	find := len(doc.Mentions) == 0
	if in.Recognize && !find {
		return nil, refused("recognize has no effect where mentions are given")
	}
	docs, err := s.linkRecords(ctx, []*formats.Record{formats.NewRecord(doc)}, &params, find)
	if err != nil {
		return nil, err
	}
	out := &toolMentions[toolMention]{[]toolMention{}}
	for _, m := range docs[0].CodePoints() {
		found := toolMention{
			Start: &m.Start, End: &m.End, Text: m.Text, ResolvedText: m.ResolvedText, Source: m.Source,
			Assertion: m.Attributes(), Corrected: m.Corrected.String(), Candidates: []toolCandidate{}, Broader: m.Broader,
		}
		if len(m.SubMentions) == 0 {
			found.Candidates = toolCandidates(m.Candidates)
		}
		out.Mentions = append(out.Mentions, found)
		for _, part := range m.SubMentions {
			out.Mentions = append(out.Mentions, toolMention{
				Text: part.Text, PartOf: m.Text, Candidates: toolCandidates(part.Candidates), Broader: part.Broader,
			})
		}
	}
	return out, nil
}

func toolCandidates(candidates []linked.Candidate) []toolCandidate {
	list := make([]toolCandidate, len(candidates))
	for i, c := range candidates {
		list[i] = toolCandidate{ID: c.Concept, Name: c.Name}
		if c.Probability != 0 {
			list[i].Probability = new(linked.Rounded(c.Probability))
		} else {
			list[i].Score = new(linked.Rounded(c.Score))
		}
	}
	return list
}

// toolDocument returns a document with the mentions that are marked in the text or listed by their phrases. It stops
// when ctx ends.
func toolDocument(ctx context.Context, s string, wordings []string) (*text.Document, error) {
	doc, err := formats.ParseMarked(s)
	if err != nil {
		return nil, refused("%v", err)
	}
	if len(doc.Mentions) > 0 && len(wordings) > 0 {
		return nil, refused("the text has marked mentions, and mentions lists others; want one of the two")
	}
	for _, wording := range wordings {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		span, ok := findWording(doc.Text, wording)
		if !ok {
			return nil, refused("the text has no %s", input.Quote(wording))
		}
		doc.Mentions = append(doc.Mentions, text.Mention{Span: span})
	}
	slices.SortFunc(doc.Mentions, func(a, b text.Mention) int { return a.Compare(b.Span) })
	doc.Mentions = slices.CompactFunc(doc.Mentions, func(a, b text.Mention) bool { return a.Span == b.Span })
	return doc, nil
}

// findWording returns the first occurrence of a phrase in a text as whole words, or else its first occurrence of any
// kind.
func findWording(s, wording string) (text.Span, bool) {
	start := strings.Index(s, wording)
	if start < 0 || strings.TrimSpace(wording) == "" {
		return text.Span{}, false
	}
	whole, err := regexp.Compile(`(?:^|[^\pL\p{Nd}])(` + regexp.QuoteMeta(wording) + `)(?:$|[^\pL\p{Nd}])`)
	if err == nil { // it is not too long
		if at := whole.FindStringSubmatchIndex(s); at != nil {
			start = at[2]
		}
	}
	return text.Span{Start: start, End: start + len(wording)}, true
}

// FindMentionsInput are the arguments of the tool find_mentions.
type FindMentionsInput struct {
	Text      string `json:"text" jsonschema:"the text"`
	Recognize bool   `json:"recognize,omitempty" jsonschema:"find wordings that are no names of the dictionary, too"`
}

// foundMention is a mention found in a text.
type foundMention struct {
	Start int            `json:"start" jsonschema:"offset of the first character"`
	End   int            `json:"end" jsonschema:"offset after the last character"`
	Text  string         `json:"text"`
	IDs   []kb.ConceptID `json:"ids,omitempty" jsonschema:"the concepts that have this name"`
}

func (s *Server) findMentions(ctx context.Context, m *servedModel, in *FindMentionsInput) (*toolMentions[foundMention], error) {
	doc, err := m.Find(&text.Document{Text: in.Text}, ctxnorm.LinkOptions{Recognize: in.Recognize})
	if errors.Is(err, ctxnorm.ErrNoRecognizer) {
		return nil, refused("%v", err)
	}
	if err != nil {
		return nil, err
	}
	if err := s.checkSize(len(doc.Mentions)); err != nil {
		return nil, err
	}
	offsets := text.NewOffsets(doc.Text)
	out := &toolMentions[foundMention]{make([]foundMention, len(doc.Mentions))}
	for i, found := range doc.Mentions {
		at := offsets.CodePoints(found.Span)
		out.Mentions[i] = foundMention{Start: at.Start, End: at.End, Text: found.Of(doc.Text), IDs: found.Concepts}
	}
	return out, nil
}

// SearchConceptsInput are the arguments of the tool search_concepts.
type SearchConceptsInput struct {
	Query string `json:"query" jsonschema:"a name, the beginning of one, or an identifier"`
	Limit int    `json:"limit,omitempty" jsonschema:"largest number of concepts to return, 1 to 100 (default 10)"`
}

const maxToolQuery = 500 // bytes

func (s *Server) searchTool(ctx context.Context, m *servedModel, in *SearchConceptsInput) (*conceptPage, error) {
	limit, err := bounded("limit", in.Limit, 10, 100) // as the schema says
	if err != nil {
		return nil, err
	}
	if in.Query == "" || len(in.Query) > maxToolQuery {
		return nil, refused("query has %d bytes, want 1 to %d", len(in.Query), maxToolQuery)
	}
	return s.searchConcepts(ctx, m, &searchInput{Query: in.Query, Limit: limit})
}

// GetConceptInput are the arguments of the tool get_concept.
type GetConceptInput struct {
	ID kb.ConceptID `json:"id" jsonschema:"the identifier of the concept, or an alternative one"`
}

// toolConcept is the result of the tool get_concept.
type toolConcept struct {
	conceptDetails
	ChildCount int `json:"child_count" jsonschema:"the number of all narrower concepts"`
}

const toolExemplars, toolChildren = 3, 30

func (s *Server) conceptTool(ctx context.Context, m *servedModel, in *GetConceptInput) (*toolConcept, error) {
	out, err := s.showConcept(ctx, m, &conceptInput{ID: string(in.ID), Limit: toolExemplars})
	if err != nil {
		return nil, err
	}
	concept := &toolConcept{*out, len(out.Children)}
	concept.Children = concept.Children[:min(toolChildren, len(concept.Children))]
	return concept, nil
}

// CorrectInput are the arguments of the tool correct.
type CorrectInput struct {
	Mention string       `json:"mention" jsonschema:"the wording"`
	Text    string       `json:"text,omitempty" jsonschema:"the text; without it the wording becomes a name"`
	Concept kb.ConceptID `json:"concept,omitempty" jsonschema:"its identifier; without it the mention names none; none without text: no mention in any text"`
	By      string       `json:"by,omitempty" jsonschema:"who says so"`
	Replace bool         `json:"replace,omitempty" jsonschema:"undo corrections that say otherwise"`
}

// correction is the result of the tool correct.
type correction struct {
	Number int `json:"number" jsonschema:"the number of the entry in the memory"`
}

func (s *Server) correctTool(ctx context.Context, m *servedModel, in *CorrectInput) (*correction, error) {
	entry := newEntry{Kind: memory.KindContext, By: in.By, Concept: in.Concept, Text: in.Text}
	switch {
	case in.Text == "" && in.Concept == "":
		return nil, refused("the correction has neither a text nor a concept")
	case in.Text == "" && in.Concept == "none":
		entry.Kind, entry.Concept, entry.Name = memory.KindNoMention, "", in.Mention
	case in.Text == "":
		entry.Kind, entry.Name = memory.KindName, in.Mention
	default:
		span, ok := findWording(in.Text, in.Mention)
		if !ok {
			return nil, refused("the text has no %s", input.Quote(in.Mention))
		}
		at := text.NewOffsets(in.Text).CodePoints(span)
		entry.Start, entry.End = at.Start, at.End
		if in.Concept == "" {
			entry.Kind = memory.KindNIL
		}
	}
	out, err := remembering(s.addMemory)(ctx, m, &addInput{ReplaceParam{in.Replace}, entry})
	if err != nil {
		return nil, err
	}
	return &correction{out.Number}, nil
}
