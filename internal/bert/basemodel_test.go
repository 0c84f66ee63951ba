package bert

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// contents returns the content of every file below a folder, by path.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must.Succeed(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(content)
		return err
	}))
	return files
}

func TestResolveDownloads(t *testing.T) {
	for name, test := range map[string]struct {
		files, want []string // on the hub and in the snapshot; nil stands for all
	}{
		"all": {files: []string{"config.json", "model.safetensors", "tokenizer.json", "vocab.txt", "tokenizer_config.json",
			"special_tokens_map.json"}},
		"an old copy": {files: []string{"config.json", "pytorch_model.bin", "vocab.txt"}},
		"both kinds of weights": {[]string{"config.json", "pytorch_model.bin", "model.safetensors", "vocab.txt"},
			[]string{"config.json", "model.safetensors", "vocab.txt"}},
		"other files": {[]string{"config.json", "model.safetensors", "tokenizer.json", "README.md", "tf_model.h5"},
			[]string{"config.json", "model.safetensors", "tokenizer.json"}},
	} {
		t.Run(name, func(t *testing.T) {
			hub := tinyBERT(test.files...)
			home := hub.start(t)
			dir := must.Get(ResolveBaseModel(t.Context(), fakeName, nil))
			must.Equal(t, dir, filepath.Join(home, "hub", "models--org--tiny-bert", "snapshots", fakeCommit), "folder")
			want := map[string]string{}
			for _, file := range test.files {
				if test.want == nil || slices.Contains(test.want, file) {
					want[file] = hub.files[file]
				}
			}
			must.Equal(t, contents(t, dir), want, "snapshot")

			// A cached model is found without a request, offline or not.
			before := len(hub.onHub)
			for _, offline := range []string{"1", "0"} {
				t.Setenv("HF_HUB_OFFLINE", offline)
				must.Equal(t, must.Get(ResolveBaseModel(t.Context(), fakeName, nil)), dir, "HF_HUB_OFFLINE", offline)
			}
			must.Equal(t, len(hub.onHub)-before, 0, "requests for a cached model")
		})
	}
}

// TestCacheOfPython checks that a model downloaded by huggingface_hub is found. Its files are links.
func TestCacheOfPython(t *testing.T) {
	repo := filepath.Join(serve(t, nil), "hub", "models--org--tiny-bert")
	snapshot := filepath.Join(repo, "snapshots", fakeCommit)
	err := errors.Join(os.MkdirAll(snapshot, 0o755), os.MkdirAll(filepath.Join(repo, "blobs"), 0o755),
		os.MkdirAll(filepath.Join(repo, "refs"), 0o755), os.WriteFile(filepath.Join(repo, "refs", "main"), []byte(fakeCommit+"\n"), 0o600))
	for _, file := range []string{"config.json", "model.safetensors", "vocab.txt"} {
		err = errors.Join(err, os.WriteFile(filepath.Join(repo, "blobs", file), nil, 0o600),
			os.Symlink("../../blobs/"+file, filepath.Join(snapshot, file)))
	}
	must.Succeed(t, err)
	must.Equal(t, must.Get(FindBaseModel(fakeName)), snapshot)
}

func TestCacheFolder(t *testing.T) {
	serve(t, nil)
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HF_HOME", "")
	for _, test := range []struct{ variable, value, want string }{
		{"HOME", "/me", "/me/.cache/huggingface/hub"},
		{"XDG_CACHE_HOME", "/x", "/x/huggingface/hub"},
		{"HF_HOME", "/h", "/h/hub"},
		{"HF_HUB_CACHE", "/c", "/c"},
	} {
		t.Setenv(test.variable, test.value) // overrides the earlier ones
		must.Equal(t, must.Get(CacheFolder()), test.want, test.variable, "cache")
	}
}

