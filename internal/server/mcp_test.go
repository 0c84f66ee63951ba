package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/kb"
)

// connectMCP returns a session of the SDK's client with a server, over pipes.
func connectMCP(t *testing.T, s *Server, corrections bool) *mcp.ClientSession {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- s.ServeMCP(t.Context(), fromClient, toClient, corrections)
		toClient.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return session
}

// useTool calls a tool and returns its structured answer, or the text of its error.
func useTool[T any](t *testing.T, session *mcp.ClientSession, name, arguments string) (answer T, failed string) {
	t.Helper()
	result, err := session.CallTool(context.WithoutCancel(t.Context()), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s %s: %v", name, arguments, err)
	}
	if result.IsError {
		return answer, result.Content[0].(*mcp.TextContent).Text
	}
	written, err := json.Marshal(result.StructuredContent)
	if err == nil {
		err = json.Unmarshal(written, &answer)
	}
	if err != nil {
		t.Fatalf("%s %s: %v: %s", name, arguments, err, written)
	}
	return answer, ""
}

// linkedWordings returns "wording at start: first concept" of each mention.
func linkedWordings(t *testing.T, session *mcp.ClientSession, arguments string) []string {
	t.Helper()
	answer, failed := useTool[toolMentions](t, session, "link_text", arguments)
	if failed != "" {
		t.Fatalf("%s: %s", arguments, failed)
	}
	var list []string
	for _, m := range answer.Mentions {
		concept := kb.ConceptID("NIL")
		if len(m.Candidates) > 0 {
			concept = m.Candidates[0].ID
		}
		list = append(list, m.Text+": "+string(concept))
	}
	return list
}

func TestMCPOfDictionary(t *testing.T) {
	s := newServer(t, Config{
		Dictionary: searchDictionary(), Model: "names.tsv", Limits: Limits{Input: files.Limits{Mentions: 2}},
	})
	session := connectMCP(t, s, true)
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
		if reads := tool.Annotations.ReadOnlyHint; reads != (tool.Name != "correct") {
			t.Errorf("%s: read-only is %t", tool.Name, reads)
		}
	}
	slices.Sort(names)
	if want := []string{"correct", "find_mentions", "get_concept", "link_text", "search_concepts"}; !slices.Equal(names, want) {
		t.Errorf("tools %q, want %q", names, want)
	}
	for _, test := range []struct {
		arguments string
		want      []string
	}{
		{`{"text":"ä fever, then headache"}`, []string{"fever: EX:a/b?c", "headache: EX:4"}},
		{`{"text":"feverish? a fever","mentions":["fever"]}`, []string{"fever: EX:a/b?c"}},
		{`{"text":"A [ENT] headache [/ENT] after fever"}`, []string{"headache: EX:4"}},
		{`{"text":"nothing here"}`, nil},
	} {
		if got := linkedWordings(t, session, test.arguments); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.arguments, got, test.want)
		}
	}
	// The offsets are those of the word, in code points.
	answer, _ := useTool[toolMentions](t, session, "link_text", `{"text":"äfever ä fever","mentions":["fever"],"top":1}`)
	if m := answer.Mentions[0]; *m.Start != 9 || *m.End != 14 || len(m.Candidates) != 1 {
		t.Errorf("mention %+v, want one from 9 to 14 with one candidate", m)
	}
	found, _ := useTool[foundMentions](t, session, "find_mentions", `{"text":"ä scarlet fever"}`)
	if diff := cmp.Diff(foundMentions{[]foundMention{{2, 15, "scarlet fever", []kb.ConceptID{"EX:2"}}}}, found); diff != "" {
		t.Errorf("find_mentions (-want +got):\n%s", diff)
	}
	page, _ := useTool[conceptPage](t, session, "search_concepts", `{"query":"porphyria","limit":7}`)
	if len(page.Concepts) != 7 || *page.NextOffset != 7 {
		t.Errorf("search_concepts: %+v, want 7 of 30 concepts", page)
	}
	concept, _ := useTool[toolConcept](t, session, "get_concept", `{"id":"OLD:1"}`)
	if concept.ID != "EX:a/b?c" || concept.ChildCount != 1 || concept.Children[0].ID != "EX:2" {
		t.Errorf("get_concept: %+v", concept)
	}
	for _, test := range []struct{ tool, arguments, want string }{
		{"link_text", `{"text":"fever","mentions":["cough"]}`, `the text has no "cough"`},
		{"link_text", `{"text":"fever","mentions":["f","f","f"]}`, "mentions has 3 wordings, want at most 2"},
		{"link_text", `{"text":"fever","mentions":[""]}`, `the text has no ""`},
		{"link_text", `{"text":"[ENT] fever"}`, "marked text: "},
		{"link_text", `{"text":"[ENT] fever [/ENT] a","mentions":["a"]}`, "want one of the two"},
		{"link_text", `{"text":"fever","top":21}`, "top is 21, want 1 to 20"},
		{"link_text", `{"text":"fever","recognize":true}`, "recognizer"},
		{"link_text", `{"texts":"fever"}`, "texts"},
		{"find_mentions", `{"text":"fever","recognize":true}`, "recognizer"},
		{"search_concepts", `{"query":""}`, "query has 0 bytes, want 1 to 500"},
		{"search_concepts", `{"query":"x","limit":-1}`, "limit is -1, want 1 to 100"},
		{"get_concept", `{"id":"EX:99"}`, `the model has no concept "EX:99"`},
		{"correct", `{"mention":"temperature","concept":"EX:4"}`, "a dictionary without a model takes no corrections"},
	} {
		if _, failed := useTool[any](t, session, test.tool, test.arguments); !strings.Contains(failed, test.want) {
			t.Errorf("%s %s: error %q, want %q", test.tool, test.arguments, failed, test.want)
		}
	}
}

