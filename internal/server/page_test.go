package server

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/ctxnorm/ctxnorm/internal/curation"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	dictionary "github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
)

// Every file that the page names is served, and the policy lets only them run.
func TestPageFiles(t *testing.T) {
	s := newServer(t, gutConfig(t))
	page := get(s, "/")
	if csp := page.Header().Get("Content-Security-Policy"); page.Code != http.StatusOK || !strings.HasPrefix(csp, "default-src 'self';") || strings.Contains(csp, "unsafe") {
		t.Fatalf("status %d, policy %q", page.Code, csp)
	}
	if found := regexp.MustCompile(`(?i)<script(\s[^>]*)?>[^<]|\son\w+=|https?://|style=`).FindString(page.Body.String()); found != "" {
		t.Errorf("the page has %q", found)
	}
	checked := make(map[string]bool)
	var check func(path string)
	check = func(path string) {
		if checked[path] {
			return
		}
		checked[path] = true
		w := get(s, path)
		if w.Code != http.StatusOK || strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
			t.Errorf("%s: status %d, %s", path, w.Code, w.Header())
		}
		if found := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function`).FindString(w.Body.String()); found != "" {
			t.Errorf("%s has %s", path, found)
		}
		for _, ref := range regexp.MustCompile(`from "\./(\w+\.js)"`).FindAllStringSubmatch(w.Body.String(), -1) {
			check("/page/" + ref[1])
		}
	}
	for _, ref := range regexp.MustCompile(`(?:href|src)="(/[^"]+)"`).FindAllStringSubmatch(page.Body.String(), -1) {
		check(ref[1])
	}
	if len(checked) < 22 {
		t.Errorf("the page loads %d files, want its style and scripts", len(checked))
	}
}

// openBrowser returns the context of a tab, which fails the test when its page reports an error.
func openBrowser(t *testing.T) context.Context {
	t.Helper()
	if os.Getenv("CTXNORM_BROWSER") == "" {
		t.Skip("CTXNORM_BROWSER is not set: make page-test runs this in Chromium")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "ctxnorm-browser-")
	if err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(folder), chromedp.WindowSize(1280, 900))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // it refuses to run for root with one
	}
	allocated, stop := chromedp.NewExecAllocator(context.Background(), options...) // that of t ends before the cleanup
	tab, closeTab := chromedp.NewContext(allocated)
	t.Cleanup(func() {
		stop() // kills the browser: asked to close, it may never answer
		closed := make(chan struct{})
		go func() {
			closeTab()
			close(closed)
		}()
		select {
		case <-closed:
		case <-time.After(10 * time.Second):
			t.Log("the browser does not end")
		}
		_ = os.RemoveAll(folder) // a process of the browser may still write to it
	})
	ctx, cancel := context.WithTimeout(tab, 3*time.Minute)
	t.Cleanup(cancel)
	chromedp.ListenTarget(ctx, func(event any) {
		if e, ok := event.(*runtime.EventExceptionThrown); ok {
			t.Errorf("the page fails: %s", e.ExceptionDetails.Error())
		}
	})
	return ctx
}

// hostile is a name that would run if the page took it for HTML.
const hostile = `<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">`

// servePage serves a handler until the test ends, and returns its address.
func servePage(t *testing.T, handler http.Handler) string {
	t.Helper()
	h := httptest.NewServer(handler)
	t.Cleanup(h.Close)
	return h.URL
}

// pageConfig returns the settings of a server of a model without an encoder, one of whose names is hostile.
func pageConfig(t *testing.T) Config {
	t.Helper()
	return Config{Version: "test", Model: modeltest.Build(t, nil, func(o *model.BuildOptions) {
		modeltest.Ulcer(o)
		concepts := []dictionary.Concept{{ID: "H<b>1", Name: hostile, Synonyms: []string{"hostile ulcer"}}}
		for i := range o.Dictionary.Len() {
			concepts = append(concepts, *o.Dictionary.At(i))
		}
		o.Dictionary = dictionary.NewDictionary(concepts)
		tagger, _, err := matcher.NewTagger(o.Dictionary, matcher.DefaultNameFilter())
		if err != nil {
			t.Fatal(err)
		}
		o.Tagger = tagger
		for i := range o.Contexts {
			if o.Contexts[i].ID == "2" {
				doc := *o.Contexts[i].Document
				doc.ID = `<i onmouseover="window.hacked=1">2`
				o.Contexts[i].Document = &doc
			}
		}
	})}
}

