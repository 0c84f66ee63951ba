package basemodel

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fastRetry retries without delay.
var fastRetry = Options{retryWait: time.Millisecond}

// tinyBERT returns a hub with a model of these files. The weights are large files.
func tinyBERT(files ...string) *fakeHub {
	f := &fakeHub{files: map[string]string{}, large: map[string]bool{}}
	for _, file := range files {
		f.files[file] = "content of " + file
		if strings.HasPrefix(file, "model") || strings.HasPrefix(file, "pytorch") {
			f.files[file] = strings.Repeat("weights ", 10_000)
			f.large[file] = true
		}
	}
	return f
}

// contents returns the content of every file in a folder, by name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name()] = string(content)
	}
	return files
}

// tree returns the paths of the files and links below a folder.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			relative, _ := filepath.Rel(dir, path)
			paths = append(paths, relative)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestResolveDownloads(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		want  []string // the files of the snapshot; nil stands for all
	}{
		{name: "all", files: []string{"config.json", "model.safetensors", "tokenizer.json", "vocab.txt",
			"tokenizer_config.json", "special_tokens_map.json"}},
		{name: "an old copy", files: []string{"config.json", "pytorch_model.bin", "vocab.txt"}},
		{name: "both kinds of weights", files: []string{"config.json", "pytorch_model.bin", "model.safetensors", "vocab.txt"},
			want: []string{"config.json", "model.safetensors", "vocab.txt"}},
		{name: "other files", files: []string{"config.json", "model.safetensors", "tokenizer.json", "README.md", "tf_model.h5"},
			want: []string{"config.json", "model.safetensors", "tokenizer.json"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			hub := tinyBERT(test.files...)
			home := hub.start(t)
			dir, err := Resolve(t.Context(), fakeName, fastRetry)
			if err != nil {
				t.Fatal(err)
			}
			if want := filepath.Join(home, "hub", "models--org--tiny-bert", "snapshots", fakeCommit); dir != want {
				t.Errorf("folder %s, want %s", dir, want)
			}
			want := map[string]string{}
			for _, file := range test.files {
				if test.want == nil || slices.Contains(test.want, file) {
					want[file] = hub.files[file]
				}
			}
			if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
				t.Errorf("snapshot (-want +got):\n%s", diff)
			}

			// A cached model is found without a request, offline or not.
			before := hub.count()
			for _, offline := range []string{"1", "0"} {
				t.Setenv("HF_HUB_OFFLINE", offline)
				again, err := Resolve(t.Context(), fakeName, fastRetry)
				if err != nil || again != dir {
					t.Errorf("HF_HUB_OFFLINE=%s: %s, %v, want %s", offline, again, err, dir)
				}
			}
			if requests := hub.count() - before; requests != 0 {
				t.Errorf("%d requests for a cached model, want 0", requests)
			}
		})
	}
}

// TestCacheOfPython checks that a model is found that huggingface_hub has downloaded, whose files are links.
func TestCacheOfPython(t *testing.T) {
	home := isolate(t)
	repo := filepath.Join(home, "hub", "models--org--tiny-bert")
	for _, file := range []string{"config.json", "model.safetensors", "vocab.txt"} {
		blob, link := filepath.Join(repo, "blobs", file), filepath.Join(repo, "snapshots", fakeCommit, file)
		writeFile(t, blob, "content of "+file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o755), os.Symlink("../../blobs/"+file, link)); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, filepath.Join(repo, "refs", "main"), fakeCommit+"\n")
	dir, err := Resolve(t.Context(), fakeName, Options{Offline: true})
	if err != nil || contents(t, dir)["vocab.txt"] != "content of vocab.txt" {
		t.Errorf("%s, %v", dir, err)
	}
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func TestCacheFolder(t *testing.T) {
	isolate(t)
	for _, name := range []string{"HF_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, "")
	}
	for _, test := range []struct{ variable, value, want string }{
		{"HOME", "/me", "/me/.cache/huggingface/hub"},
		{"XDG_CACHE_HOME", "/x", "/x/huggingface/hub"},
		{"HF_HOME", "/h", "/h/hub"},
		{"HF_HUB_CACHE", "/c", "/c"},
	} {
		t.Setenv(test.variable, test.value) // goes before the earlier ones
		if got, err := CacheFolder(); err != nil || got != test.want {
			t.Errorf("%s: cache %s (%v), want %s", test.variable, got, err, test.want)
		}
	}
}

