package server

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/curation"
	"github.com/ctxnorm/ctxnorm/internal/must"
	dictionary "github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// pageScript runs a file of testdata/page, one browser action a line: see [pageScript.action]. Scripts can upload the
// other files in that folder.
type pageScript struct {
	t           *testing.T
	tab         context.Context // of the browser
	tabs        map[string]context.Context
	url, folder string
	kept        *curation.Store // of the server; may be nil
	handler     http.Handler
	gone        atomic.Bool // whether the server is unreachable
}

func TestPage(t *testing.T) {
	scripts, err := filepath.Glob("testdata/page/*.txt")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts, %v", err)
	}
	for _, path := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			archive := must.Get(txtar.ParseFile(path))
			p := &pageScript{t: t, folder: t.TempDir()}
			for _, file := range archive.Files {
				must.Succeed(t, os.WriteFile(filepath.Join(p.folder, file.Name), file.Data, 0o666))
			}
			p.tab = openBrowser(t)
			p.tabs = map[string]context.Context{"": p.tab}
			downloads := browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(p.folder)
			act(t, p.tab, downloads)
			p.serve("")
			for i, line := range strings.Split(strings.TrimSpace(string(archive.Comment)), "\n") {
				t.Logf("%s:%d: %s", path, i+1, line)
				act(t, p.tab, p.action(line))
			}
		})
	}
}

// serve starts a server, by default one of a model without an encoder.
func (p *pageScript) serve(kind string) chromedp.Tasks {
	cfg, slow, recognized := pageConfig(p.t), false, false
	switch kind, rest, _ := strings.Cut(kind, " "); kind {
	case "":
	case "kept": // stores one document with a text
		cfg = scriptServer(p.t, "strings", "")
		cfg.Curation = curationStore(p.t, p.t.TempDir(), rest)
	case "curators": // stores documents; has no memory if it serves a dictionary
		if rest == "dictionary" {
			cfg = Config{Version: "test", Dictionary: modelOf(dictionary.NewDictionary([]dictionary.Concept{
				{ID: "G1", Name: "coeliac disease"}, {ID: "G2", Name: "gastric ulcer"}, {ID: "G4", Name: "duodenal ulcer"},
			}))}
		}
		cfg.Curation = curationStore(p.t, p.t.TempDir(), tableText, "Nothing here.", "A gastric ulcer.")
	case "sheet": // stores a table of 300 rows, see sheetRows
		cfg = Config{Version: "test", Dictionary: modelOf(dictionary.NewDictionary([]dictionary.Concept{
			{ID: "G1", Name: "coeliac disease"}, {ID: "G2", Name: "gastric ulcer"}, {ID: "G4", Name: "duodenal ulcer"},
		}))}
		cfg.Link.MinScore = .6 // the default of the command
		cfg.Curation = sheetStore(p.t, p.t.TempDir())
	case "dictionary": // serves a dictionary
		cfg = Config{Dictionary: modelOf(dictionary.NewDictionary([]dictionary.Concept{{ID: "G1", Name: "coeliac disease"}}))}
	case "token":
		cfg.Access.Token = "the-token-of-the-test"
	case "method":
		cfg.Link.Method = ctxnorm.Method(rest)
	case "links":
		cfg.Links = formats.LinkTemplates{Concept: "https://example.org/c?id={id}", Document: "https://example.org/{prefix}/{local}"}
	case "slow":
		slow = true
	case "recognized": // reports one mention as recognized
		recognized = true
	default:
		p.t.Fatalf("no server %s", kind)
	}
	p.handler, p.kept = newServer(p.t, cfg), cfg.Curation
	p.url = servePage(p.t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.gone.Load() {
			panic(http.ErrAbortHandler)
		}
		if slow && r.URL.Path == "/v1/memory" {
			time.Sleep(300 * time.Millisecond)
		}
		if !recognized {
			p.handler.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		p.handler.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(bytes.ReplaceAll(answer.Body.Bytes(), []byte(`"text":"duodenal ulcer",`),
			[]byte(`"text":"duodenal ulcer","source":"recognized",`)))
	}))
	return nil
}

// pageKeys are the keys without a character.
var pageKeys = map[string]string{"Enter": kb.Enter, "Tab": kb.Tab, "Escape": kb.Escape, "Right": kb.ArrowRight, "Left": kb.ArrowLeft,
	"Up": kb.ArrowUp, "Down": kb.ArrowDown, "Backspace": kb.Backspace, "Space": " "}

