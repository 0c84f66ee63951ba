package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	dictionary "github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
)

// Every file that the page names is served, and the policy lets only them run.
func TestPageFiles(t *testing.T) {
	s := newServer(t, gutConfig(t))
	page := get(s.Handler(), "/")
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
		w := get(s.Handler(), path)
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
	if len(checked) < 8 {
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
	ctx, cancel := context.WithTimeout(tab, time.Minute)
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

// pageServer serves the model of pageConfig.
func pageServer(t *testing.T) string {
	t.Helper()
	return servePage(t, newServer(t, pageConfig(t)).Handler())
}

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
		if err := chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(5*time.Second)).Do(ctx); err != nil {
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

const sampleText = "Ä 𝛼 gastric ulcer and a duodenal ulcer. A hostile ulcer, <b>bold</b>, and a belly ache."

// TestPageByMouse links, corrects, links again, undoes and exports.
func TestPageByMouse(t *testing.T) {
	ctx, url, folder := openBrowser(t), pageServer(t), t.TempDir()
	var text string
	var hacked bool
	act(t, ctx, chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"),
		eventually(`document.getElementById("memory").textContent.includes("keeps")`),
		chromedp.SendKeys("#source", sampleText), chromedp.Click("#paste button.main"), says("mentions"),
		label("gastric ulcer", "gastric ulcer, "), chromedp.Text("#text", &text),
		chromedp.Click(`//span[text()="duodenal ulcer"]`), eventually(`document.querySelector(".surface").textContent === "duodenal ulcer"`),
		eventually(`document.querySelector(".candidates details").textContent.includes("Parents")`),
		shot("light"),
		chromedp.Click("#nil"), label("duodenal ulcer", "NIL, decided by you"),
		chromedp.Click(`//span[text()="hostile ulcer"]`), eventually(`document.querySelector("#panel-body > .candidates").textContent.includes("<script>")`),
		chromedp.Click(`//span[text()="gastric ulcer"]`), chromedp.Click("#search-button"), chromedp.SetValue("#search-input", "coeliac"),
		chromedp.Click("#search button"), chromedp.WaitVisible("#found .choose"), chromedp.Click("#found .choose"),
		label("gastric ulcer", "coeliac disease, decided by you"),
		chromedp.Click("#add-name"), says("is a name of coeliac disease now"), eventually(`document.getElementById("panel-body").textContent.includes("is a name of it now")`),
		chromedp.Click("#undo"), says("Undone: the name gastric ulcer"), chromedp.WaitVisible("#add-name"),
		chromedp.Click("#relink"), says("Linked again"), label("gastric ulcer", "coeliac disease, decided by you"),
		chromedp.Click("#undo"), says("Undone"), label("gastric ulcer", "gastric ulcer, "), label("duodenal ulcer", "NIL, decided by you"),
		browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(folder),
		chromedp.SetValue("#format", "pubtator"), chromedp.Click("#export"), says("Exported"),
		chromedp.Evaluate(`window.hacked === 1 || document.querySelector("#work script, #work img, #work i, #work b") !== null`, &hacked),
	)
	memory := decodeURL[memoryPage](t, url+"/v1/memory")
	if len(memory.Entries) != 1 || memory.Entries[0].Text != sampleText || memory.Entries[0].Document != "" {
		t.Errorf("the memory has %+v, want an entry without the number of the pasted text", memory.Entries)
	}
	if text != sampleText {
		t.Errorf("the page shows %q, want %q", text, sampleText)
	}
	if hacked {
		t.Error("a name or a text became a part of the page")
	}
	exported := ""
	for range 100 {
		data, _ := os.ReadFile(filepath.Join(folder, "linked.pubtator"))
		if exported = string(data); exported != "" {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	for _, want := range []string{"\tgastric ulcer\tConcept\tG2\n", "\tduodenal ulcer\tConcept\t-\n"} {
		if !strings.Contains(exported, want) {
			t.Errorf("the export has no %q:\n%s", want, exported)
		}
	}
}

// decodeURL returns the JSON at a URL.
func decodeURL[T any](t *testing.T, url string) T {
	t.Helper()
	var v T
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&v); err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	return v
}

// TestPageByKeyboard does the same without a mouse, and marks a mention that was missed.
func TestPageByKeyboard(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	keys := func(s string) chromedp.Action { return chromedp.KeyEvent(s) }
	focused := func(id string) chromedp.Action {
		return eventually(fmt.Sprintf(`document.activeElement.id === %q`, id))
	}
	tabTo := func(id string) chromedp.Action {
		return chromedp.ActionFunc(func(ctx context.Context) error {
			for range 30 {
				var at string
				if err := chromedp.Evaluate(`document.activeElement.id`, &at).Do(ctx); err != nil || at == id {
					return err
				}
				if err := keys(kb.Tab).Do(ctx); err != nil {
					return err
				}
			}
			return fmt.Errorf("the Tab key does not reach %s", id)
		})
	}
	act(t, ctx, chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"),
		tabTo("source"), keys(sampleText), keys(kb.Tab), keys(kb.Enter), says("mentions"), focused("text"),
		keys("j"), eventually(`document.querySelector(".surface")?.textContent === "gastric ulcer"`),
		keys(kb.ArrowRight), eventually(`document.querySelector(".surface").textContent === "duodenal ulcer"`),
		keys("x"), label("duodenal ulcer", "NIL, decided by you"),
		keys("k"), keys("a"), label("gastric ulcer", "gastric ulcer, decided by you"),
		keys("s"), focused("search-input"), keys("coeliac"), keys(kb.Enter), chromedp.WaitVisible("#found .choose:focus"),
		keys(kb.Enter), label("gastric ulcer", "coeliac disease, decided by you"),
		keys("u"), label("gastric ulcer", "gastric ulcer, decided by you"),
		keys("j"), keys("j"), eventually(`document.querySelector(".surface").textContent === "hostile ulcer"`),
		// The words after the open mention are: , < b > bold < / b > , and a belly ache
		keys("m"), keys(strings.Repeat(kb.ArrowRight, 12)),
		eventually(`document.getElementById("marked").textContent === "“belly”"`),
		chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(8)), // with Shift
		eventually(`document.getElementById("marked").textContent === "“belly ache”"`), shot("marking"),
		keys(kb.Enter), says("Marked belly ache"), label("belly ache", ""),
		keys("l"), says("Linked again"), label("belly ache", ""), label("duodenal ulcer", "NIL, decided by you"),
		keys("u"), says("Undone: the mention belly ache"),
		eventually(`![...document.querySelectorAll(".mention")].some(e => e.textContent === "belly ache")`),
		keys("j"), keys(kb.Enter), focused("panel"), keys(kb.Enter), label("gastric ulcer", "gastric ulcer, decided by you"), focused("panel"),
		keys(kb.Escape), eventually(`document.getElementById("text").contains(document.activeElement)`),
		keys("?"), chromedp.WaitVisible("#help"), keys(kb.Escape), eventually(`!document.getElementById("help").open`),
		keys("e"), says("Exported"),
	)
}

// TestPageDecidesOneMention decides one of three mentions of a wording, and then all of them by the button that says how many.
func TestPageDecidesOneMention(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	decided := func(n int) chromedp.Action {
		return eventually(fmt.Sprintf(`[...document.querySelectorAll("#text .mention")].filter(e => e.getAttribute("aria-label").includes("decided by you")).length === %d`, n))
	}
	act(t, ctx, chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"),
		chromedp.SendKeys("#source", "A gastric ulcer. The gastric ulcer. One gastric ulcer."), chromedp.Click("#paste button.main"), says("3 mentions"),
		chromedp.Click(`//span[text()="gastric ulcer"]`), chromedp.Click("#nil"), decided(1),
		eventually(`document.getElementById("apply-all").textContent.includes("all 3")`),
		chromedp.Click("#relink"), says("Linked again"), decided(1),
		chromedp.Click("#apply-all"), decided(3), eventually(`document.getElementById("apply-all") === null`),
		chromedp.Click("#undo"), decided(2),
	)
	memory := decodeURL[memoryPage](t, url+"/v1/memory")
	for _, e := range memory.Entries {
		if !e.Only {
			t.Errorf("the memory has %+v, want corrections of one mention alone", e)
		}
	}
}

// TestPageNarrow has no part wider than a phone, also in the dark, and opens a file and a record.
func TestPageNarrow(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	file := filepath.Join(t.TempDir(), "notes.pubtator")
	if err := os.WriteFile(file, []byte(pubtatorFile+strings.ReplaceAll(pubtatorFile, "7", "8")), 0o666); err != nil {
		t.Fatal(err)
	}
	var width int
	act(t, ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"),
		chromedp.SetUploadFiles("#file", []string{file}), says("in the first of 2 documents. The file is pubtator."),
		chromedp.Click(`//span[text()="gastric ulcer"]`), eventually(`document.querySelector(".candidates details").textContent.includes("Parents")`),
		chromedp.Evaluate(`document.documentElement.scrollWidth`, &width), shot("narrow"),
		chromedp.Click("#theme"), chromedp.Click("#theme"), eventually(`document.documentElement.dataset.theme === "dark"`), shot("dark-narrow"),
		chromedp.SendKeys("#pmid", "3\r"), says("The model keeps 1 sentence of this record"), label("gastric ulcer", "gastric ulcer"),
		chromedp.SetValue("#pmid", "<b>"), chromedp.Click("#record button"), eventually(`document.getElementById("error").textContent.includes("<b>")`),
		chromedp.EmulateViewport(1280, 900), shot("dark"),
	)
	if width > 390 {
		t.Errorf("the page is %d pixels wide, want at most 390", width)
	}
}

// paste opens the page and links a text in it.
func paste(url, text string) chromedp.Tasks {
	return chromedp.Tasks{
		chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"),
		chromedp.SetValue("#source", text), chromedp.Click("#paste button.main"),
	}
}

// TestPageWithoutProbabilities links by methods without probabilities: no exact name is unsure then.
func TestPageWithoutProbabilities(t *testing.T) {
	ctx := openBrowser(t)
	for method, want := range map[ctxnorm.Method]string{
		ctxnorm.MethodExact: "certain, 100 %", ctxnorm.MethodLexical: "linked", ctxnorm.MethodTFIDF: "linked",
	} {
		cfg := pageConfig(t)
		cfg.Link.Method = method
		act(t, ctx, paste(servePage(t, newServer(t, cfg).Handler()), "A gastric ulcer."), says("1 mention"),
			label("gastric ulcer", "gastric ulcer, "+want),
			eventually(fmt.Sprintf(`document.getElementById("linked-sign").hidden === %t`, want != "linked")))
	}
}

// TestPageFormats pastes files, which are read as what they are, and as running text when the user says so.
func TestPageFormats(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	for format, content := range map[string]string{
		"pubtator":  pubtatorFile,
		"jsonl":     `{"id": "a", "text": "A gastric ulcer.", "mentions": [{"start": 2, "end": 15}]}`,
		"bioc-json": `{"documents": [{"id": "a", "passages": [{"offset": 0, "text": "A gastric ulcer."}]}]}`,
	} {
		act(t, ctx, paste(url, content), says("The text is "+format+"."), label("gastric ulcer", "gastric ulcer"),
			eventually(fmt.Sprintf(`document.getElementById("text").textContent !== %q`, content)),
			chromedp.Click("#as-text"), eventually(fmt.Sprintf(`document.getElementById("text").textContent === %q`, content)),
			eventually(`document.getElementById("as-text").hidden`))
	}
	act(t, ctx, paste(url, "A gastric ulcer.\nA duodenal ulcer."), says("2 mentions."), eventually(`document.getElementById("as-text").hidden`))
}

// TestPageKeysWhileBusy presses keys while the server is slow, none of which is lost.
func TestPageKeysWhileBusy(t *testing.T) {
	ctx, handler := openBrowser(t), newServer(t, pageConfig(t)).Handler()
	url := servePage(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/memory" {
			time.Sleep(300 * time.Millisecond)
		}
		handler.ServeHTTP(w, r)
	}))
	act(t, ctx, paste(url, sampleText), says("mentions"),
		chromedp.KeyEvent("j"), chromedp.KeyEvent("a"), chromedp.KeyEvent("j"), chromedp.KeyEvent("x"), chromedp.KeyEvent("j"), chromedp.KeyEvent("a"),
		label("gastric ulcer", "decided by you"), label("duodenal ulcer", "NIL, decided by you"), label("hostile ulcer", "decided by you"))
}