// A client that leaves ends the session. A line that is no message, or is too long, ends it with an error.
func TestMCPLines(t *testing.T) {
	s := newServer(t, Config{Dictionary: searchDictionary(), Model: "names.tsv", Limits: Limits{Body: 2000}})
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"
	for line, isMessage := range map[string]bool{ping: true, "{bad\n": false, strings.Repeat("x", 3000) + "\n": false} {
		in := io.NopCloser(strings.NewReader(ping + line))
		if err := s.ServeMCP(t.Context(), in, nopCloser{io.Discard}, false); (err == nil) != isMessage {
			t.Errorf("%.40q: error %v", line, err)
		}
	}
}

// nopCloser is a writer that is not closed.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// Wordings that stand at one place are one mention, and a call that has ended looks for no more.
func TestMCPWordings(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	doc, err := toolDocument(ended, "x ache", []string{"ache", "x", "ache"})
	if err != nil || len(doc.Mentions) != 2 || doc.Mentions[0].Start != 0 {
		t.Errorf("%+v, %v, want two mentions in order", doc, err)
	}
	end()
	if _, err := toolDocument(ended, "ache", []string{"ache"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after the end of the context", err)
	}
}

// What a client corrects is linked by from then on; and no client corrects that may not.
func TestMCPCorrects(t *testing.T) {
	s := newServer(t, gutConfig(t))
	session := connectMCP(t, s, true)
	const text = `{"text":"The boring belly hurts.","mentions":["boring belly"]}`
	for _, step := range []struct{ arguments, want string }{
		{`{"text":"The boring belly hurts.","mention":"boring belly","concept":"G4","by":"ann"}`, "boring belly: G4"},
		{`{"text":"The boring belly hurts.","mention":"boring belly","replace":true}`, "boring belly: NIL"},
	} {
		if _, failed := useTool[correction](t, session, "correct", step.arguments); failed != "" {
			t.Fatalf("%s: %s", step.arguments, failed)
		}
		if got := linkedWordings(t, session, text); !slices.Equal(got, []string{step.want}) {
			t.Errorf("after %s linked %q, want %q", step.arguments, got, step.want)
		}
	}
	if _, failed := useTool[correction](t, session, "correct", `{"mention":"scarlet gullet","concept":"G4"}`); failed != "" {
		t.Fatal(failed)
	}
	if got := linkedWordings(t, session, `{"text":"A scarlet gullet."}`); !slices.Equal(got, []string{"scarlet gullet: G4"}) {
		t.Errorf("linked %q, want G4 by the name that was added", got)
	}
	for arguments, want := range map[string]string{
		`{"mention":"x"}`: "neither a text nor a concept", `{"mention":"x","text":"abc"}`: `the text has no "x"`,
		`{"mention":"x","concept":"G99"}`: "G99",
	} {
		if _, failed := useTool[correction](t, session, "correct", arguments); !strings.Contains(failed, want) {
			t.Errorf("%s: error %q, want %q", arguments, failed, want)
		}
	}
	reading := connectMCP(t, s, false)
	if _, err := reading.CallTool(t.Context(), &mcp.CallToolParams{Name: "correct", Arguments: json.RawMessage(`{"mention":"x","concept":"G4"}`)}); err == nil {
		t.Error("a client corrects that may not")
	}
}

// A dictionary alone is served over HTTP, and takes no corrections.
func TestServeDictionary(t *testing.T) {
	s := newServer(t, Config{Dictionary: linktest.GutDictionary(), Model: "gut.tsv"})
	if w := post(s, "/v1/annotate", documents(`{"text":"a gastric ulcer"}`)); !strings.Contains(w.Body.String(), `"id":"G2"`) {
		t.Errorf("status %d, want a link to G2: %s", w.Code, w.Body)
	}
	for _, path := range []string{"/v1/memory", "/v1/memory/export"} {
		wantProblem(t, get(s, path), 403)
	}
	wantProblem(t, post(s, "/v1/memory", `{"kind":"name","concept":"G2","name":"x"}`), 403)
	wantProblem(t, post(s, "/v1/memory/import", `{"entries":[]}`), 403)
	if health := ok[healthStatus](t, get(s, "/healthz")); health.Memory || health.Encoder {
		t.Errorf("health %+v, want neither a memory nor an encoder", health)
	}
}
