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

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	dictionary "github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
)

// TestPageFiles checks that every file named by the page is served, and that the policy lets only those run.
func TestPageFiles(t *testing.T) {
	s := newServer(t, gutConfig(t))
	page := get(s, "/")
	if csp := page.Header().Get("Content-Security-Policy"); page.Code != http.StatusOK || !strings.HasPrefix(csp, "default-src 'self';") || strings.Contains(csp, "unsafe") {
		t.Fatalf("status %d, policy %q", page.Code, csp)
	}
	inline := regexp.MustCompile(`(?i)<script(\s[^>]*)?>[^<]|\son\w+=|https?://|style=`)
	must.Equal(t, inline.FindString(page.Body.String()), "", "the page")
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
		unsafe := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function`)
		must.Equal(t, unsafe.FindString(w.Body.String()), "", path)
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

// openBrowser returns the context of a tab. It fails the test if a page reports an error.
func openBrowser(t *testing.T) context.Context {
	t.Helper()
	if os.Getenv("CTXNORM_BROWSER") == "" {
		t.Skip("CTXNORM_BROWSER is not set: make page-test runs this in Chromium")
	}
	path := must.Get(exec.LookPath("chromium"))
	folder := must.Get(os.MkdirTemp("", "ctxnorm-browser-"))
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(folder), chromedp.WindowSize(1280, 900))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chrome refuses to run as root with a sandbox
	}
	allocated, stop := chromedp.NewExecAllocator(context.Background(), options...) // t's ends before the cleanup
	tab, closeTab := chromedp.NewContext(allocated)
	t.Cleanup(func() {
		stop() // kills the browser, because it may never answer a request to close
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
		_ = os.RemoveAll(folder) // a browser process may still write to it
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

// hostile is a name that would run as a script if the page treated it as HTML.
const hostile = `<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">`

// servePage serves a handler until the test ends, and returns its address.
func servePage(t *testing.T, handler http.Handler) string {
	t.Helper()
	h := httptest.NewServer(handler)
	t.Cleanup(h.Close)
	return h.URL
}

// pageConfig returns the settings for a server of a model without an encoder. One of its names is hostile.
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
		must.Succeed(t, err)
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

// eventually waits until a JavaScript expression is true.
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

// label waits until the mention of a phrase has a label.
func label(surface, want string) chromedp.Action {
	return eventually(fmt.Sprintf(`[...document.querySelectorAll("#text .mention")].some(e => e.textContent === %q && e.getAttribute("aria-label").includes(%q))`, surface, want))
}

// shot writes a screenshot of the page if CTXNORM_SCREENSHOTS names a folder.
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

// exportedFile returns the content of a file that the browser downloads to a folder.
func exportedFile(folder, name string) string {
	for range 100 {
		if data, _ := os.ReadFile(filepath.Join(folder, name)); len(data) > 0 {
			return string(data)
		}
		time.Sleep(20 * time.Millisecond)
	}
	return ""
}

// paste opens the page and links a text there.
func paste(url, text string) chromedp.Tasks {
	return chromedp.Tasks{
		// A file of the same origin that runs no script, so that no document is restored.
		chromedp.Navigate(url + "/page/style.css"), chromedp.Evaluate(`sessionStorage.clear()`, nil),
		chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"),
		chromedp.SetValue("#source", text), chromedp.Click("#paste button.main"),
	}
}

// js waits until an expression about the page is true. It may use rows, the rows of the table, and open, the phrase of
// the open mention.
func js(expression string) chromedp.Action {
	return eventually(`(() => { try {
		const rows = [...document.querySelectorAll("#mentions tr")].map(r => [...r.children].map(c => c.textContent));
		const open = document.querySelector("#panel .surface")?.textContent;
		const current = document.querySelector("#mentions tr[aria-current] button")?.textContent;
		return ` + expression + `;
	} catch { return false; } })()`) // an element is not there yet
}

const tableText = "No gastric ulcer. A duodenal ulcer, a coeliac disease and a gastric ulcer."

// axe checks the current state of the page with axe-core. CTXNORM_AXE is the path of axe.min.js from the npm package
// axe-core.
func axe(state string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		path := os.Getenv("CTXNORM_AXE")
		if path == "" {
			return nil
		}
		script, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := chromedp.Evaluate(string(script)+"; 0", nil).Do(ctx); err != nil {
			return err
		}
		await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
		var found []string
		const run = `axe.run().then(r => r.violations.map(v => v.id + ": " + v.help + " " + v.nodes.map(n => n.target)))`
		if err := chromedp.Evaluate(run, &found, await).Do(ctx); err != nil || len(found) > 0 {
			return fmt.Errorf("%s: %v, axe-core finds %q", state, err, found)
		}
		return nil
	})
}

// TestPictures takes the screenshots for the documentation, with the model of examples/ that CTXNORM_DEMO_MODEL names.
// It writes them to the folder CTXNORM_SCREENSHOTS. "make pictures" sets both.
func TestPictures(t *testing.T) {
	folder := os.Getenv("CTXNORM_DEMO_MODEL")
	if folder == "" {
		t.Skip("CTXNORM_DEMO_MODEL is not set: make pictures does so")
	}
	ctx := openBrowser(t)
	memory := filepath.Join(t.TempDir(), "memory")
	url := servePage(t, newServer(t, Config{Version: "1", Model: folder, Memory: memory}))
	note := must.Get(os.ReadFile(filepath.Join("testdata", "note.txt")))
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
	must.Succeed(t, os.WriteFile(two, append(note, "No pneumonia.\nAsthma since childhood.\n"...), 0o666))
	act(t, ctx, chromedp.EmulateViewport(1120, 930), paste(url, string(note)), says("mentions"), chromedp.KeyEvent("fff"), chromedp.WaitVisible(".candidates .names"),
		chromedp.Sleep(time.Second), picture("page"),
		chromedp.Click("#theme"), chromedp.Click("#theme"), chromedp.Click("#open > summary"),
		chromedp.SetUploadFiles("#file", []string{two}),
		says("documents"), chromedp.Click("#documents summary"), chromedp.KeyEvent("o"), chromedp.WaitVisible(".candidates .names"),
		chromedp.Sleep(time.Second), picture("page-documents"),
		chromedp.Click("#theme"), chromedp.EmulateViewport(375, 667), paste(url, string(note)), says("mentions"),
		chromedp.KeyEvent("jjj"), chromedp.WaitVisible(".candidates .names"), chromedp.Sleep(time.Second), picture("page-phone"))
}

// smaller reduces a PNG to its 256 most frequent colors.
func smaller(t *testing.T, data []byte) []byte {
	t.Helper()
	full := must.Get(png.Decode(bytes.NewReader(data)))
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
	must.Succeed(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small))
	return out.Bytes()
}
