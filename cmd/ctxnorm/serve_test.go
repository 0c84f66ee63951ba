//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// startServe runs "ctxnorm serve" with a model. It returns the server's address, the rest of its log, and a function
// that stops it by a signal and returns its exit code and final output.
func startServe(t *testing.T, args ...string) (url string, log *bufio.Reader, stop func(syscall.Signal) (code int, logged string)) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	reader, writer := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...), strings.NewReader(""), io.Discard, writer)
		writer.Close()
	}()
	log = bufio.NewReader(reader)
	printed := ""
	for found := false; !found; {
		line, err := log.ReadString('\n')
		if printed += line; err != nil {
			t.Fatalf("it prints %q, want its address: %v, exit code %d", printed, err, <-code)
		}
		_, url, found = strings.Cut(strings.TrimRight(line, "\"}\n"), " is served at ")
	}
	return url, log, func(s syscall.Signal) (int, string) {
		cancel(&signalError{s})
		rest, _ := io.ReadAll(log)
		return <-code, string(rest)
	}
}

// TestReloadAtStart checks that SIGHUP does not end a server that is still opening its dictionary.
func TestReloadAtStart(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "names.tsv")
	must.Succeed(t, syscall.Mkfifo(pipe, 0o600))
	go func() {
		w := must.Get(os.OpenFile(pipe, os.O_WRONLY, 0)) // waits for the server
		must.Succeed(t, syscall.Kill(os.Getpid(), syscall.SIGHUP))
		must.Get(w.WriteString("id\tname\nG2\tgastric ulcer\n"))
		w.Close()
	}()
	_, _, stop := startServe(t, "--dict", pipe)
	code, logged := stop(syscall.SIGTERM)
	must.Equal(t, code, 0, logged)
}

// TestServe checks that a server answers, picks up a changed model at SIGHUP and with --reload, logs a failed reload as
// an error, and exits with 0 and no error when it is stopped.
func TestServe(t *testing.T) {
	dir := modeltest.Build(t, nil, modeltest.Ulcer)
	url, log, stop := startServe(t, "--model", dir, "--reload", "--log-format", "json")
	w := must.Get(http.Post(url+"/v1/annotate", "application/json", strings.NewReader(`{"documents":[{"text":"a gastric ulcer"}]}`)))
	defer w.Body.Close()
	if body, err := io.ReadAll(w.Body); err != nil || w.StatusCode != http.StatusOK || !strings.Contains(string(body), `"id":"G2"`) {
		t.Errorf("status %d, %v: %s", w.StatusCode, err, body)
	}
	for _, step := range []struct {
		change func() error
		want   string
	}{
		{func() error { return syscall.Kill(os.Getpid(), syscall.SIGHUP) }, "was reloaded"},
		{func() error {
			next := modeltest.Build(t, nil, nil)
			return errors.Join(os.Rename(dir, dir+".old"), os.Rename(next, dir))
		}, "was reloaded"},
		{func() error { return os.WriteFile(filepath.Join(dir, "manifest.json"), []byte("{}"), 0o666) },
			`"level":"ERROR","msg":"the model was not reloaded: `},
	} {
		must.Succeed(t, step.change())
		if line, err := log.ReadString('\n'); err != nil || !strings.Contains(line, step.want) {
			t.Errorf("it logs %q, %v, want %s", line, err, step.want)
		}
	}
	if code, logged := stop(syscall.SIGTERM); code != exitDone || strings.Contains(logged, "ERROR") {
		t.Errorf("exit code %d after SIGTERM with all requests answered, want 0: %s", code, logged)
	}
}