func TestInterruptedTransferIsRepeated(t *testing.T) {
	hub := tinyBERT("config.json", "model.safetensors", "vocab.txt")
	hub.interruptions = 1
	hub.start(t)
	var last, total int64
	o := fastRetry
	o.Progress = func(file string, done, of int64) {
		if file == "model.safetensors" {
			last, total = done, of
		}
	}
	dir, err := Resolve(t.Context(), fakeName, o)
	if err != nil {
		t.Fatal(err)
	}
	if got := contents(t, dir)["model.safetensors"]; got != hub.files["model.safetensors"] {
		t.Errorf("%d bytes of weights are not those of the hub", len(got))
	}
	if last != 80_000 || total != 80_000 { // 10,000 * len("weights ")
		t.Errorf("progress ended at %d of %d, want 80000 of 80000", last, total)
	}
}

// TestFailedTransferLeavesNoPartialFile checks that after an error the cache has only
// complete files, and that the next call downloads only the missing ones.
func TestFailedTransferLeavesNoPartialFile(t *testing.T) {
	damage := map[string]func(*fakeHub){
		"always interrupted": func(f *fakeHub) { f.interruptions = 1000 },
		"wrong bytes":        func(f *fakeHub) { f.corrupt = true },
	}
	for name, spoil := range damage {
		t.Run(name, func(t *testing.T) {
			hub := tinyBERT("config.json", "model.safetensors", "vocab.txt")
			spoil(hub)
			home := hub.start(t)
			_, err := Resolve(t.Context(), fakeName, fastRetry)
			var notFound *NotFoundError
			if !errors.As(err, &notFound) || !strings.Contains(err.Error(), "model.safetensors") {
				t.Fatalf("error %v, want a NotFoundError that names model.safetensors", err)
			}
			want := []string{
				"snapshots/" + fakeCommit + "/config.json",
				"snapshots/" + fakeCommit + "/vocab.txt",
			}
			if diff := cmp.Diff(want, tree(t, filepath.Join(home, "hub", "models--org--tiny-bert"))); diff != "" {
				t.Errorf("left behind (-want +got):\n%s", diff)
			}

			hub.interruptions, hub.corrupt = 0, false
			hub.requests = nil
			dir, err := Resolve(t.Context(), fakeName, fastRetry)
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(hub.requests, "GET config.json") {
				t.Errorf("config.json was downloaded twice: %v", hub.requests)
			}
			if got := contents(t, dir)["model.safetensors"]; got != hub.files["model.safetensors"] {
				t.Error("the second call did not download the weights")
			}
		})
	}
}

