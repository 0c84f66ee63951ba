package server

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ctxnorm/ctxnorm/internal/must"
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
	session := must.Get(client.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil))
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
func useTool(t *testing.T, session *mcp.ClientSession, name, arguments string) string {
	t.Helper()
	result, err := session.CallTool(context.WithoutCancel(t.Context()), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	must.Succeed(t, err, name, arguments)
	if result.IsError {
		return "error: " + result.Content[0].(*mcp.TextContent).Text
	}
	written := must.Get(json.Marshal(result.StructuredContent))
	return string(written)
}

// A client has the tool that corrects only where it may, and it is the only one that changes something.
func TestMCPTools(t *testing.T) {
	s := newServer(t, scriptServer(t, "dictionary", ""))
	for corrections, want := range map[bool]int{true: 5, false: 4} {
		tools, err := connectMCP(t, s, corrections).ListTools(t.Context(), nil)
		if err != nil || len(tools.Tools) != want {
			t.Fatalf("%v, %+v, want %d tools", err, tools, want)
		}
		for _, tool := range tools.Tools {
			if reads := tool.Annotations.ReadOnlyHint; reads == (tool.Name == "correct") {
				t.Errorf("%s: read-only is %t", tool.Name, reads)
			}
		}
	}
}

// A client that leaves ends the session. A line that is no message, is too long, or has a number that the answer could
// not have, ends it with an error.
func TestMCPLines(t *testing.T) {
	s := newServer(t, scriptServer(t, "dictionary", `"Limits":{"Body":2000}`))
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"
	numbered := func(id string) string { return strings.Replace(ping, `"id":1`, `"id":`+id, 1) }
	for line, isMessage := range map[string]bool{
		ping: true, "{bad\n": false, strings.Repeat("x", 3000) + "\n": false, numbered(`"1"`): true,
		numbered("9007199254740991"): true, numbered("9007199254740993"): false,
		numbered("123456789012345678901234567890"): false, numbered("1.5"): false, numbered("1e400"): false,
		numbered("3.0"): true, "[" + strings.TrimSpace(numbered("-2.5")) + "]\r\n": false,
	} {
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
	_, err = toolDocument(ended, "ache", []string{"ache"})
	must.FailWith(t, err, context.Canceled, "error after the end of the context")
}

// A text with more mentions than the limit is refused by both tools.
func TestMCPMentions(t *testing.T) {
	session := connectMCP(t, newServer(t, scriptServer(t, "dictionary", `"Limits":{"Input":{"Mentions":2}}`)), false)
	for _, tool := range []string{"find_mentions", "link_text"} {
		got := useTool(t, session, tool, `{"text":"headache, headache, headache"}`)
		must.Contain(t, got, "3 mentions, want at most 2", tool)
	}
}