// TestServeDocuments checks that decisions on the documents of a folder survive a restart in another current folder,
// and are gold for eval.
func TestServeDocuments(t *testing.T) {
	dir, notes := modeltest.Build(t, nil, modeltest.Ulcer), filepath.Join(t.TempDir(), "notes")
	decisions := notes + ".decisions"
	for name, content := range map[string]string{
		"a.txt": "A gastric ulcer.\nA coeliac disease.\n", "b/c.pubtator": "7|t|A duodenal ulcer.\n7|a|\n\n", "d.bin": "\x00\x01",
	} {
		path := filepath.Join(notes, name)
		must.Succeed(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(content), 0o666)))
	}
	url, _, stop := startServe(t, "--model", dir, "--documents", notes)
	r := must.Get(http.NewRequest(http.MethodPut, url+"/v1/curation/1", strings.NewReader(`{"by": "ann", "mentions": [{"start": 2, "end": 15, "concept": "G2"}], "left": 0}`)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("If-Match", `"0"`)
	w, err := http.DefaultClient.Do(r)
	if err != nil || w.StatusCode != http.StatusOK {
		t.Fatalf("%v, %+v", err, w)
	}
	w.Body.Close()
	stop(syscall.SIGTERM)
	t.Chdir(filepath.Dir(notes))
	url, _, stop = startServe(t, "--model", dir, "--documents", "notes")
	w = must.Get(http.Get(url + "/v1/curation"))
	defer w.Body.Close()
	list, err := io.ReadAll(w.Body)
	stop(syscall.SIGTERM)
	if want := `"progress":{"documents":3,"opened":1,"done":1,"decided":1,"left":`; err != nil || !strings.Contains(string(list), want) {
		t.Errorf("after a restart the list is %s, %v, want %s", list, err, want)
	}
	var report strings.Builder
	code := run(t.Context(), []string{"eval", "--model", dir, "--gold", decisions}, strings.NewReader(""), &report, &report)
	must.Equal(t, code, exitDone, "eval with the decisions as gold", &report)
	files, err := filepath.Glob(filepath.Join(decisions, "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the decisions are in %v, %v, want one file", files, err)
	}
	writeFile(t, files[0], "{}\n")
	var logged strings.Builder
	code = run(t.Context(), []string{"serve", "--addr", "127.0.0.1:0", "--model", dir, "--documents", notes}, strings.NewReader(""), io.Discard, &logged)
	if want := files[0] + ": line 1: is not as it was written"; code == exitDone || !strings.Contains(logged.String(), want) {
		t.Errorf("with a damaged file it ends with %d and prints %q, want %q", code, &logged, want)
	}
}

// TestServeTable checks that rows of a table to code use the columns given by --columns, as in link, and that the
// export has all columns.
func TestServeTable(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "names.tsv", "G2\tgastric ulcer\n")
	writeWorkbook(t, "rows.xlsx", []any{"Case", "Found", "Ward"}, []any{7, "Gastric ulcer", "A"}, []any{7, "Gastric ulcer", "B"}, []any{8, "see notes", "A"})
	url, _, stop := startServe(t, "--dict", "names.tsv", "--documents", "rows.xlsx", "--columns", "id=Case,mention=Found")
	defer stop(syscall.SIGTERM)
	w := must.Get(http.Get(url + "/v1/curation/export?format=csv"))
	defer w.Body.Close()
	rows, err := csv.NewReader(w.Body).ReadAll()
	if err != nil || len(rows) != 4 || strings.Join(rows[2][:4], " ") != "7 Gastric ulcer B 7" || rows[2][slices.Index(rows[0], "id")] != "G2" {
		t.Errorf("the export is %q, %v, want all three rows with their columns", rows, err)
	}
	var logged strings.Builder
	code := run(t.Context(), []string{"serve", "--dict", "names.tsv", "--columns", "id=Case"}, strings.NewReader(""), io.Discard, &logged)
	if want := "--columns has no effect without --documents"; code == exitDone || !strings.Contains(logged.String(), want) {
		t.Errorf("without documents it ends with %d and prints %q, want %q", code, &logged, want)
	}
}