// interrupt sends half of the announced content and closes the connection.
func interrupt(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "80000")
	_, _ = w.Write(make([]byte, 40000))
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// TestFailedTransferLeavesNoPartialFile checks that after an error the cache has only complete files, and that the next
// call downloads only the missing ones.
func TestFailedTransferLeavesNoPartialFile(t *testing.T) {
	for name, store := range map[string]http.HandlerFunc{
		"interrupted": interrupt,
		"wrong bytes": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 80000)) },
	} {
		t.Run(name, func(t *testing.T) {
			hub := tinyBERT("config.json", "model.safetensors", "vocab.txt")
			hub.store = store
			home := hub.start(t)
			_, err := ResolveBaseModel(t.Context(), fakeName, nil)
			if _, ok := errors.AsType[*BaseModelError](err); !ok || !strings.Contains(err.Error(), "model.safetensors") {
				t.Fatalf("error %v, want a BaseModelError that names model.safetensors", err)
			}
			snapshot := "hub/models--org--tiny-bert/snapshots/" + fakeCommit + "/"
			want := map[string]string{snapshot + "config.json": hub.files["config.json"], snapshot + "vocab.txt": hub.files["vocab.txt"]}
			must.Equal(t, contents(t, home), want, "left behind")

			hub.store, hub.onHub = nil, nil
			var last, total int64
			dir := must.Get(ResolveBaseModel(t.Context(), fakeName, func(_ string, done, of int64) { last, total = done, of }))
			if slices.Contains(hub.onHub, "vocab.txt ") {
				t.Errorf("vocab.txt was downloaded twice: %v", hub.onHub)
			}
			if got := contents(t, dir)["model.safetensors"]; got != hub.files["model.safetensors"] || last != 80_000 || total != 80_000 {
				t.Errorf("%d bytes of weights, and %d of %d at the end of the progress; want 80000", len(got), last, total)
			}
		})
	}
}

// TestNotFound has models that are in no folder, cache or hub, and servers that are not hubs.
func TestNotFound(t *testing.T) {
	full := tinyBERT("config.json", "model.safetensors", "vocab.txt")
	for name, test := range map[string]struct {
		hub     *fakeHub // nil for a server that answers every request with status 200 and a page
		model   string
		offline string
		want    []string // in the error
		hint    string   // in the hint
	}{
		"no such model": {full, "org/other", "", []string{`"org/other"`, "no folder org/other", "not in the cache", "models--org--other",
			"401", "RepoNotFound"}, "HF_HUB_OFFLINE=1"},
		"no config":      {tinyBERT("model.safetensors", "vocab.txt"), fakeName, "", []string{"has no config.json"}, "TrainOptions.BaseModel"},
		"no weights":     {tinyBERT("config.json", "vocab.txt"), fakeName, "", []string{"no model.safetensors and no pytorch_model.bin"}, "CTXNORM_BASE_MODEL=DIR"},
		"no tokenizer":   {tinyBERT("config.json", "model.safetensors"), fakeName, "", []string{"no tokenizer.json and no vocab.txt"}, "CTXNORM_BASE_MODEL=DIR"},
		"a login portal": {nil, fakeName, "", []string{"not a response of a Hugging Face hub"}, "TrainOptions.BaseModel"},
		"offline":        {full, fakeName, "1", []string{"not in the cache", "no request was made"}, "unset HF_HUB_OFFLINE"},
		"a path":         {full, "./models/bert/v1", "", []string{"no folder ./models/bert/v1", "not a name on the hub"}, "TrainOptions.BaseModel"},
		"a path upwards": {full, "org/..", "", []string{"not a name on the hub"}, "TrainOptions.BaseModel"},
		"the default":    {full, "", "1", []string{DefaultBaseModel}, "unset HF_HUB_OFFLINE"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.hub != nil {
				test.hub.start(t)
			} else {
				serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>please log in</html>")) })
			}
			t.Setenv("HF_HUB_OFFLINE", test.offline)
			before := len(full.onHub)
			dir, err := ResolveBaseModel(t.Context(), test.model, nil)
			notFound, ok := errors.AsType[*BaseModelError](err)
			if !ok {
				t.Fatalf("%q, %v, want a BaseModelError", dir, err)
			}
			for _, want := range test.want {
				must.Contain(t, err.Error(), want)
			}
			must.Contain(t, notFound.Hint(), test.hint)
			if test.offline != "" && len(full.onHub) != before {
				t.Errorf("requests %v, want none offline", full.onHub[before:])
			}
		})
	}
	serve(t, nil)
	t.Setenv("HF_ENDPOINT", "http://127.0.0.1:1") // refuses connections
	_, err := ResolveBaseModel(t.Context(), fakeName, nil)
	if _, ok := errors.AsType[*BaseModelError](err); !ok || !errors.As(err, new(*net.OpError)) {
		t.Errorf("error %v, want a BaseModelError that wraps the network error", err)
	}
}