// action parses a line: a verb and its arguments. The last argument may be quoted.
func (p *pageScript) action(line string) chromedp.Action {
	verb, rest, _ := strings.Cut(line, " ")
	if unquoted, err := strconv.Unquote(rest); err == nil {
		rest = unquoted
	}
	first, second, _ := strings.Cut(rest, " ")
	selector, value, _ := strings.Cut(rest, " = ")
	element := fmt.Sprintf(`document.getElementById(%q).textContent`, first)
	switch verb {
	case "#":
		return chromedp.Tasks{}
	case "server": // see [pageScript.serve]
		return p.serve(rest)
	case "page": // opens the page, or a path
		if rest != "" {
			return chromedp.Navigate(p.url + rest)
		}
		return chromedp.Tasks{chromedp.Navigate(p.url), chromedp.WaitReady("body[data-ready]")}
	case "tab": // switches to a named tab, and opens it if needed
		if p.tabs[rest] == nil {
			ctx, closeTab := chromedp.NewContext(p.tabs[""])
			p.t.Cleanup(closeTab)
			p.tabs[rest] = ctx
		}
		p.tab = p.tabs[rest]
		return chromedp.Tasks{}
	case "axe":
		return axe(rest)
	case "cat": // decides in the store that the last mention of a phrase is NIL
		return chromedp.ActionFunc(func(context.Context) error { return p.decideAsCat(rest) })
	case "paste": // links a text
		return paste(p.url, rest)
	case "upload": // opens files in the script's folder
		var paths []string
		for name := range strings.FieldsSeq(rest) {
			paths = append(paths, filepath.Join(p.folder, name))
		}
		return chromedp.SetUploadFiles("#file", paths)
	case "says": // the status has a text
		return says(rest)
	case "mention": // PHRASE = its label
		return label(selector, value)
	case "is": // ID of an element, and its text
		return eventually(fmt.Sprintf(`%s === %q`, element, second))
	case "has":
		return eventually(fmt.Sprintf(`%s.includes(%q)`, element, second))
	case "until": // an expression is true
		return js(rest)
	case "run":
		return chromedp.Evaluate(rest, nil)
	case "key": // presses keys
		var keys chromedp.Tasks
		for key := range strings.FieldsSeq(rest) {
			var options []chromedp.KeyOption
			if name, shifted := strings.CutPrefix(key, "shift+"); shifted {
				key, options = name, []chromedp.KeyOption{chromedp.KeyModifiers(8)}
			}
			if named, ok := pageKeys[key]; ok {
				key = named
			}
			keys = append(keys, chromedp.KeyEvent(key, options...))
		}
		return keys
	case "type":
		return chromedp.KeyEvent(rest)
	case "tabto": // presses Tab until an element has the focus
		return p.tabTo(rest)
	case "click":
		return chromedp.Click(rest)
	case "wait":
		return chromedp.WaitVisible(rest)
	case "focus":
		return chromedp.Focus(rest)
	case "send":
		return chromedp.SendKeys(selector, value)
	case "set":
		return chromedp.SetValue(selector, value)
	case "viewport":
		var width, height int64
		must.Get(fmt.Sscan(rest, &width, &height))
		return chromedp.EmulateViewport(width, height)
	case "shot":
		return shot(rest)
	case "reload":
		return chromedp.Reload()
	case "sleep":
		return chromedp.Sleep(100 * time.Millisecond)
	case "gone": // true or false
		p.gone.Store(rest == "true")
		return chromedp.Tasks{}
	case "delete", "answer", "lacks", "exported":
		return chromedp.ActionFunc(func(context.Context) error { return p.check(verb, first, second) })
	}
	p.t.Fatalf("no action %q", line)
	return nil
}

func (p *pageScript) decideAsCat(wording string) error {
	_, d, _ := p.kept.Get(1)
	start := strings.LastIndex(tableText, wording)
	said := curation.Decisions{By: "cat", Mentions: []curation.Decision{{Place: curation.Place{Start: start, End: start + len(wording)}}}}
	for _, m := range d.Mentions {
		said.Mentions = append(said.Mentions, curation.Decision{Place: curation.Place(m.Span), Concepts: m.IDs})
	}
	_, err := p.kept.Put(context.Background(), 1, d.Version, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), &said, dictionary.NewDictionary(nil))
	return err
}

// check deletes a resource, or compares a server response or a file exported by the page with a pattern.
func (p *pageScript) check(verb, name, pattern string) error {
	if verb == "exported" {
		if content := exportedFile(p.folder, name); !regexp.MustCompile(pattern).MatchString(content) {
			return fmt.Errorf("%s has no %s:\n%s", name, pattern, content)
		}
		return nil
	}
	method := http.MethodGet
	if verb == "delete" {
		method = http.MethodDelete
	}
	w := call(p.handler, request(method, name, ""))
	if w.Code != http.StatusOK || regexp.MustCompile(pattern).Match(w.Body.Bytes()) == (verb == "lacks") {
		return fmt.Errorf("status %d, %s", w.Code, w.Body)
	}
	return nil
}

func (p *pageScript) tabTo(id string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		for range 30 {
			var at string
			if err := chromedp.Evaluate(`document.activeElement.id`, &at).Do(ctx); err != nil || at == id {
				return err
			}
			if err := chromedp.KeyEvent(kb.Tab).Do(ctx); err != nil {
				return err
			}
		}
		return fmt.Errorf("the Tab key does not reach %s", id)
	})
}
