package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
)

// lineConnection is the connection of a client that writes a message of JSON-RPC a line (MCP 2025-06-18, stdio). Unlike
// that of the SDK it answers a line that is no message, and goes on with the next; and when the client writes no more,
// it answers what the client has asked.
type lineConnection struct {
	in       io.ReadCloser
	out      io.WriteCloser
	maxLine  int64
	patience time.Duration // how long calls are waited for at the end of in

	read    chan readLine
	closed  chan struct{}
	closing sync.Once

	mu      sync.Mutex // guards out, and what follows
	waiting map[jsonrpc.ID]bool
	idle    chan struct{} // closed when in has ended and nothing is waiting
	ended   bool
}

// readLine is a line, or why there is none.
type readLine struct {
	text string
	err  error
}

// Connect implements [mcp.Transport].
func (c *lineConnection) Connect(context.Context) (mcp.Connection, error) {
	c.read, c.closed = make(chan readLine), make(chan struct{})
	c.waiting, c.idle = make(map[jsonrpc.ID]bool), make(chan struct{})
	go func() {
		lines := input.NewLines(bufio.NewReader(c.in), files.Limits{Line: c.maxLine})
		for {
			text, err := lines.Next()
			select {
			case c.read <- readLine{text, err}:
			case <-c.closed:
				return
			}
			if _, goesOn := errors.AsType[*input.LineError](err); err != nil && !goesOn {
				return
			}
		}
	}()
	return c, nil
}

// Read implements [mcp.Connection].
func (c *lineConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var line readLine
		select {
		case line = <-c.read:
		case <-c.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		_, isLine := errors.AsType[*input.LineError](line.err)
		switch {
		case line.err == io.EOF:
			c.finish(ctx)
			return nil, io.EOF
		case isLine:
			wanted := fmt.Sprintf("want a line of UTF-8 of at most %d bytes", c.maxLine)
			if err := c.refuse(jsonrpc.CodeParseError, wanted); err != nil {
				return nil, err
			}
			continue
		case line.err != nil:
			return nil, line.err
		case line.text == "":
			continue
		}
		if !json.Valid([]byte(line.text)) { // or is two values, of which DecodeMessage would see the first alone
			if err := c.refuse(jsonrpc.CodeParseError, "want one message of JSON-RPC a line"); err != nil {
				return nil, err
			}
			continue
		}
		m, err := jsonrpc.DecodeMessage([]byte(line.text))
		if err == nil {
			c.expect(m)
			return m, nil
		}
		if err := c.refuse(jsonrpc.CodeInvalidRequest, "want a message of JSON-RPC: "+err.Error()); err != nil {
			return nil, err
		}
	}
}

// expect notes that a message, if it is a call, is to be answered.
func (c *lineConnection) expect(m jsonrpc.Message) {
	if call, ok := m.(*jsonrpc.Request); ok && call.IsCall() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.waiting[call.ID] = true
	}
}

// finish waits until the calls are answered.
func (c *lineConnection) finish(ctx context.Context) {
	c.mu.Lock()
	c.ended = true
	c.closeIfIdle()
	c.mu.Unlock()
	select {
	case <-c.idle:
	case <-c.closed:
	case <-ctx.Done():
	case <-time.After(c.patience):
	}
}

func (c *lineConnection) closeIfIdle() {
	if c.ended && len(c.waiting) == 0 {
		close(c.idle)
		c.ended = false // once
	}
}

// refuse answers a line that is no message.
func (c *lineConnection) refuse(code int64, reason string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return json.NewEncoder(c.out).Encode(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": jsonrpc.Error{Code: code, Message: reason},
	})
}

// Write implements [mcp.Connection].
func (c *lineConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.out.Write(append(data, '\n'))
	if answer, ok := m.(*jsonrpc.Response); ok {
		delete(c.waiting, answer.ID)
		c.closeIfIdle()
	}
	return err
}

// Close implements [mcp.Connection].
func (c *lineConnection) Close() (err error) {
	c.closing.Do(func() {
		close(c.closed)
		err = errors.Join(c.in.Close(), c.out.Close())
	})
	return err
}

// SessionID implements [mcp.Connection].
func (c *lineConnection) SessionID() string { return "" }
