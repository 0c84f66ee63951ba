package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestServeCheck checks the exit code of "serve --check", which containers use as a health check.
func TestServeCheck(t *testing.T) {
	for _, test := range []struct {
		name         string
		answer       http.HandlerFunc // nil for no server
		code         int
		stdout, want string // want is for standard error
	}{
		{"ready", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/healthz" {
				w.WriteHeader(http.StatusNotFound)
			}
			_, _ = w.Write([]byte(`{"status":"ok","concepts":3}`))
		}, 0, `"concepts":3`, ""},
		{"busy", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }, 1, "", "503 Service Unavailable"},
		{"another server", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }, 1, "", "is not a server that is ready"},
		{"no server", nil, 1, "", "connection refused"},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(test.answer)
			defer server.Close()
			if test.answer == nil {
				server.Close()
			}
			var stdout, stderr strings.Builder
			code := run(t.Context(), []string{"serve", "--check", server.URL}, strings.NewReader(""), &stdout, &stderr)
			if code != test.code || !strings.Contains(stdout.String(), test.stdout) || !strings.Contains(stderr.String(), test.want) {
				t.Errorf("exit code %d, want %d; it prints %q and %q, want %q and %q", code, test.code, stdout.String(), stderr.String(), test.stdout, test.want)
			}
		})
	}
}