// TestPageToken says that a token is wrong, and takes the next.
func TestPageToken(t *testing.T) {
	ctx, cfg := openBrowser(t), pageConfig(t)
	cfg.Access.Token = "the-token-of-the-test"
	act(t, ctx, paste(servePage(t, newServer(t, cfg).Handler()), "A gastric ulcer."), chromedp.WaitVisible("#login"),
		chromedp.SendKeys("#token", "another-token\r"), eventually(`document.getElementById("token-error").textContent.includes("refused")`),
		chromedp.WaitVisible("#login"), chromedp.SendKeys("#token", cfg.Access.Token+"\r"), says("1 mention"))
}

// TestPageReload opens the documents again with what was decided, also where the server keeps no corrections.
func TestPageReload(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	act(t, ctx, paste(url, sampleText), says("mentions"),
		chromedp.Click(`//span[text()="duodenal ulcer"]`), chromedp.Click("#nil"), label("duodenal ulcer", "NIL, decided by you"),
		chromedp.Focus("#text"), chromedp.KeyEvent("m"), chromedp.KeyEvent(kb.Enter), says("Marked "),
		chromedp.Reload(), says("Opened again."), label("duodenal ulcer", "NIL, decided by you"),
		eventually(fmt.Sprintf(`document.getElementById("text").textContent === %q`, sampleText)))
}