func TestCanceled(t *testing.T) {
	home := tinyBERT("config.json", "model.safetensors", "vocab.txt").start(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := ResolveBaseModel(ctx, fakeName, func(string, int64, int64) { cancel() })
	if _, ok := errors.AsType[*BaseModelError](err); ok || !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	for path := range contents(t, home) {
		if strings.Contains(path, "refs") {
			t.Errorf("%s was written by a canceled call", path)
		}
	}
}

func TestContentOtherThanAnnouncedIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		size              int
		git, sha256, body string
		want              string // in the error; "" if the content is correct
	}{
		"longer":         {4, gitHash("hell"), "", "hello", "got 5 bytes or more, want 4"},
		"much longer":    {100, "", sha256Hex("hello"), strings.Repeat("hello", 1<<24), "or more, want 100"},
		"shorter":        {6, gitHash("hello!"), "", "hello", "interrupted after 5 of 6 bytes"},
		"other SHA-256":  {5, gitHash("hello"), sha256Hex("world"), "hello", "its hash is not " + sha256Hex("world")},
		"SHA-256":        {5, gitHash("pointer"), sha256Hex("hello"), "hello", ""},
		"other git hash": {5, strings.Repeat("a", 40), "", "hello", "its hash is not aaaa"},
		"git hash":       {5, gitHash("hello"), "", "hello", ""},
		"no hash":        {5, "", "", "hello", "its hash is not "},
	} {
		t.Run(name, func(t *testing.T) {
			home := serve(t, answer(test.size, test.git, test.sha256, test.body))
			_, err := ResolveBaseModel(t.Context(), fakeName, nil)
			if (err == nil) != (test.want == "") || err != nil && (!strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "vocab.txt")) {
				t.Errorf("error %v, want one that contains %q and names the file", err, test.want)
			}
			if left := contents(t, home); err != nil && len(left) > 0 {
				t.Errorf("left behind: %d files", len(left))
			}
		})
	}
}

// TestNoCredentialsInErrors checks that errors contain neither the password of HF_ENDPOINT, nor the token, nor the
// signature of a link to the storage server.
func TestNoCredentialsInErrors(t *testing.T) {
	check := func(t *testing.T, endpoint string) {
		t.Helper()
		t.Setenv("HF_TOKEN", "hf_secret")
		t.Setenv("HF_ENDPOINT", endpoint)
		_, err := ResolveBaseModel(t.Context(), fakeName, nil)
		if err == nil {
			t.Fatal("no error")
		}
		for _, secret := range []string{"pa55word", "hf_secret", "me:"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("error %q contains %q", err, secret)
			}
		}
	}
	status := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
	}
	for name, handler := range map[string]http.HandlerFunc{
		"401": status(401), "404": status(404), "not a hub": status(200), "503": status(503), "interrupted": interrupt,
		"too long": answer(5, "e", "", "hello, world"), "too short": answer(5, "e", "", "hell"),
		"storage":                 http.RedirectHandler("http://user:pa55word@127.0.0.1:1/blob?signature=pa55word", http.StatusFound).ServeHTTP,
		"storage of another kind": http.RedirectHandler("ftp://user:pa55word@127.0.0.1:1/blob?signature=pa55word", http.StatusFound).ServeHTTP,
	} {
		t.Run(name, func(t *testing.T) {
			serve(t, handler)
			check(t, strings.Replace(os.Getenv("HF_ENDPOINT"), "http://", "http://me:pa55word@", 1))
		})
	}
	serve(t, nil)
	for _, endpoint := range []string{
		"http://me:pa55word@127.0.0.1:1", // refuses connections
		"http://me:pa55word@127.0.0.1:port", "ftp://me:pa55word@hub.example", "http://me:pa55@word@hub.example:x",
		"http://hub.example?token=pa55word", "me:pa55word@hub.example", "http://me:pa55word@%zz",
	} {
		check(t, endpoint)
	}
}