// act runs actions in the browser.
func act(t *testing.T, ctx context.Context, actions ...chromedp.Action) {
	t.Helper()
	if err := chromedp.Run(ctx, actions...); err != nil {
		var state string
		_ = chromedp.Run(ctx, chromedp.Evaluate(`document.body.innerText`, &state))
		t.Fatalf("%v, the page shows:\n%s", err, state)
	}
}

// eventually waits until an expression is true.
func eventually(expression string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		if err := chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(5*time.Second), chromedp.WithPollingInterval(20*time.Millisecond)).Do(ctx); err != nil {
			return fmt.Errorf("%s: %w", expression, err)
		}
		return nil
	})
}

func says(text string) chromedp.Action {
	return eventually(fmt.Sprintf(`document.getElementById("status").textContent.includes(%q)`, text))
}

// label waits until the mention with a surface has a label.
func label(surface, want string) chromedp.Action {
	return eventually(fmt.Sprintf(`[...document.querySelectorAll("#text .mention")].some(e => e.textContent === %q && e.getAttribute("aria-label").includes(%q))`, surface, want))
}

// shot writes a picture of the page if CTXNORM_SCREENSHOTS names a folder.
func shot(name string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		folder := os.Getenv("CTXNORM_SCREENSHOTS")
		if folder == "" {
			return nil
		}
		var picture []byte
		if err := chromedp.FullScreenshot(&picture, 100).Do(ctx); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o666)
	})
}

// exportedFile returns the content of a file that the browser writes to a folder.
func exportedFile(folder, name string) string {
	for range 100 {
		if data, _ := os.ReadFile(filepath.Join(folder, name)); len(data) > 0 {
			return string(data)
		}
		time.Sleep(20 * time.Millisecond)
	}
	return ""
}

// paste opens the page and links a text in it.
func paste(url, text string) chromedp.Tasks {
	return chromedp.Tasks{
		// A file of the same origin that runs no script, so that no document is opened again.
		chromedp.Navigate(url + "/page/style.css"), chromedp.Evaluate(`sessionStorage.clear()`, nil),
		chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"),
		chromedp.SetValue("#source", text), chromedp.Click("#paste button.main"),
	}
}

// js waits until an expression about the page is true; rows are those of the table, open is the wording of the open
// mention.
func js(expression string) chromedp.Action {
	return eventually(`(() => { try {
		const rows = [...document.querySelectorAll("#mentions tr")].map(r => [...r.children].map(c => c.textContent));
		const open = document.querySelector("#panel .surface")?.textContent;
		const current = document.querySelector("#mentions tr[aria-current] button")?.textContent;
		return ` + expression + `;
	} catch { return false; } })()`) // what it looks for is not there yet
}

const tableText = "No gastric ulcer. A duodenal ulcer, a coeliac disease and a gastric ulcer."

