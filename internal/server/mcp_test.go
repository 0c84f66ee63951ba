package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// connectMCP connects a client of the SDK to a server over pipes, and returns its session.
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
		must.Succeed(t, session.Close())
		must.Succeed(t, <-served, "the server ended")
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
	return string(must.Get(json.Marshal(result.StructuredContent)))
}

// TestMCPTools checks that a client has the tool correct only if that is allowed, and that no other tool changes
// anything.
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

// TestMCPLines checks that a session ends when the client leaves, and ends with an error after a line that is too long.
// A line that is not a message, has an id that the answer could not repeat, or is a batch, is answered by a JSON-RPC
// error.
func TestMCPLines(t *testing.T) {
	s := newServer(t, scriptServer(t, "dictionary", `"Limits":{"Body":2000}`))
	const ping, pong, refused = `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `"result":{}`, `"code":-32600`
	numbered := func(id string) string { return strings.Replace(ping, `"id":1`, `"id":`+id, 1) }
	for line, want := range map[string]string{
		ping: pong, "{bad": `"code":-32700`, ping + ping: `"code":-32700`, "\ufeff" + ping: `"code":-32700`, "[]": refused,
		"5": refused, strings.Repeat("x", 3000): "more than 2000 bytes", numbered(`"1"`): pong, numbered("{}"): refused,
		numbered("9007199254740991"): pong, numbered("9007199254740993"): "below 2^53", `{"id":1,"method":"ping"}`: refused,
		numbered("123456789012345678901234567890"): refused, numbered("1.5"): refused, numbered("1e400"): refused,
		numbered("3.0"): pong, "[" + numbered("-2.5") + "]\r": refused, "[" + ping + "]": refused, ping + " ": pong,
	} {
		fromClient, toServer := io.Pipe()
		fromServer, toClient := io.Pipe()
		served := make(chan error, 1)
		go func() { served <- s.ServeMCP(t.Context(), fromClient, toClient, false) }()
		go io.WriteString(toServer, "\n"+line+"\n"+numbered("2")+"\n")
		var got string
		answers := bufio.NewScanner(fromServer)
		for range 2 { // in any order
			answers.Scan()
			got += answers.Text()
		}
		toServer.Close()
		err := <-served
		if !strings.Contains(fmt.Sprint(got, err), want) || (err == nil) != strings.Contains(got, `"id":2,"result":{}`) {
			t.Errorf("%.40q: %s, %v, want %s", line, got, err, want)
		}
	}
}

// TestMCPWordings checks that equal spans become one mention, and that a call that has ended stops searching.
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

// TestMCPMentions checks that both tools reject a text with more mentions than the limit.
func TestMCPMentions(t *testing.T) {
	session := connectMCP(t, newServer(t, scriptServer(t, "dictionary", `"Limits":{"Input":{"Mentions":2}}`)), false)
	for _, tool := range []string{"find_mentions", "link_text"} {
		got := useTool(t, session, tool, `{"text":"headache, headache, headache"}`)
		must.Contain(t, got, "3 mentions, want at most 2", tool)
	}
}