// TestServeMemory checks that corrections are stored in the folder of --memory, which is checked at start.
func TestServeMemory(t *testing.T) {
	dir, folder := modeltest.Build(t, nil, modeltest.Ulcer), filepath.Join(t.TempDir(), "corrections")
	url, _, stop := startServe(t, "--model", dir, "--memory", folder)
	w := must.Get(http.Post(url+"/v1/memory", "application/json", strings.NewReader(`{"kind":"name","concept":"G4","name":"scarlet gullet"}`)))
	w.Body.Close()
	stop(syscall.SIGTERM)
	var found []string
	for _, parent := range []string{filepath.Dir(dir), filepath.Dir(folder), folder} {
		entries := must.Get(os.ReadDir(parent))
		for _, e := range entries {
			found = append(found, e.Name())
		}
	}
	if want := []string{filepath.Base(dir), "corrections", "log.jsonl"}; !cmp.Equal(found, want) || w.StatusCode != http.StatusOK {
		t.Errorf("status %d, and the folders have %q, want %q", w.StatusCode, found, want)
	}
	code, listed, stderr := runLine(t, "memory list --model "+dir+" --memory "+folder)
	if code != exitDone || !strings.Contains(listed, "scarlet gullet") {
		t.Errorf("memory list: exit code %d, %s%s", code, listed, stderr)
	}
	file := filepath.Join(folder, "log.jsonl")
	code, _, stderr = runLine(t, "serve --addr 127.0.0.1:0 --model "+dir+" --memory "+file)
	if code != exitFailed || !strings.HasPrefix(stderr, "ctxnorm: the memory: ") {
		t.Errorf("--memory of a file: exit code %d, %s", code, stderr)
	}
}

func TestServeRefuses(t *testing.T) {
	dir := modeltest.Build(t, nil, modeltest.Ulcer)
	file := func(content string) string {
		path := filepath.Join(t.TempDir(), "token")
		writeFile(t, path, content)
		return path
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--addr", "0.0.0.0:0"}, "--addr 0.0.0.0:0 can be reached from other machines"},
		{[]string{"--addr", "nowhere"}, "--addr: "},
		{[]string{"--token-file", file("short\n")}, "the token has 5 characters"},
		{[]string{"--token-file", file("\n")}, "has no token in its first line"},
		{[]string{"--token-file", file(strings.Repeat("x", 5000))}, "has more than 4096 bytes"},
		{[]string{"--token-file", filepath.Join(dir, "nothing")}, "--token-file: "},
		{[]string{"--allow-origin", "*"}, `--allow-origin: the origin is "*"`},
		{[]string{"--max-body", "0"}, "--max-body is 0, want at least 1"},
		{[]string{"--batch-size", "0"}, "--batch-size is 0, want at least 1"},
		{[]string{"--model", filepath.Join(dir, "nothing")}, "is not a model"},
		{[]string{"--model", filepath.Join(dir, "nothing")}, "or link by strings with --dict FILE"},
		{[]string{"--method", "count"}, "--method count needs an encoder"},
		{[]string{"more"}, `unknown command "more" for "ctxnorm serve"`},
	} {
		var stderr strings.Builder
		args := append([]string{"serve", "--model", dir, "--addr", "127.0.0.1:0"}, test.args...)
		if code := run(t.Context(), args, strings.NewReader(""), io.Discard, &stderr); code != exitFailed || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%q: exit code %d, %q, want 2 and %q", test.args, code, stderr.String(), test.want)
		}
	}
}

func TestServeToken(t *testing.T) {
	t.Setenv(tokenVariable, "0123456789abcdef")
	url, _, stop := startServe(t, "--model", modeltest.Build(t, nil, modeltest.Ulcer))
	defer stop(syscall.SIGTERM)
	for token, status := range map[string]int{"": 401, "0123456789abcdef": 200} {
		r := must.Get(http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/v1/concepts/G2", nil))
		r.Header.Set("Authorization", "Bearer "+token)
		w := must.Get(http.DefaultClient.Do(r))
		w.Body.Close()
		must.Equal(t, w.StatusCode, status, "status with the token", token)
	}
}
