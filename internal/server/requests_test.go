package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestBodiesThatDoNotCome checks that requests whose bodies do not arrive do not block others.
func TestBodiesThatDoNotCome(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits.Requests = 2
	url, _ := serve(t, newServer(t, cfg))
	for i := range 8 {
		operation := []string{"/v1/link HTTP/1.1\r\nContent-Type: " + jsonType, "/v1/documents HTTP/1.1\r\nContent-Type: " + fileType}[i%2]
		begin(t, url, "POST "+operation+"\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
	}
	time.Sleep(100 * time.Millisecond) // until the server has the headers
	for range 3 {
		w := must.Get(http.Post(url+"/v1/annotate", jsonType, strings.NewReader(documents(`{"text":"gastric ulcer"}`))))
		w.Body.Close()
		must.Equal(t, w.StatusCode, http.StatusOK, "status beside bodies that do not come")
	}
}

// TestStreamsThatWait checks that idle streams do not block other requests, and that as many streams as requests may be
// open.
func TestStreamsThatWait(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits.Requests = 2
	s := newServer(t, cfg)
	url, _ := serve(t, s)
	for range 2 {
		reader, writer := io.Pipe()
		defer writer.Close()
		go func() {
			if w, err := http.Post(url+"/v1/link", ndjsonType, reader); err == nil {
				defer w.Body.Close()
				_, _ = io.Copy(io.Discard, w.Body)
			}
		}()
		fmt.Fprintln(writer, `{"text":"a"}`)
	}
	for len(s.streams) < 2 {
		time.Sleep(time.Millisecond)
	}
	w := must.Get(http.Post(url+"/v1/annotate", jsonType, strings.NewReader(documents(`{"text":"gastric ulcer"}`))))
	w.Body.Close()
	must.Equal(t, w.StatusCode, http.StatusOK, "status beside streams that wait")
	if status, lines := stream(t, url+"/v1/link", strings.NewReader(`{"text":"a"}`)); status != http.StatusServiceUnavailable {
		t.Errorf("status %d of a third stream, want 503: %q", status, lines)
	}
}

// TestDepartedClientIsNotDecoded checks that the body of a request is not decoded once its client is gone.
func TestDepartedClientIsNotDecoded(t *testing.T) {
	s := newServer(t, gutConfig(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, header := range []string{"", "gzip"} {
		body := []byte(documents(repeated(maxDocuments, `{"text":""}`)))
		if header != "" {
			body = gzipped(string(body))
		}
		r := request(http.MethodPost, "/v1/link", string(body)).WithContext(ctx)
		r.Header.Set("Content-Encoding", header)
		p := wantProblem(t, call(s, r), http.StatusServiceUnavailable)
		must.Equal(t, p.Detail, "the request was canceled")
	}
	if records, err := readDocuments(ctx, s, []inputDocument{inputDocument(`{"text":"a"}`)}); records != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%d documents are read for a client that is gone: %v", len(records), err)
	}
}