func TestNotFound(t *testing.T) {
	full := []string{"config.json", "model.safetensors", "vocab.txt"}
	tests := []struct {
		name    string
		hub     *fakeHub
		model   string
		offline bool
		want    []string // in the error
		hint    string   // in the hint
	}{
		{"no such model", tinyBERT(full...), "org/other", false,
			[]string{`"org/other"`, "no folder org/other", "not in the cache", "models--org--other", "401", "RepoNotFound"}, "HF_HUB_OFFLINE=1"},
		{"no config", tinyBERT("model.safetensors", "vocab.txt"), fakeName, false,
			[]string{"config.json", "404", "EntryNotFound"}, "TrainOptions.BaseModel"},
		{"no weights", tinyBERT("config.json", "vocab.txt"), fakeName, false,
			[]string{"no model.safetensors and no pytorch_model.bin"}, "CTXNORM_BASE_MODEL=DIR"},
		{"no tokenizer", tinyBERT("config.json", "model.safetensors"), fakeName, false,
			[]string{"no tokenizer.json and no vocab.txt"}, "CTXNORM_BASE_MODEL=DIR"},
		{"server down", &fakeHub{down: true}, fakeName, false, []string{"503"}, "TrainOptions.BaseModel"},
		{"offline", tinyBERT(full...), fakeName, true,
			[]string{"not in the cache", "no request was made"}, "unset HF_HUB_OFFLINE"},
		{"a path", tinyBERT(full...), "./models/bert/v1", false,
			[]string{"no folder ./models/bert/v1", "not a name on the hub"}, "TrainOptions.BaseModel"},
		{"a path upwards", tinyBERT(full...), "org/..", false, []string{"not a name on the hub"}, "TrainOptions.BaseModel"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.hub.start(t)
			o := fastRetry
			o.Offline = test.offline
			dir, err := Resolve(t.Context(), test.model, o)
			var notFound *NotFoundError
			if !errors.As(err, &notFound) {
				t.Fatalf("%q, %v, want a NotFoundError", dir, err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not contain %q", err, want)
				}
			}
			if !strings.Contains(notFound.Hint(), test.hint) {
				t.Errorf("hint %q does not contain %q", notFound.Hint(), test.hint)
			}
			if test.offline && test.hub.count() != 0 {
				t.Errorf("%d requests, want none offline", test.hub.count())
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	isolate(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HF_ENDPOINT", "http://"+listener.Addr().String())
	listener.Close() // nothing listens at this address now
	_, err = Resolve(t.Context(), fakeName, fastRetry)
	var notFound *NotFoundError
	var dial *net.OpError
	if !errors.As(err, &notFound) || !errors.As(err, &dial) {
		t.Errorf("error %v, want a NotFoundError that wraps the network error", err)
	}
}

// TestNotAHub requests a model from a login portal, which returns a page for every URL.
func TestNotAHub(t *testing.T) {
	isolate(t)
	portal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<html>please log in</html>")
	}))
	defer portal.Close()
	t.Setenv("HF_ENDPOINT", portal.URL)
	if _, err := Resolve(t.Context(), fakeName, fastRetry); err == nil || !strings.Contains(err.Error(), "not a response of a Hugging Face hub") {
		t.Errorf("error %v, want one that says that this is not a hub", err)
	}
}

func TestCanceled(t *testing.T) {
	hub := tinyBERT("config.json", "model.safetensors", "vocab.txt")
	home := hub.start(t)
	ctx, cancel := context.WithCancel(t.Context())
	o := fastRetry
	o.Progress = func(string, int64, int64) { cancel() }
	_, err := Resolve(ctx, fakeName, o)
	var notFound *NotFoundError
	if !errors.Is(err, context.Canceled) || errors.As(err, &notFound) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	for _, path := range tree(t, home) {
		if strings.Contains(path, "refs") {
			t.Errorf("%s was written by a canceled call", path)
		}
	}
}

// TestTokenIsNotSentToStorage checks that the token is sent to the hub, also after a
// redirect on it, but not to the storage server, which has another host name or only
// another port.
func TestTokenIsNotSentToStorage(t *testing.T) {
	for _, hubHost := range []string{"localhost", "127.0.0.1"} { // storage is at 127.0.0.1
		hub := tinyBERT("config.json", "model.safetensors", "vocab.txt")
		hub.start(t)
		t.Setenv("HF_TOKEN", "hf_secret")
		t.Setenv("HF_ENDPOINT", strings.Replace(os.Getenv("HF_ENDPOINT"), "127.0.0.1", hubHost, 1))
		if _, err := Resolve(t.Context(), fakeName, fastRetry); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{""}, hub.tokens); diff != "" {
			t.Errorf("hub at %s: Authorization headers at the storage server (-want +got):\n%s", hubHost, diff)
		}
		for i, auth := range hub.hubAuth {
			if auth != "Bearer hf_secret" {
				t.Errorf("hub at %s: %s has the Authorization header %q, want the token", hubHost, hub.requests[i], auth)
			}
		}
	}
}