// TestPageAxe looks at the states of the page with axe-core, which finds nothing.
func TestPageAxe(t *testing.T) {
	ctx, url := openBrowser(t), servePage(t, newServer(t, pageConfig(t)))
	path := os.Getenv("CTXNORM_AXE")
	if path == "" {
		t.Skip("CTXNORM_AXE is not set to the path of axe.min.js, of the npm package axe-core")
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(state string) chromedp.Action {
		return chromedp.ActionFunc(func(ctx context.Context) error {
			var found []string
			if err := chromedp.Evaluate(string(axe)+"; 0", nil).Do(ctx); err != nil {
				return err
			}
			await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
			if err := chromedp.Evaluate(`axe.run().then(r => r.violations.map(v => v.id + ": " + v.help + " " + v.nodes.map(n => n.target)))`, &found, await).Do(ctx); err != nil {
				return err
			}
			for _, f := range found {
				t.Errorf("%s: %s", state, f)
			}
			return nil
		})
	}
	work := chromedp.Tasks{
		paste(url, tableText), says("4 mentions"), chromedp.KeyEvent("j"), chromedp.WaitVisible(".tree"), check("a mention"),
		chromedp.KeyEvent("x"), says("The server keeps it"), chromedp.KeyEvent("s"), chromedp.WaitVisible("#found"),
		check("a decision and the search"),
		chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("c"), chromedp.WaitVisible("#corrections-list button"),
		check("corrections"),
		chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("?"), chromedp.WaitVisible("#help"), check("keys"),
		chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("b"), chromedp.WaitVisible("#dictionary-tree .toggle"), chromedp.Click("#dictionary-tree .toggle"),
		chromedp.Click("#dictionary-tree .link"), chromedp.WaitVisible("#dictionary-concept h3"), check("dictionary"),
		chromedp.KeyEvent(kb.Escape),
	}
	act(t, ctx, chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"), check("first screen"), work,
		chromedp.Click("#theme"), chromedp.Click("#theme"), check("dark"),
		chromedp.EmulateViewport(375, 667), chromedp.KeyEvent("j"), check("phone"))
	act(t, ctx, chromedp.Navigate(url+"/docs"), chromedp.Click("#annotate summary"), chromedp.WaitVisible("#annotate textarea"),
		check("the API on a phone"), chromedp.Evaluate(`document.documentElement.dataset.theme = "dark"`, nil), check("the API in the dark"))
	cfg := pageConfig(t)
	cfg.Curation = curationStore(t, t.TempDir(), tableText, "A gastric ulcer.")
	url = servePage(t, newServer(t, cfg))
	act(t, ctx, chromedp.Navigate(url), chromedp.WaitVisible("#document-list button"), check("documents on a phone"), shot("documents-phone-dark"),
		chromedp.KeyEvent("o"), says("left to decide"), chromedp.WaitVisible(".tree"), check("a document on a phone"), shot("document-phone-dark"),
		chromedp.EmulateViewport(1120, 900), chromedp.Click("#theme"), chromedp.Click("#all-documents > summary"),
		check("a document and the list"), shot("document-light"))
}

// TestPictures takes the pictures of the documentation, with the model of examples/ that CTXNORM_DEMO_MODEL names. They
// go to the folder of CTXNORM_SCREENSHOTS: make pictures does both.
func TestPictures(t *testing.T) {
	folder := os.Getenv("CTXNORM_DEMO_MODEL")
	if folder == "" {
		t.Skip("CTXNORM_DEMO_MODEL is not set: make pictures does so")
	}
	ctx := openBrowser(t)
	memory := filepath.Join(t.TempDir(), "memory")
	url := servePage(t, newServer(t, Config{Version: "1", Model: folder, Memory: memory}))
	note, err := os.ReadFile(filepath.Join("testdata", "note.txt"))
	if err != nil {
		t.Fatal(err)
	}
	picture := func(name string) chromedp.Action {
		return chromedp.ActionFunc(func(ctx context.Context) error {
			var data []byte
			if err := chromedp.CaptureScreenshot(&data).Do(ctx); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(os.Getenv("CTXNORM_SCREENSHOTS"), name+".png"), smaller(t, data), 0o666)
		})
	}
	two := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(two, append(note, "No pneumonia.\nAsthma since childhood.\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	act(t, ctx, chromedp.EmulateViewport(1120, 930), paste(url, string(note)), says("mentions"), chromedp.KeyEvent("fff"), chromedp.WaitVisible(".candidates .names"),
		chromedp.Sleep(time.Second), picture("page"),
		chromedp.Click("#theme"), chromedp.Click("#theme"), chromedp.Click("#open > summary"),
		chromedp.SetUploadFiles("#file", []string{two}),
		says("documents"), chromedp.Click("#documents summary"), chromedp.KeyEvent("o"), chromedp.WaitVisible(".candidates .names"),
		chromedp.Sleep(time.Second), picture("page-documents"),
		chromedp.Click("#theme"), chromedp.EmulateViewport(375, 667), paste(url, string(note)), says("mentions"),
		chromedp.KeyEvent("jjj"), chromedp.WaitVisible(".candidates .names"), chromedp.Sleep(time.Second), picture("page-phone"))
}

// smaller returns a PNG with the 256 most frequent colors of another one.
func smaller(t *testing.T, data []byte) []byte {
	t.Helper()
	full, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	counts := make(map[color.Color]int)
	for y := range full.Bounds().Dy() {
		for x := range full.Bounds().Dx() {
			counts[full.At(x, y)]++
		}
	}
	colors := slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	small := image.NewPaletted(full.Bounds(), colors[:min(256, len(colors))])
	draw.Draw(small, full.Bounds(), full, image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestPageTwoCurators decides the same documents in two tabs and in the store, also where the server has no memory.
// What one has not seen is said when the tab is looked at again or a decision is stored, and no decision is lost.
func TestPageTwoCurators(t *testing.T) {
	for name, cfg := range map[string]Config{
		"model": pageConfig(t),
		"dictionary": {Version: "test", Dictionary: dictionary.NewDictionary([]dictionary.Concept{
			{ID: "G1", Name: "coeliac disease"}, {ID: "G2", Name: "gastric ulcer"}, {ID: "G4", Name: "duodenal ulcer"},
		})},
	} {
		t.Run(name, func(t *testing.T) { twoCurators(t, cfg) })
	}
}

func twoCurators(t *testing.T, cfg Config) {
	store := curationStore(t, t.TempDir(), tableText, "Nothing here.", "A gastric ulcer.")
	cfg.Curation = store
	url := servePage(t, newServer(t, cfg))
	ann := openBrowser(t)
	open := func(by string) chromedp.Tasks {
		return chromedp.Tasks{
			chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"), chromedp.WaitVisible("#document-list button"),
			shot("curation-list"), chromedp.SetValue("#by", by),
			chromedp.Click(`//ol[@id="document-list"]//button[text()="n1"]`), says("4 mentions, "),
		}
	}
	// cat says that the last mention of a wording is NIL, without a page.
	cat := func(wording string) chromedp.Action {
		return chromedp.ActionFunc(func(context.Context) error {
			_, d, _ := store.Get(1)
			start := strings.LastIndex(tableText, wording)
			said := curation.Decisions{By: "cat", Mentions: []curation.Decision{{Place: curation.Place{Start: start, End: start + len(wording)}}}}
			for _, m := range d.Mentions {
				said.Mentions = append(said.Mentions, curation.Decision{Place: curation.Place(m.Span), Concepts: m.IDs})
			}
			_, err := store.Put(1, d.Version, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), &said, dictionary.NewDictionary(nil))
			return err
		})
	}
	named := func(want string) chromedp.Action {
		return eventually(fmt.Sprintf(`document.getElementById("document-name").textContent === %q`, want))
	}
	act(t, ann, open("ann"), named("1 of 3: notes/a.txt, n1"), shot("curation"))
	bob, closeTab := chromedp.NewContext(ann) // of the browser, which runs by now
	t.Cleanup(closeTab)
	act(t, bob, open("bob"), chromedp.KeyEvent("j"), chromedp.KeyEvent("x"), says("The server keeps it"),
		label("gastric ulcer", "NIL, decided by you"))
	act(t, ann, chromedp.KeyEvent("j"), says("gastric ulcer is NIL (by bob"), label("gastric ulcer", "NIL, decided by bob"),
		cat("coeliac disease"), chromedp.KeyEvent("j"), chromedp.KeyEvent("a"),
		says("Changed by others: coeliac disease is NIL (by cat, 2026-01-02)."), label("duodenal ulcer", "decided by you"),
		cat("gastric ulcer"), chromedp.KeyEvent("j"), chromedp.KeyEvent("j"), chromedp.KeyEvent("a"),
		says("gastric ulcer is NIL (by cat, 2026-01-02), which stays in place of yours."),
		chromedp.KeyEvent("u"), says("Undone: duodenal ulcer"), chromedp.KeyEvent("k"), chromedp.KeyEvent("k"), chromedp.KeyEvent("r"),
		says("Removed duodenal ulcer"))
	act(t, bob, chromedp.Reload(), says("3 mentions, 0 left to decide"), label("gastric ulcer", "NIL, decided by bob"),
		label("coeliac disease", "NIL, decided by cat"), named("1 of 3: notes/a.txt, n1"),
		chromedp.KeyEvent("f"), named("3 of 3: notes/a.txt, n3"), js(`open === "gastric ulcer"`),
		chromedp.KeyEvent("f"), eventually(`document.getElementById("left").textContent === "3 of 3 documents done, 5 decisions"`),
		chromedp.KeyEvent("f"), says("Nothing is left to decide."))
	_, d, _ := store.Get(1)
	var by []string
	for _, m := range d.Mentions {
		by = append(by, m.Corrected.By)
	}
	if want := []string{"bob", "cat", "cat"}; !slices.Equal(by, want) || len(d.Removed) != 1 {
		t.Errorf("%v decided on mentions and %d are removed, want %v and the one that ann removed", by, len(d.Removed), want)
	}
}
