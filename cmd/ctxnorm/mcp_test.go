package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestMCP lets a client start the command, call a tool and leave.
func TestMCP(t *testing.T) {
	names := filepath.Join(t.TempDir(), "names.tsv")
	writeFile(t, names, "id\tname\tsynonyms\nEX:1\thigh blood pressure\thypertension\n")
	stdin, toProgram := io.Pipe()
	fromProgram, stdout := io.Pipe()
	var stderr strings.Builder
	exit := make(chan int, 1)
	go func() {
		exit <- run(t.Context(), []string{"mcp", "--dict", names}, stdin, stdout, &stderr)
		stdout.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil)
	session := must.Get(client.Connect(t.Context(), &mcp.IOTransport{Reader: fromProgram, Writer: toProgram}, nil))
	result := must.Get(session.CallTool(t.Context(), &mcp.CallToolParams{
		Name: "link_text", Arguments: map[string]any{"text": "A hypertension."},
	}))
	must.Contain(t, result.Content[0].(*mcp.TextContent).Text, `"id":"EX:1","name":"high blood pressure"`, "linked")
	must.Succeed(t, session.Close())
	if code := <-exit; code != exitDone || !strings.Contains(stderr.String(), "1 concept with 2 names") {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
}