// TestTokenIsNotSentToSubdomain checks redirects that net/http would send the token to.
func TestTokenIsNotSentToSubdomain(t *testing.T) {
	for _, test := range []struct{ from, to, want string }{
		{"https://hub.example/a", "https://hub.example/b", "Bearer hf_secret"},
		{"https://hub.example/a", "https://hub.example:443/a", "Bearer hf_secret"},
		{"https://hub.example/a", "https://HUB.example/a", "Bearer hf_secret"},
		{"http://hub.example/a", "https://hub.example/a", ""},
		{"https://hub.example:443/a", "http://hub.example:443/a", ""},
		{"https://hub.example/a", "http://hub.example/a", ""},
		{"https://hub.example/a", "https://hub.example:8443/a", ""},
		{"https://hub.example/a", "https://cdn.hub.example/a", ""},
	} {
		first := httptest.NewRequest(http.MethodGet, test.from, nil)
		next := httptest.NewRequest(http.MethodGet, test.to, nil)
		next.Header.Set("Authorization", "Bearer hf_secret")
		if err := checkRedirect(next, []*http.Request{first}); err != nil {
			t.Fatal(err)
		}
		if got := next.Header.Get("Authorization"); got != test.want {
			t.Errorf("redirect from %s to %s: Authorization header %q, want %q", test.from, test.to, got, test.want)
		}
	}
}

func TestFolders(t *testing.T) {
	isolate(t)
	write := func(files ...string) string {
		dir := t.TempDir()
		for _, file := range files {
			if err := os.WriteFile(filepath.Join(dir, file), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	full := write("config.json", "pytorch_model.bin", "vocab.txt")
	empty := write()
	noWeights := write("config.json", "tokenizer.json")
	file := filepath.Join(full, "config.json")
	tests := []struct {
		name, argument, variable string
		want                     string // the folder
		err                      string // text in the error, if one is expected
	}{
		{name: "argument", argument: full, variable: empty, want: full},
		{name: "variable", variable: full, want: full},
		{name: "empty", argument: empty, err: "has no config.json, no tokenizer.json or vocab.txt, no model.safetensors or pytorch_model.bin"},
		{name: "no weights", argument: noWeights, err: "has no model.safetensors or pytorch_model.bin"},
		{name: "a file", argument: file, err: "is a file, want a folder"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv(EnvVar, test.variable)
			got, err := Resolve(t.Context(), test.argument, Options{Offline: true})
			switch {
			case test.err == "" && (err != nil || got != test.want):
				t.Errorf("%s, %v, want %s", got, err, test.want)
			case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
				t.Errorf("error %v, want one that contains %q", err, test.err)
			}
		})
	}
}

func TestDefault(t *testing.T) {
	isolate(t)
	_, err := Resolve(t.Context(), "", Options{Offline: true})
	var notFound *NotFoundError
	if !errors.As(err, &notFound) || notFound.Name != Default {
		t.Errorf("error %v, want a NotFoundError for %s", err, Default)
	}
}

// Check refuses what no request could find, and requests nothing.
func TestCheck(t *testing.T) {
	isolate(t)
	t.Setenv("HF_ENDPOINT", "http://127.0.0.1:1") // nobody answers
	empty := t.TempDir()
	for name, want := range map[string]string{
		"org/name":   "",
		"./missing":  "there is no folder ./missing",
		"a/b/c":      "there is no folder a/b/c",
		empty:        "config.json",
		"/no/folder": "it is not a name on the hub",
	} {
		if err := Check(name); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	t.Setenv("HF_HUB_OFFLINE", "1")
	if err := Check("org/name"); err == nil {
		t.Error("offline, a model that is not in the cache: no error")
	}
}