// TestToken checks that the token is sent to the hub, even after a redirect on it, but not to the storage server, which
// has another host name or just another port.
func TestToken(t *testing.T) {
	for _, hubHost := range []string{"localhost", "127.0.0.1"} { // storage is at 127.0.0.1
		hub := tinyBERT("config.json", "model.safetensors", "vocab.txt")
		hub.start(t)
		t.Setenv("HF_TOKEN", "hf_secret\n")
		t.Setenv("HF_ENDPOINT", strings.Replace(os.Getenv("HF_ENDPOINT"), "127.0.0.1", hubHost, 1))
		must.Get(ResolveBaseModel(t.Context(), fakeName, nil))
		must.Equal(t, hub.onStore, []string{""}, "hub", hubHost, "Authorization headers at the storage server")
		for _, request := range hub.onHub {
			if !strings.HasSuffix(request, " Bearer hf_secret") {
				t.Errorf("hub at %s: the file and the Authorization header of a request are %q, want the token", hubHost, request)
			}
		}
	}
	for _, test := range []struct{ from, to, want string }{ // net/http would send the token to some of these
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
		must.Succeed(t, checkRedirect(next, []*http.Request{first}))
		must.Equal(t, next.Header.Get("Authorization"), test.want, "redirect from", test.from, "to", test.to,
			"Authorization header")
	}
}

func TestFolders(t *testing.T) {
	serve(t, nil)
	folder := func(files ...string) string {
		dir := t.TempDir()
		for _, file := range files {
			must.Succeed(t, os.WriteFile(filepath.Join(dir, file), nil, 0o600))
		}
		return dir
	}
	full, empty := folder("config.json", "pytorch_model.bin", "vocab.txt"), folder()
	for name, test := range map[string]struct{ argument, variable, want, err string }{
		"argument":   {argument: full, variable: empty, want: full},
		"variable":   {variable: full, want: full},
		"empty":      {argument: empty, err: "has no config.json, no tokenizer.json or vocab.txt, no model.safetensors or pytorch_model.bin"},
		"no weights": {argument: folder("config.json", "tokenizer.json"), err: "has no model.safetensors or pytorch_model.bin"},
		"a file":     {argument: filepath.Join(full, "config.json"), err: "is a file, want a folder"},
	} {
		t.Setenv(BaseModelVariable, test.variable)
		got, err := FindBaseModel(test.argument)
		if (err == nil) != (test.err == "") || got != test.want || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %s, %v, want %s and an error that contains %q", name, got, err, test.want, test.err)
		}
	}
	// CheckBaseModel rejects names that no request could find, and makes no requests.
	for name, want := range map[string]string{
		"org/name": "", "./missing": "there is no folder ./missing", "a/b/c": "there is no folder a/b/c", empty: "config.json",
		"/no/folder": "it is not a name on the hub",
	} {
		if err := CheckBaseModel(name); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	t.Setenv("HF_HUB_OFFLINE", "1")
	must.Fail(t, CheckBaseModel("org/name"), "", "offline, a model that is not in the cache")
}
