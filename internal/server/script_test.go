package server

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

var update = flag.Bool("update", false, "write the answers in testdata/requests anew")

// TestRequests runs the files of testdata/requests, one step a line, and compares the answers with the lines "< ANSWER"
// below the requests:
//
//	server KIND {JSON}    starts a server of a fixture, with the given members of its [scriptConfig]
//	header NAME: VALUE    adds a header to the next request
//	METHOD TARGET BODY    sends a request; FILE posts a file, FORM posts a form to OpenRefine's service
//	TOOL NAME ARGUMENTS   calls a tool of the Model Context Protocol
//	has TEXT, lacks TEXT  check the last answer, whose body is then not written below its request
//
// A body may be quoted as in Go, and contain template actions between << and >>: see [bodyFunctions].
func TestRequests(t *testing.T) {
	paths, err := filepath.Glob("testdata/requests/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts, %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			must.Succeed(t, err)
			steps := slices.DeleteFunc(strings.Split(string(data), "\n"), func(line string) bool { return strings.HasPrefix(line, "< ") })
			s := &requestScript{t: t, header: make(http.Header)}
			var got strings.Builder
			for i, line := range steps[:len(steps)-1] {
				next, _, _ := strings.Cut(steps[i+1], " ")
				fmt.Fprintln(&got, line)
				if answer := s.step(line, next == "has" || next == "lacks"); answer != "" {
					fmt.Fprintln(&got, "<", answer)
				}
			}
			if *update {
				err = os.WriteFile(path, []byte(got.String()), 0o666)
			}
			if diff := cmp.Diff(string(data), got.String()); err != nil || diff != "" && !*update {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// requestScript is a running file of testdata/requests.
type requestScript struct {
	t      *testing.T
	server *Server
	tools  *mcp.ClientSession // of the server; nil before the first call
	header http.Header        // of the next request
	last   string             // body of the last answer
}

// scriptConfig holds the settings of a server that a script can change.
type scriptConfig struct {
	*Config
	Concepts []kb.Concept // of the dictionary to serve
	Kept     []string     // texts of the documents to curate
	Unnamed  bool         // whether the first of them has no identifier
}

// step runs a line. For a request it returns the answer, or only its status.
func (s *requestScript) step(line string, statusAlone bool) string {
	s.t.Helper()
	verb, rest, _ := strings.Cut(line, " ")
	first, second, _ := strings.Cut(rest, " ")
	switch verb {
	case "", "#":
	case "server":
		s.server, s.tools = newServer(s.t, scriptServer(s.t, first, second)), nil
	case "header":
		s.header.Add(strings.TrimSuffix(first, ":"), second)
	case "has", "lacks":
		must.Equal(s.t, strings.Contains(s.last, rest), verb == "has", line, "is not true of the answer", s.last)
	case "TOOL":
		if s.tools == nil {
			s.tools = connectMCP(s.t, s.server, true)
		}
		return plain(useTool(s.t, s.tools, first, second))
	case "FORM":
		parameter, value, _ := strings.Cut(rest, "=")
		return s.send(http.MethodPost, reconcilePath, url.Values{parameter: {value}}.Encode(), formType, statusAlone)
	case "FILE":
		return s.send(http.MethodPost, first, second, fileType, statusAlone)
	default:
		return s.send(verb, first, second, jsonType, statusAlone)
	}
	return ""
}

// scriptServer returns the settings for a server of a fixture, changed by JSON.
func scriptServer(t *testing.T, kind, changes string) Config {
	var cfg Config
	switch kind {
	case "ulcer":
		cfg = gutConfig(t)
	case "strings": // has no encoder
		cfg = Config{Version: "test", Model: modeltest.Build(t, nil, modeltest.Ulcer)}
	case "unreadable": // has an encoder that this build cannot read
		if ctxnorm.CanTrain {
			t.Skip("this build opens the encoder, which is a fixture without weights")
		}
		cfg = gutConfig(t)
		cfg.Open.OpenEncoder = nil
	case "search":
		cfg = Config{Version: "test", Model: modeltest.Build(t, nil, func(o *model.BuildOptions) {
			o.Dictionary, o.Contexts = searchDictionary(), nil
		})}
	case "dictionary": // [scriptConfig.Concepts], or that of search
		cfg = Config{Version: "test", Model: "names.tsv", Dictionary: modelOf(searchDictionary())}
	default:
		t.Fatalf("no server %s", kind)
	}
	set := scriptConfig{Config: &cfg}
	must.Succeed(t, json.Unmarshal([]byte("{"+changes+"}"), &set), "server", changes)
	if set.Concepts != nil {
		cfg.Dictionary = modelOf(kb.NewDictionary(set.Concepts))
	}
	if set.Kept != nil {
		cfg.Curation = curationStore(t, t.TempDir(), set.Kept...)
		cfg.Curation.Source(1).Unnamed = set.Unnamed
	}
	return cfg
}

// bodyFunctions are the template functions for bodies.
var bodyFunctions = template.FuncMap{
	"repeat": strings.Repeat,
	"list":   repeated,
	"gzip":   func(content string) string { return string(gzipped(content)) },
	"cut":    func(n int, content string) string { return content[:len(content)-n] },
}

// send sends a request and returns the answer.
func (s *requestScript) send(method, target, body, contentType string, statusAlone bool) string {
	s.t.Helper()
	if unquoted, err := strconv.Unquote(body); err == nil {
		body = unquoted
	}
	var b bytes.Buffer
	must.Succeed(s.t, template.Must(template.New("").Delims("<<", ">>").Funcs(bodyFunctions).Parse(body)).Execute(&b, nil))
	r := request(method, target, b.String())
	if body != "" {
		r.Header.Set("Content-Type", contentType)
	}
	maps.Copy(r.Header, s.header)
	if host := s.header.Get("Host"); host != "" {
		r.Host = host
	}
	s.header = make(http.Header)
	w := call(s.server, r)
	s.last = w.Body.String()
	// The server never sends part of a request as HTML.
	h, html := w.Header(), strings.HasPrefix(target, docsPath) || strings.HasPrefix(target, previewPath)
	if h.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src '") ||
		strings.HasPrefix(h.Get("Content-Type"), "text/html") && !html {
		s.t.Errorf("%s: headers %v", target, h)
	}
	if statusAlone {
		return strconv.Itoa(w.Code)
	}
	return answerOf(w)
}

// answerOf formats an answer as in scripts: the status, the relevant headers, and the body, or for a problem the places
// and details of its faults.
func answerOf(w *httptest.ResponseRecorder) string {
	answer := strconv.Itoa(w.Code)
	for _, name := range []string{"Allow", "Etag", "Content-Disposition", "Www-Authenticate", "Access-Control-Allow-Origin"} {
		if value := w.Header().Get(name); value != "" {
			answer += fmt.Sprintf(" %s=%s", name, value)
		}
	}
	kind := w.Header().Get("Content-Type")
	var p Problem
	switch {
	case kind == problemType && json.Unmarshal(w.Body.Bytes(), &p) == nil && p.Status == w.Code:
		for _, fault := range p.Faults {
			answer += " " + fault.Pointer
			if fault.Parameter != "" {
				answer += "?" + fault.Parameter
			}
			if fault.Offset != nil {
				answer += fmt.Sprint("byte ", *fault.Offset)
			}
		}
		return plain(answer + ": " + p.Detail)
	case kind != jsonType:
		answer += " " + kind
	}
	body := strings.TrimSuffix(w.Body.String(), "\n")
	if !utf8.ValidString(body) {
		body = fmt.Sprint(len(body)>>10, " kB")
	}
	return plain(answer + " " + body)
}

var (
	scriptTime   = regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ`)
	scriptNumber = regexp.MustCompile(`(:\d*\.\d\d)\d+`)
)

// longestAnswer is the largest number of bytes of an answer that a script shows.
const longestAnswer = 1200

// plain returns an answer on one line, without values that differ between runs.
func plain(answer string) string {
	answer = scriptNumber.ReplaceAllString(scriptTime.ReplaceAllString(answer, "TIME"), "$1")
	answer = strings.TrimRight(strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(answer), " ")
	if len(answer) > longestAnswer {
		answer = strings.ToValidUTF8(answer[:longestAnswer], "") + "…"
	}
	return answer
}
