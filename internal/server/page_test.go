package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
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
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/curation"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/realdata"
	dictionary "github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
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

const sampleText = "Ä 𝛼 gastric ulcer and a duodenal ulcer. A hostile ulcer, <b>bold</b>, and a belly ache."

// TestPageByMouse links, corrects, links again, undoes and exports.
func TestPageByMouse(t *testing.T) {
	ctx, url, folder := openBrowser(t), pageServer(t), t.TempDir()
	var text string
	var hacked bool
	act(t, ctx, chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"),
		eventually(`document.getElementById("memory").textContent.includes("keeps")`),
		chromedp.Evaluate(`document.getElementById("by").value = "ann"`, nil),
		chromedp.SendKeys("#source", sampleText), chromedp.Click("#paste button.main"), says("mentions"),
		label("gastric ulcer", "gastric ulcer, "), chromedp.Text("#text", &text),
		chromedp.Click(`//span[text()="duodenal ulcer"]`),
		eventually(`document.querySelector(".surface").textContent === "duodenal ulcer"`),
		chromedp.WaitVisible(".candidates details .tree"),
		shot("light"),
		chromedp.Click("#nil"), label("duodenal ulcer", "NIL, decided by you"),
		chromedp.Click(`//span[text()="hostile ulcer"]`),
		eventually(`document.querySelector("#panel-body > .candidates").textContent.includes("<script>")`),
		chromedp.Click(`//span[text()="gastric ulcer"]`), chromedp.Click("#search-button"),
		chromedp.SetValue("#search-input", "coeliac"),
		chromedp.Click("#search button"), chromedp.WaitVisible("#found .choose"), chromedp.Click("#found .choose"),
		label("gastric ulcer", "coeliac disease, decided by you"),
		chromedp.Click("#add-name"), says("is a name of coeliac disease now"),
		eventually(`document.getElementById("panel-body").textContent.includes("is a name of it now")`),
		chromedp.Click("#undo"), says("Undone: the name gastric ulcer"), chromedp.WaitVisible("#add-name"),
		chromedp.Click("#relink"), says("Linked again"), label("gastric ulcer", "coeliac disease, decided by you"),
		chromedp.Click("#undo"), says("Undone"), label("gastric ulcer", "gastric ulcer, "),
		label("duodenal ulcer", "NIL, decided by you"),
		browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(folder),
		chromedp.SetValue("#format", "pubtator"), chromedp.Click("#export"), says("as linked.pubtator"),
		chromedp.SetValue("#format", "jsonl"), chromedp.Click("#export"), says("as linked.jsonl"),
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
	exported := exportedFile(folder, "linked.pubtator")
	jsonl := exportedFile(folder, "linked.jsonl")
	if !regexp.MustCompile(`"text":"duodenal ulcer",[^{]*"candidates":\[\],"corrected":"corrected by ann at 20[-0-9]*T[:0-9]*Z"`).MatchString(jsonl) {
		t.Errorf("the export does not say who decided, and when:\n%s", jsonl)
	}
	for _, want := range []string{"\tgastric ulcer\tConcept\tG2\n", "\tduodenal ulcer\tConcept\t-\n"} {
		if !strings.Contains(exported, want) {
			t.Errorf("the export has no %q:\n%s", want, exported)
		}
	}
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
	const found = `document.activeElement === document.querySelectorAll("#found .choose")`
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
		keys("s"), focused("search-input"), keys("ulcer"), keys(kb.Enter), eventually(found+`[0]`),
		keys(kb.ArrowDown), eventually(found+`[1]`), keys(kb.ArrowUp), keys(kb.ArrowUp), focused("search-input"),
		keys("coeliac"), keys(kb.Enter), chromedp.WaitVisible("#found .choose:focus"),
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
		keys("j"), keys(kb.Enter), focused("panel"), keys(kb.Enter),
		label("gastric ulcer", "gastric ulcer, decided by you"), focused("panel"),
		keys(kb.Escape), eventually(`document.getElementById("text").contains(document.activeElement)`),
		keys("?"), chromedp.WaitVisible("#help"), js(`document.getElementById("help").scrollTop === 0`), keys(kb.Escape), eventually(`!document.getElementById("help").open`),
		keys("e"), says("Exported"),
	)
}

// TestPageOneKeyADecision finds missed words by their letters, which are no commands then, and goes on after each
// decision.
func TestPageOneKeyADecision(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	marked := func(want string) chromedp.Action {
		return eventually(fmt.Sprintf(`document.getElementById("marked").textContent === "“%s”"`, want))
	}
	act(t, ctx, paste(url, "Xerosis, an ulcus, a gastric ulcer, an ulna and a duodenal ulcer."), says("2 mentions"),
		chromedp.KeyEvent("j"), chromedp.KeyEvent("m"), chromedp.KeyEvent("u"), marked("ulna"), chromedp.KeyEvent("l"),
		marked("ulna"), chromedp.KeyEvent("c"), marked("ulcer"), chromedp.KeyEvent(kb.ArrowDown), marked("ulcus"),
		chromedp.KeyEvent("x"), says("No word begins with ulcx"), marked("ulcus"), chromedp.KeyEvent(kb.Escape),
		chromedp.KeyEvent("m"), chromedp.KeyEvent("a"), chromedp.KeyEvent("n"), chromedp.KeyEvent("d"), marked("and"),
		chromedp.KeyEvent(" "), marked("and a"), chromedp.KeyEvent(" "), marked("and a duodenal ulcer"), chromedp.KeyEvent(kb.Escape),
		chromedp.KeyEvent("m"), chromedp.KeyEvent("x"), marked("Xerosis"), chromedp.KeyEvent(kb.Enter), says("Marked Xerosis"),
		chromedp.KeyEvent("?"), chromedp.Click("#go-on"), chromedp.KeyEvent(kb.Escape),
		chromedp.KeyEvent("x"), js(`open === "gastric ulcer" && rows[0][1] === "NIL"`),
		chromedp.KeyEvent("f"), js(`open === "duodenal ulcer" && rows[1][3] === "you"`),
		chromedp.KeyEvent("2"), says("Nothing is left to decide."))
}

// TestPageOneKeyAWording marks all places of a wording at once, extends a mark by words with signs in them, by their letters too, and
// decides all mentions of a wording alike: that which is decided, or held by another mention, stays as it is.
func TestPageOneKeyAWording(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	shift := chromedp.KeyModifiers(8)
	marked := func(want string) chromedp.Action {
		return eventually(fmt.Sprintf(`document.getElementById("marked").textContent === "“%s”"`, want))
	}
	decided := func(want string) chromedp.Action {
		return js(fmt.Sprintf(`rows.map(r => r[3] && r[1]).join() === %q`, want))
	}
	act(t, ctx, paste(url, "An ache-like (A-1) pain. Belly ache, belly ache; bellyache. Gastric ulcer, gastric ulcer, a gastric ulcer."), says("3 mentions"),
		chromedp.Focus("#text"), chromedp.KeyEvent("m"), chromedp.KeyEvent("a"), chromedp.KeyEvent("c"), marked("ache"),
		chromedp.KeyEvent(kb.ArrowRight, shift), marked("ache-like"), chromedp.KeyEvent(kb.ArrowRight, shift), marked("ache-like (A-1)"),
		chromedp.KeyEvent(kb.ArrowRight, shift), marked("ache-like (A-1) pain"), eventually(`document.getElementById("mark-all").hidden`),
		chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("m"), chromedp.KeyEvent("a"), chromedp.KeyEvent("c"), chromedp.KeyEvent(" "),
		marked("ache-like"), chromedp.KeyEvent("x"), says("No word behind it begins with x"), chromedp.KeyEvent("p"), marked("ache-like (A-1) pain"),
		chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("m"), chromedp.KeyEvent("b"), chromedp.KeyEvent(kb.ArrowRight, shift), marked("Belly ache"),
		eventually(`document.getElementById("mark-all").textContent.startsWith("Mark all 2 ")`),
		chromedp.KeyEvent(kb.Enter, shift), says("Marked 2 mentions of Belly ache."), js(`rows.length === 5 && open === "Belly ache"`),
		chromedp.KeyEvent("j"), chromedp.KeyEvent("j"), js(`open === "Gastric ulcer"`), chromedp.KeyEvent("x"), decided(",,NIL,,"),
		chromedp.KeyEvent("j"), eventually(`document.getElementById("alike").textContent.startsWith("All 2 of this wording")`),
		chromedp.KeyEvent("F"), says("2 mentions of gastric ulcer: gastric ulcer."), decided(",,NIL,gastric ulcer G2,gastric ulcer G2"),
		js(`open === "Belly ache"`), chromedp.KeyEvent("u"), says("Undone: 2 decisions on gastric ulcer"), decided(",,NIL,,"),
		chromedp.KeyEvent("u"), says("Undone: Gastric ulcer: NIL"), chromedp.KeyEvent("u"), says("Undone: the 2 mentions of Belly ache"),
		js(`rows.length === 3`))
}

// TestPageDecidesOneMention decides one of three mentions of a wording, and then all of them by the button that says
// how many.
func TestPageDecidesOneMention(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	decided := func(n int) chromedp.Action {
		return eventually(fmt.Sprintf(`[...document.querySelectorAll("#text .mention")].filter(e => e.getAttribute("aria-label").includes("decided by you")).length === %d`, n))
	}
	act(t, ctx, chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"),
		chromedp.SendKeys("#source", "A gastric ulcer. The gastric ulcer. One gastric ulcer."),
		chromedp.Click("#paste button.main"), says("3 mentions"),
		chromedp.Click(`//span[text()="gastric ulcer"]`), chromedp.Click("#nil"), decided(1),
		eventually(`document.getElementById("apply-all").textContent.includes("all 3")`),
		chromedp.Click("#relink"), says("Linked again"), decided(1),
		chromedp.Click("#apply-all"), decided(3), eventually(`document.getElementById("apply-all") === null`),
		chromedp.Click("#undo"), says("Undone: 2 decisions on gastric ulcer"), decided(1),
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
		chromedp.Click(`//span[text()="gastric ulcer"]`), chromedp.WaitVisible(".candidates details .tree"),
		chromedp.Evaluate(`document.documentElement.scrollWidth`, &width), shot("narrow"),
		chromedp.Click("#theme"), chromedp.Click("#theme"),
		eventually(`document.documentElement.dataset.theme === "dark"`), shot("dark-narrow"),
		chromedp.Click("#open > summary"), chromedp.SendKeys("#record-id", "3\r"),
		says("The model keeps 1 sentence of this document"), label("gastric ulcer", "gastric ulcer"),
		chromedp.Click("#open > summary"), chromedp.SetValue("#record-id", "<b>"), chromedp.Click("#record button"),
		eventually(`document.getElementById("error").textContent.includes("<b>")`),
		chromedp.EmulateViewport(1280, 900), shot("dark"),
	)
	if width > 390 {
		t.Errorf("the page is %d pixels wide, want at most 390", width)
	}
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

// TestPageComposite accepts all concepts of a composite mention, and chooses another one for a part of it.
func TestPageComposite(t *testing.T) {
	const content = `{"id": "a", "text": "A gastric and duodenal ulcer.", "mentions": [{"start": 2, "end": 28}]}`
	const wording = "gastric and duodenal ulcer"
	ctx, url, folder := openBrowser(t), pageServer(t), t.TempDir()
	act(t, ctx, paste(url, content), says("The text is jsonl."), label(wording, "gastric ulcer | duodenal ulcer"),
		chromedp.KeyEvent("j"), chromedp.KeyEvent("f"), says("This page alone keeps several concepts"),
		js(`rows[0][1] === "gastric ulcer | duodenal ulcer G2 | G4" && rows[0][3] === "you"`),
		browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(folder),
		chromedp.SetValue("#format", "pubtator"), chromedp.Click("#export"), says("as linked.pubtator"),
		chromedp.Focus("#text"), chromedp.KeyEvent("j"),
		// The second candidate of the second part, which is not that of the decision.
		chromedp.Evaluate(`[...document.querySelectorAll("#panel-body > .candidates")][1].children[1].querySelector(".choose").click()`, nil),
		js(`rows[0][1].startsWith("gastric ulcer | ") && !rows[0][1].includes("duodenal")`),
		chromedp.KeyEvent("u"), js(`rows[0][1] === "gastric ulcer | duodenal ulcer G2 | G4"`),
		chromedp.Click("#export"), says("as linked.pubtator"), // else the browser asks whether to leave the page
		chromedp.Reload(), says("Opened again."), js(`rows[0][1] === "gastric ulcer | duodenal ulcer G2 | G4" && rows[0][3] === "you"`),
		chromedp.Click("#export"), says("as linked.pubtator"))
	if exported := exportedFile(folder, "linked.pubtator"); !strings.Contains(exported, "\t"+wording+"\tConcept\tG2|G4\n") {
		t.Errorf("the export does not have both concepts:\n%s", exported)
	}
	if memory := decodeURL[memoryPage](t, url+"/v1/memory"); len(memory.Entries) != 0 {
		t.Errorf("the memory has %+v, want nothing: it has one concept of a mention", memory.Entries)
	}
	cfg := curationConfig(t, t.TempDir(), "A gastric and duodenal ulcer.")
	url = servePage(t, newServer(t, cfg).Handler())
	open := chromedp.Tasks{chromedp.Navigate(url), chromedp.WaitVisible("#document-list button"), chromedp.KeyEvent("o"), says("left to decide")}
	both := js(`rows.some((r) => r[1] === "gastric ulcer | duodenal ulcer G2 | G4" && r[3].startsWith("you"))`)
	theirs := js(`rows.some((r) => r[1] === "gastric ulcer | duodenal ulcer G2 | G4" && r[3] !== "")`)
	act(t, ctx, open, chromedp.KeyEvent("m"), chromedp.KeyEvent("g"),
		chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(8)), chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(8)),
		chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(8)), chromedp.KeyEvent(kb.Enter), says("Marked "+wording),
		chromedp.KeyEvent("a"), says("The server keeps it"), both, chromedp.Reload(), says("0 left to decide"), theirs)
	if w := get(newServer(t, cfg).Handler(), "/v1/curation/export?format=pubtator"); !strings.Contains(w.Body.String(), "\tG2|G4\n") {
		t.Errorf("the server's export does not have both concepts:\n%s", w.Body)
	}
}

// TestPageRemovesAll removes all mentions of a wording by one key, and takes that back by another one.
func TestPageRemovesAll(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	act(t, ctx, paste(url, "A gastric ulcer, a duodenal ulcer. The gastric ulcer. One gastric ulcer."), says("4 mentions"),
		chromedp.KeyEvent("j"), chromedp.KeyEvent("a"), label("gastric ulcer", "decided by you"),
		eventually(`document.getElementById("remove-all") === null`), chromedp.KeyEvent("j"), chromedp.KeyEvent("j"),
		eventually(`document.getElementById("alike").textContent.startsWith("All 2 of this wording")`), chromedp.KeyEvent("R"),
		says("Removed 2 mentions of gastric ulcer"), js(`rows.length === 2 && open === "gastric ulcer" && rows[0][3] === "you"`),
		chromedp.KeyEvent("u"), says("Undone: the removal of gastric ulcer"), js(`rows.length === 4`))
}

// TestPageRecognized tells mentions that are no names apart, in the text, for a screen reader, in the table and in the
// panel. A score of 0, which the server leaves out, is not shown.
func TestPageRecognized(t *testing.T) {
	ctx, handler := openBrowser(t), newServer(t, pageConfig(t)).Handler()
	url := servePage(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(bytes.ReplaceAll(answer.Body.Bytes(), []byte(`"text":"duodenal ulcer",`),
			[]byte(`"text":"duodenal ulcer","source":"recognized",`)))
	}))
	act(t, ctx, paste(url, tableText), says("4 mentions"), label("duodenal ulcer", "duodenal ulcer, recognized: duodenal ulcer"),
		js(`rows[1][4] === "recognized" && rows[0][4] === "name"`), chromedp.Click(`//span[text()="duodenal ulcer"]`),
		eventually(`document.querySelector("#panel-body .quiet").textContent === "recognized, no name of the dictionary"`))
}

// TestPageManyFiles opens files without identifiers, whose documents are told apart in what is exported. The format is
// the one of the last time.
func TestPageManyFiles(t *testing.T) {
	ctx, url, folder := openBrowser(t), pageServer(t), t.TempDir()
	var files []string
	for _, name := range []string{"a.txt", "b.txt"} {
		files = append(files, filepath.Join(folder, name))
		if err := os.WriteFile(files[len(files)-1], []byte("A gastric ulcer.\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	act(t, ctx, chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"), chromedp.SetUploadFiles("#file", files),
		says("1 mention in the first of 2 documents. 2 files are text."),
		eventually(`document.getElementById("document-name").textContent === "1 of 2: a.txt:1"`),
		eventually(`document.title === "a.txt · ctxnorm"`),
		browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(folder),
		chromedp.SetValue("#format", "tsv"), chromedp.Click("#export"), says("as linked.tsv"),
		chromedp.Reload(), says("Opened again."), eventually(`document.getElementById("format").value === "tsv"`))
	tsv := exportedFile(folder, "linked.tsv")
	for _, want := range []string{"\na.txt:1\t2\t15\tgastric ulcer", "\nb.txt:1\t2\t15\tgastric ulcer"} {
		if !strings.Contains(tsv, want) {
			t.Errorf("the export has no %q:\n%s", want, tsv)
		}
	}
}

// TestPageServerGone decides while the server cannot be reached, and again when it can.
func TestPageServerGone(t *testing.T) {
	ctx, handler := openBrowser(t), newServer(t, pageConfig(t)).Handler()
	var gone atomic.Bool
	url := servePage(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gone.Load() {
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(w, r)
	}))
	set := func(is bool) chromedp.Action {
		return chromedp.ActionFunc(func(context.Context) error {
			gone.Store(is)
			return nil
		})
	}
	act(t, ctx, paste(url, tableText), says("4 mentions"), chromedp.KeyEvent("j"), chromedp.KeyEvent("j"),
		chromedp.KeyEvent("x"), label("duodenal ulcer", "NIL, decided by you"), chromedp.KeyEvent("j"), set(true),
		chromedp.KeyEvent("x"),
		eventually(`document.getElementById("error").textContent.includes("What was decided before is kept")`),
		js(`rows[1][3] === "you" && rows[2][3] === "" && open === "coeliac disease"`),
		set(false), chromedp.KeyEvent("x"), label("coeliac disease", "NIL, decided by you"),
		eventually(`document.getElementById("error").textContent === ""`))
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
	act(t, ctx, paste(url, "A gastric ulcer.\nA duodenal ulcer."), says("2 mentions."), eventually(`document.getElementById("as-text").hidden`),
		paste(url, "Nothing."), says("No mention was found: select words of the text to mark one."), paste(url, `{"id": "a", "text": 5}`),
		eventually(`/^No document was found\. .*line 1: .*text/.test(document.getElementById("error").textContent)`))
}

// TestPageKeepsMembers links mentions of a file again, which keep what the file says of them.
func TestPageKeepsMembers(t *testing.T) {
	ctx, url, folder := openBrowser(t), pageServer(t), t.TempDir()
	content := `{"id": "a", "text": "A gastric ulcer, a duodenal ulcer.", "mentions": [` +
		`{"start": 2, "end": 15, "type": "Disease", "ids": ["G2"]}, {"start": 19, "end": 33, "ids": ["G4"]}]}`
	act(t, ctx, paste(url, content), says("The text is jsonl."), chromedp.KeyEvent("j"), chromedp.KeyEvent("x"),
		label("gastric ulcer", "NIL, decided by you"), chromedp.KeyEvent("l"), says("Linked again"),
		chromedp.KeyEvent("u"), says("Undone"), label("gastric ulcer", "gastric ulcer, certain"),
		browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(folder),
		chromedp.KeyEvent("e"), says("as linked.jsonl"))
	jsonl := exportedFile(folder, "linked.jsonl")
	for _, want := range []string{`"ids":["G2"]`, `"type":"Disease"`, `"ids":["G4"]`} {
		if !strings.Contains(jsonl, want) {
			t.Errorf("the export has no %s:\n%s", want, jsonl)
		}
	}
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
		chromedp.KeyEvent("j"), chromedp.KeyEvent("a"), chromedp.KeyEvent("j"), chromedp.KeyEvent("x"),
		chromedp.KeyEvent("j"), chromedp.KeyEvent("a"),
		label("gastric ulcer", "decided by you"), label("duodenal ulcer", "NIL, decided by you"),
		label("hostile ulcer", "decided by you"))
}

// TestPageToken says that a token is wrong, and takes the next.
func TestPageToken(t *testing.T) {
	ctx, cfg := openBrowser(t), pageConfig(t)
	cfg.Access.Token = "the-token-of-the-test"
	act(t, ctx, paste(servePage(t, newServer(t, cfg).Handler()), "A gastric ulcer."), chromedp.WaitVisible("#login"),
		chromedp.SendKeys("#token", "another-token\r"),
		eventually(`document.getElementById("token-error").textContent.includes("refused")`),
		chromedp.WaitVisible("#login"), chromedp.SendKeys("#token", cfg.Access.Token+"\r"), says("1 mention"))
}

// TestPageReload opens the documents again with what was decided, also where the server keeps no corrections.
func TestPageReload(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	act(t, ctx, paste(url, sampleText), says("mentions"),
		chromedp.Click(`//span[text()="duodenal ulcer"]`), chromedp.Click("#nil"),
		label("duodenal ulcer", "NIL, decided by you"),
		chromedp.Focus("#text"), chromedp.KeyEvent("m"), chromedp.KeyEvent(kb.Enter), says("Marked "),
		chromedp.Reload(), says("Opened again."), label("duodenal ulcer", "NIL, decided by you"),
		eventually(fmt.Sprintf(`document.getElementById("text").textContent === %q`, sampleText)))
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

// TestPageTable sorts and filters the table of mentions, and opens mentions from it.
func TestPageTable(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	facet := func(title string) chromedp.Action {
		return chromedp.Click(fmt.Sprintf(`//div[@id="facets"]/button[starts-with(., %q)]`, title))
	}
	header := func(title string) chromedp.Action {
		return chromedp.Click(fmt.Sprintf(`//tr[@id="columns"]//button[text()=%q]`, title))
	}
	wordings := func(want string) chromedp.Action {
		return js(fmt.Sprintf(`[...document.querySelectorAll("#mentions button")].map(b => b.textContent).join(", ") === %q`, want))
	}
	act(t, ctx, paste(url, tableText), says("4 mentions"),
		wordings("gastric ulcer, duodenal ulcer, coeliac disease, gastric ulcer"),
		js(`rows[0][0].includes("negated") && !rows[3][0].includes("negated") && rows[1][1] === "duodenal ulcer G4" && rows[1][4] === "name"`),
		label("gastric ulcer", "gastric ulcer, negated: gastric ulcer"),
		header("Concept"), wordings("coeliac disease, duodenal ulcer, gastric ulcer, gastric ulcer"),
		header("Concept"), wordings("gastric ulcer, gastric ulcer, duodenal ulcer, coeliac disease"),
		eventually(`document.querySelector("#columns th:nth-child(2)").getAttribute("aria-sort") === "descending"`),
		header("Concept"), wordings("gastric ulcer, duodenal ulcer, coeliac disease, gastric ulcer"),
		facet("Negated"), wordings("gastric ulcer"),
		js(`document.getElementById("none").hidden && document.activeElement.textContent.startsWith("Negated")`),
		facet("All"), chromedp.SendKeys("#filter", "duod"), wordings("duodenal ulcer"),
		chromedp.Click(`//tbody//button[text()="duodenal ulcer"]`), js(`open === "duodenal ulcer"`), shot("table"),
		chromedp.KeyEvent("x"),
		js(`rows[0][1] === "NIL" && rows[0][2] === "decided" && rows[0][3] === "you" && document.activeElement.textContent === "duodenal ulcer"`),
		chromedp.SendKeys("#filter", strings.Repeat(kb.Backspace, len("duod"))), js(`rows.length === 4`),
		facet("Undecided"), js(`rows.length === 3`), facet("Decided"), wordings("duodenal ulcer"), facet("All"),
		chromedp.Focus("#text"), chromedp.KeyEvent("t"), js(`document.activeElement.textContent === "duodenal ulcer"`),
		chromedp.KeyEvent(kb.ArrowDown),
		js(`open === "coeliac disease" && current === open && document.activeElement.textContent === open`),
		// Those that are listed are accepted at once, never all.
		eventually(`document.getElementById("accept-listed").hidden`),
		chromedp.SendKeys("#filter", "gastric"), eventually(`document.getElementById("accept-listed").textContent === "Accept the 2 listed"`),
		chromedp.Click("#accept-listed"), says("Accepted 2 mentions."), eventually(`document.getElementById("accept-listed").hidden`),
		js(`rows.length === 2 && rows.every(r => r[1] === "gastric ulcer G2" && r[3] === "you")`),
		chromedp.SendKeys("#filter", strings.Repeat(kb.Backspace, len("gastric"))), facet("Certain 1"), wordings("coeliac disease"),
		chromedp.Click("#undo"), says("Undone: 2 decisions"), facet("Certain 3"), wordings("gastric ulcer, coeliac disease, gastric ulcer"),
		chromedp.Click("#undo"), says("Undone: duodenal ulcer: NIL"), eventually(`document.getElementById("undo").disabled`),
	)
}

// TestPageAcceptAndGoOn decides all documents of two files with one key a mention, and removes what is no mention.
func TestPageAcceptAndGoOn(t *testing.T) {
	ctx, url, folder := openBrowser(t), pageServer(t), t.TempDir()
	var files []string
	for name, content := range map[string]string{"a.txt": "A gastric ulcer and a duodenal ulcer.\nA coeliac disease.\n", "b.pubtator": pubtatorFile} {
		files = append(files, filepath.Join(folder, name))
		if err := os.WriteFile(files[len(files)-1], []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(files)
	left := func(n int) chromedp.Action {
		return eventually(fmt.Sprintf(`document.getElementById("left").textContent === "%d of 4 mentions left to decide"`, n))
	}
	var list string
	act(t, ctx, chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"), chromedp.SetUploadFiles("#file", files),
		says("2 mentions in the first of 3 documents. a.txt is text. b.pubtator is pubtator."), left(4),
		chromedp.Evaluate(`document.getElementById("document-list").textContent`, &list),
		chromedp.KeyEvent("o"), js(`open === "gastric ulcer"`), chromedp.KeyEvent("f"), chromedp.KeyEvent("f"), left(2),
		js(`open === "coeliac disease"`),
		chromedp.KeyEvent("f"), left(1),
		eventually(`document.getElementById("document-name").textContent === "3 of 3: b.pubtator, 7"`),
		chromedp.KeyEvent("f"), left(0), chromedp.KeyEvent("f"), says("Nothing is left to decide."),
		chromedp.KeyEvent("r"), says("Removed gastric ulcer"), js(`rows.length === 0`),
		chromedp.KeyEvent("u"), says("Undone: the removal of gastric ulcer"), js(`rows.length === 1 && rows[0][3] === "you"`),
	)
	if want := "a.txt:1 2 of 2 lefta.txt:2 1 of 1 left7 b.pubtator, 1 of 1 left"; list != want {
		t.Errorf("the list of documents is %q, want %q", list, want)
	}
	for _, e := range decodeURL[memoryPage](t, url+"/v1/memory").Entries {
		want := "" // a line of a text has only a number
		if strings.HasPrefix(e.Text, "Ä") {
			want = "7"
		}
		if e.Document != want {
			t.Errorf("the correction of %q has the document %q, want %q", e.Text, e.Document, want)
		}
	}
}

// TestPageCorrections lists what the server keeps, and undoes it.
func TestPageCorrections(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	act(t, ctx, paste(url, tableText), says("4 mentions"), chromedp.SetValue("#by", "ann"),
		chromedp.KeyEvent("j"), chromedp.KeyEvent("j"), chromedp.KeyEvent("x"),
		label("duodenal ulcer", "NIL, decided by you"),
		chromedp.KeyEvent("j"), chromedp.KeyEvent("a"), label("coeliac disease", "decided by you"),
		paste(url, tableText), says("4 mentions"), label("duodenal ulcer", "NIL, decided by ann"),
		js(`rows[1][3].startsWith("by ann, 20")`),
		chromedp.KeyEvent("c"), eventually(`document.getElementById("corrections-list").children.length === 2`),
		eventually(`document.getElementById("corrections-list").textContent.startsWith("“coeliac disease” is coeliac disease (G1)by ann")`),
		chromedp.Click(`//button[@aria-label="Undo correction 1"]`),
		eventually(`document.getElementById("corrections-count").textContent === "1 correction, the latest first"`),
		chromedp.KeyEvent(kb.Escape), label("duodenal ulcer", "duodenal ulcer, "), label("coeliac disease", "decided by ann"),
	)
}

// TestPageUndoneByOthers undoes a decision that somebody else has undone.
func TestPageUndoneByOthers(t *testing.T) {
	ctx, handler := openBrowser(t), newServer(t, pageConfig(t)).Handler()
	undone := chromedp.ActionFunc(func(context.Context) error {
		if w := call(handler, request(http.MethodDelete, "/v1/memory/1", "")); w.Code != http.StatusOK {
			return fmt.Errorf("status %d: %s", w.Code, w.Body)
		}
		return nil
	})
	act(t, ctx, paste(servePage(t, handler), tableText), says("4 mentions"),
		chromedp.KeyEvent("j"), chromedp.KeyEvent("j"), chromedp.KeyEvent("x"), label("duodenal ulcer", "NIL, decided by you"),
		undone, chromedp.Click("#undo"), says("Undone: duodenal ulcer: NIL"),
		eventually(`document.getElementById("undo").disabled`),
	)
}

// TestPageHierarchy looks at the concept above a candidate, and chooses it.
func TestPageHierarchy(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	act(t, ctx, paste(url, tableText), says("4 mentions"), chromedp.KeyEvent("j"),
		js(`document.querySelector(".tree > li > button").textContent === "G0"`),
		js(`document.querySelector(".tree .tree strong").textContent === "gastric ulcer"`),
		chromedp.Click(".tree > li > button"), chromedp.Click("#found .choose"), label("gastric ulcer", "G0, decided by you"))
}

// TestPageDictionary browses the dictionary by keys: from the top, by the tree and a search, to a concept that is
// chosen for the open mention; and from the panel.
func TestPageDictionary(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	at := func(id string) chromedp.Action {
		return eventually(fmt.Sprintf(`document.querySelector("#dictionary-concept > .quiet")?.textContent.startsWith(%q)`, id))
	}
	focused := func(name string) chromedp.Action {
		return eventually(fmt.Sprintf(`document.activeElement.textContent === %q`, name))
	}
	act(t, ctx, paste(url, tableText), says("4 mentions"), chromedp.KeyEvent("s"), // no mention is open
		eventually(`document.getElementById("dictionary").open && document.activeElement.id === "dictionary-query"`),
		chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("b"),
		eventually(`document.getElementById("dictionary-status").textContent === "3 concepts at the top"`), shot("dictionary-top"),
		chromedp.Click(`//ul[@id="dictionary-tree"]//button[text()="G0"]`), at("G0"), focused("G0"),
		chromedp.KeyEvent(kb.ArrowRight), chromedp.WaitVisible("#dictionary-tree .tree .link"), chromedp.KeyEvent(kb.ArrowDown), focused("duodenal ulcer"),
		chromedp.KeyEvent(kb.ArrowDown), focused("gastric ulcer"), chromedp.KeyEvent("\r"), at("G2"),
		eventually(`document.querySelector("#dictionary-concept .main") === null`), shot("dictionary"), // no mention is open
		chromedp.KeyEvent(kb.ArrowLeft), focused("G0"), chromedp.KeyEvent(kb.ArrowLeft),
		eventually(`!document.querySelector("#dictionary-tree .tree").checkVisibility()`),
		chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("j"), chromedp.KeyEvent("b"),
		chromedp.SetValue("#dictionary-query", "coeliac"), chromedp.Click("#dictionary-search button"), focused("coeliac disease"), chromedp.KeyEvent("\r"), at("G1"),
		chromedp.Click("#dictionary-concept .main"), label("gastric ulcer", "coeliac disease, decided by you"),
		chromedp.Click(`//button[text()="Show it in the dictionary"]`), at("G2"), chromedp.KeyEvent(kb.Escape),
		chromedp.EmulateViewport(375, 667), chromedp.Click("#theme"), chromedp.Click("#theme"), chromedp.KeyEvent("b"), chromedp.WaitVisible("#dictionary-tree .link"),
		chromedp.Click("#dictionary-tree .link"), chromedp.WaitVisible("#dictionary-concept h3"), shot("dictionary-phone-dark"))
}

// TestPageTryIt sends the body that the page of the API proposes, and a request that the server refuses.
func TestPageTryIt(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	says := func(operation, want string) chromedp.Action {
		return eventually(fmt.Sprintf(`document.querySelector("#%s pre").textContent.includes(%q)`, operation, want))
	}
	open := func(operation string) chromedp.Action { return chromedp.Click("#" + operation + " summary") }
	act(t, ctx, chromedp.Navigate(url+"/docs"), open("annotate"), chromedp.WaitVisible("#annotate textarea"),
		chromedp.SetValue("#annotate textarea", `{"documents": [{"text": "A gastric ulcer."}]}`), chromedp.Click("#annotate button"),
		says("annotate", `"id": "G2"`), shot("try"),
		open("search-concepts"), chromedp.WaitVisible("#search-concepts input"), chromedp.Click("#search-concepts button"),
		says("search-concepts", "422 "), eventually(`document.querySelector("#read-documents details") === null`),
		eventually(`document.querySelector("#decide details") !== null`))
}

// TestPageLinks shows the identifiers of concepts, sentences and documents as links, by the templates of the server,
// and as they are where the template wants a prefix that they lack.
func TestPageLinks(t *testing.T) {
	cfg := pageConfig(t)
	cfg.Links = formats.LinkTemplates{Concept: "https://example.org/c?id={id}", Document: "https://example.org/{prefix}/{local}"}
	ctx, url := openBrowser(t), servePage(t, newServer(t, cfg).Handler())
	links := func(selector, want string) chromedp.Action {
		return eventually(fmt.Sprintf(`[...document.querySelectorAll(%q)].map((a) => a.textContent + " " + a.getAttribute("href")).includes(%q)`,
			selector, want))
	}
	two := filepath.Join(t.TempDir(), "two.jsonl")
	if err := os.WriteFile(two, []byte(`{"id":"news:a/b","text":"A gastric ulcer."}`+"\n"+`{"id":"8","text":"None."}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	act(t, ctx, chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"), chromedp.SetUploadFiles("#file", []string{two}),
		says("2 documents"), links("#document-name a", "news:a/b https://example.org/news/a%2Fb"),
		chromedp.KeyEvent("j"), chromedp.WaitVisible(".candidates details .tree"), links(".candidates a", "G2 https://example.org/c?id=G2"),
		eventually(`document.getElementById("certain").textContent === "80 %"`), shot("links"),
		chromedp.KeyEvent("]"), eventually(`document.querySelector("#document-name").textContent.includes("2 of 2: two.jsonl, 8")`),
		eventually(`document.querySelector("#document-name a") === null`))
}

// TestPageExample opens a record of the corpus, and closes it.
func TestPageExample(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	act(t, ctx, chromedp.Navigate(url), chromedp.WaitReady("body[data-ready]"), shot("first"),
		chromedp.Click("#example"), says("The model keeps"), eventually(`!document.getElementById("open").open`),
		chromedp.Click("#close"),
		eventually(`document.getElementById("open").open && document.getElementById("work").hidden && sessionStorage.length === 0`))
	cfg := Config{Version: "test", Dictionary: dictionary.NewDictionary([]dictionary.Concept{{ID: "G1", Name: "coeliac disease"}})}
	act(t, ctx, chromedp.Navigate(servePage(t, newServer(t, cfg).Handler())), chromedp.WaitReady("body[data-ready]"),
		eventually(`!document.getElementById("record").checkVisibility()`), // there is no corpus
		chromedp.Click("#example"), says("1 mention."), label("coeliac disease", "coeliac disease, "))
}

// TestPagePhone shows the text above the candidates of a mention.
func TestPagePhone(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	act(t, ctx, chromedp.EmulateViewport(375, 667), paste(url, strings.Repeat("A text before. ", 80)+tableText), says("4 mentions"),
		chromedp.KeyEvent("j"), js(`open === "gastric ulcer"`), chromedp.Sleep(100*time.Millisecond), shot("phone"),
		eventually(`(() => {
			const mention = document.querySelector("#text [aria-current]").getBoundingClientRect();
			return mention.top >= 0 && mention.bottom <= document.getElementById("panel").getBoundingClientRect().top;
		})()`),
		chromedp.Click("#panel-close"), eventually(`getComputedStyle(document.getElementById("panel")).display === "none"`),
		chromedp.KeyEvent("m"), eventually(`(() => {
			const { top, bottom } = document.getElementById("mark").getBoundingClientRect();
			return top > 0 && bottom <= innerHeight; // though the text ends far below
		})()`),
	)
}

// TestPageAxe looks at the states of the page with axe-core, which finds nothing.
func TestPageAxe(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
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
	cfg.Curation = curationConfig(t, t.TempDir(), tableText, "A gastric ulcer.").Curation
	url = servePage(t, newServer(t, cfg).Handler())
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
	url := servePage(t, newServer(t, Config{Version: "1", Model: folder, Memory: memory}).Handler())
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

// TestPageNewConcept adds a concept for a mention that was missed, and undoes that.
func TestPageNewConcept(t *testing.T) {
	ctx, url := openBrowser(t), pageServer(t)
	add := func(id, parent string) chromedp.Tasks {
		return chromedp.Tasks{
			// A click may miss its target while the panel still grows by what the server answers.
			chromedp.WaitVisible(".candidates details .tree"),
			chromedp.Click("#new-concept > summary"), eventually(`document.getElementById("new-concept").open`),
			chromedp.WaitVisible("#new-concept button"),
			chromedp.SendKeys("#new-concept label:nth-child(1) input", id),
			chromedp.SendKeys("#new-concept label:nth-child(3) input", parent), chromedp.Click("#new-concept button"),
		}
	}
	act(t, ctx, paste(url, tableText), says("4 mentions"), chromedp.KeyEvent("j"),
		add("G9", "G7"), eventually(`document.getElementById("error").textContent.includes("G7")`),
		js(`[...document.querySelectorAll("#broader-concepts option")].map(o => o.value).includes("G2")`),
		chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("j"), chromedp.KeyEvent("k"), add("G9", "G0"), says("a new concept"),
		js(`rows[0][1] === "gastric ulcer G9"`), chromedp.KeyEvent("u"), says("Undone: the concept gastric ulcer"),
		js(`rows[0][1] === "gastric ulcer G2"`))
	if entries := decodeURL[memoryPage](t, url+"/v1/memory").Entries; len(entries) != 0 {
		t.Errorf("the memory has %+v, want nothing", entries)
	}
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
	store := curationConfig(t, t.TempDir(), tableText, "Nothing here.", "A gastric ulcer.").Curation
	cfg.Curation = store
	url := servePage(t, newServer(t, cfg).Handler())
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
			said := curation.Decisions{Mentions: []curation.Decision{{Span: text.Span{Start: start, End: start + len(wording)}}}}
			for _, m := range d.Mentions {
				decision := curation.Decision{Span: m.Span}
				if len(m.IDs) > 0 {
					decision.Concepts = []*dictionary.Concept{{ID: m.IDs[0]}}
				}
				said.Mentions = append(said.Mentions, decision)
			}
			_, err := store.Put(1, d.Version, text.Correction{By: "cat", At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, said)
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

// TestPageKeys counts the keys with which a curator who knows the gold decides all mentions of 20 abstracts of NCBI
// Disease. They are found by the names of MEDIC and linked by strings; the curator also marks those that were missed.
func TestPageKeys(t *testing.T) {
	ctx := openBrowser(t)
	dict := realdata.UnionOfMEDIC(t)
	docs := first20(t)
	for _, goOn := range []bool{false, true} {
		cfg := Config{Version: "test", Dictionary: dict}
		var sources []curation.Source
		for _, doc := range docs {
			raw := &text.Document{ID: doc.ID, Text: doc.Text}
			sources = append(sources, curation.Source{Document: raw, File: "ncbi_dev.pubtator"})
		}
		store, err := curation.Open(t.Context(), t.TempDir(), sources)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(store.Close)
		cfg.Curation = store
		c := &keyboardCurator{dict: dict, goOn: goOn, gold: make(map[string]*text.Document)}
		for _, doc := range docs {
			c.gold[doc.ID] = doc
		}
		act(t, ctx, chromedp.Navigate(servePage(t, newServer(t, cfg).Handler())), chromedp.WaitVisible("#document-list button"),
			chromedp.Evaluate(fmt.Sprintf(`document.getElementById("go-on").checked = %t`, goOn), nil), chromedp.ActionFunc(c.work))
		decisions := 0
		for _, e := range store.Entries() {
			if !e.IsDone() {
				t.Errorf("document %s is not done: %+v", e.Source.ID, e)
			}
			decisions += e.Decided
		}
		t.Logf("going on %t: %d keys for %d decisions, %d in %d marked mentions", goOn, c.keys, decisions, c.markKeys, c.marked)
		if want := 1.2; float64(c.keys-c.markKeys)/float64(decisions) > want {
			t.Errorf("%d keys for %d decisions without those that mark, want at most %.1f each", c.keys-c.markKeys, decisions, want)
		}
	}
}

// first20 returns the first 20 abstracts of NCBI Disease (dev) with their annotations.
func first20(t *testing.T) (docs []*text.Document) {
	t.Helper()
	reader, err := formats.Open(realdata.File(t, "gold/ncbi_dev.pubtator.gz"), formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for len(docs) < 20 {
		doc, err := reader.Next()
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, doc)
	}
	return docs
}

// keyboardCurator decides documents as their gold says, by keys alone, and counts these.
type keyboardCurator struct {
	dict                   *dictionary.Dictionary
	gold                   map[string]*text.Document // by identifier
	goOn                   bool                      // the page goes on after each decision
	keys, markKeys, marked int
}

// pageState is what a curator sees.
type pageState struct {
	Document    string
	Left        int
	Undecided   bool // the open mention
	Start, End  int
	Alike       []struct{ Start, End int } // the undecided mentions of its wording, itself too
	Candidates  []string
	SelectStart int
	SelectEnd   int
	Done        bool
}

// see returns what the page shows when it has done all that was asked.
func (c *keyboardCurator) see(ctx context.Context) (s pageState, err error) {
	idle := eventually(`!document.body.hasAttribute("aria-busy")`)
	if err := idle.Do(ctx); err != nil {
		return s, err
	}
	await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	err = chromedp.Evaluate(`import("/page/workspace.js").then(({ workspace: w }) => {
		const m = w.opened(), s = w.text.selected(), done = document.getElementById("status").textContent === "Nothing is left to decide.";
		return { Document: w.doc?.id ?? "", Left: w.doc?.left() ?? 0, Undecided: Boolean(m) && !w.doc.isDecided(m), Start: m?.start ?? 0,
			End: m?.end ?? 0, Alike: m ? w.doc.undecidedOf(m) : [], Candidates: (m?.candidates ?? []).map(c => c.id), SelectStart: s?.start ?? -1, SelectEnd: s?.end ?? -1, Done: done };
	})`, &s, await).Do(ctx)
	return s, err
}

func (c *keyboardCurator) press(ctx context.Context, keys string, options ...chromedp.KeyOption) error {
	c.keys += len([]rune(keys))
	return chromedp.KeyEvent(keys, options...).Do(ctx)
}

// work decides all documents. At each step of its loop a key is pressed.
func (c *keyboardCurator) work(ctx context.Context) error {
	seen := make(map[string]bool) // documents whose missed mentions are marked
	for range 2000 {
		s, err := c.see(ctx)
		switch {
		case err != nil:
			return err
		case s.Done:
			return nil
		case s.Document != "" && !seen[s.Document]:
			seen[s.Document] = true
			err = c.mark(ctx, s.Document)
		case !s.Undecided:
			err = c.press(ctx, "o")
		default:
			err = c.decide(ctx, &s)
		}
		if err != nil {
			return err
		}
	}
	return errors.New("the curator comes to no end")
}

// concept returns the concept of the gold at a place in code points, "" for NIL; ok is false where there is no mention.
func (c *keyboardCurator) concept(document string, start, end int) (id string, ok bool) {
	doc := c.gold[document]
	offsets := text.NewOffsets(doc.Text)
	for _, m := range doc.Mentions {
		if offsets.CodePoint(m.Start) != start || offsets.CodePoint(m.End) != end {
			continue
		}
		for _, concept := range m.Concepts {
			if found := c.dict.Lookup(concept); found != nil {
				return string(found.ID), true
			}
		}
		return "", true
	}
	return "", false
}

// decide decides on the open mention.
func (c *keyboardCurator) decide(ctx context.Context, s *pageState) error {
	want, ok := c.concept(s.Document, s.Start, s.End)
	at := slices.Index(s.Candidates, want)
	all := len(s.Alike) > 1 // whether all mentions of the wording are decided alike
	for _, place := range s.Alike {
		other, isMention := c.concept(s.Document, place.Start, place.End)
		all = all && other == want && isMention == ok
	}
	switch {
	case !ok && all:
		return c.press(ctx, "R")
	case !ok:
		return c.press(ctx, "r")
	case want == "" && len(s.Candidates) == 0, at == 0:
		if all {
			return c.press(ctx, "F")
		}
		return c.press(ctx, "f")
	case want == "":
		return c.press(ctx, "x")
	case at > 0 && at < 9:
		return c.press(ctx, fmt.Sprint(at+1))
	}
	if err := c.press(ctx, "s"); err != nil {
		return err
	}
	// The key s may get into the field: the events of chromedp are no single key as those of a keyboard.
	if err := chromedp.Evaluate(`document.getElementById("search-input").select()`, nil).Do(ctx); err != nil {
		return err
	}
	if err := c.press(ctx, want+kb.Enter); err != nil {
		return err
	}
	if err := eventually(`document.activeElement.matches("#found .choose")`).Do(ctx); err != nil {
		return err
	}
	return c.press(ctx, kb.Enter)
}

// mark marks the mentions of the gold that the page does not have.
func (c *keyboardCurator) mark(ctx context.Context, document string) error {
	before := c.keys
	defer func() { c.markKeys += c.keys - before }()
	doc := c.gold[document]
	offsets := text.NewOffsets(doc.Text)
	for _, m := range doc.Mentions {
		start, end := offsets.CodePoint(m.Start), offsets.CodePoint(m.End)
		var has bool
		await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
		find := fmt.Sprintf(`import("/page/workspace.js").then(({ workspace: w }) => Boolean(w.doc.find({ start: %d, end: %d })))`, start, end)
		if err := chromedp.Evaluate(find, &has, await).Do(ctx); err != nil {
			return err
		}
		if has {
			continue
		}
		c.marked++
		if err := c.markOne(ctx, m.Span.Of(doc.Text), start, end, c.isAlways(document, m.Span.Of(doc.Text))); err != nil {
			return fmt.Errorf("%s, %q: %w", document, m.Span.Of(doc.Text), err)
		}
	}
	return nil
}

// isAlways reports whether a wording is a mention wherever it stands in a document, and more than once.
func (c *keyboardCurator) isAlways(document, wording string) bool {
	doc := c.gold[document]
	whole := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(wording) + `\b`)
	mentions := 0
	for _, m := range doc.Mentions {
		if strings.EqualFold(m.Span.Of(doc.Text), wording) {
			mentions++
		}
	}
	return mentions > 1 && mentions == len(whole.FindAllString(doc.Text, -1))
}

// markOne marks a mention, or all of its wording: its first letters, the next word that begins with them, the word after
// it, and the first letters of the last word.
func (c *keyboardCurator) markOne(ctx context.Context, wording string, start, end int, all bool) error {
	if err := c.press(ctx, "m"); err != nil {
		return err
	}
	letters := regexp.MustCompile(`^[\pL\pN]{1,4}`).FindString(wording)
	rest := " " + regexp.MustCompile(`([\pL\pN]{1,4})[\pL\pN]*[^\pL\pN]*$`).FindStringSubmatch(wording)[1]
	for range 200 {
		s, err := c.see(ctx)
		switch {
		case err != nil:
			return err
		case s.SelectStart == start && s.SelectEnd == end && all:
			return c.press(ctx, kb.Enter, chromedp.KeyModifiers(8))
		case s.SelectStart == start && s.SelectEnd == end:
			return c.press(ctx, kb.Enter)
		case s.SelectStart == start && s.SelectEnd < end && rest != "":
			err = c.press(ctx, rest[:1])
			rest = rest[1:]
		case s.SelectStart == start && s.SelectEnd < end:
			err = c.press(ctx, kb.ArrowRight, chromedp.KeyModifiers(8)) // Shift
		case s.SelectStart == start:
			err = c.press(ctx, kb.ArrowLeft, chromedp.KeyModifiers(8|1)) // Shift and Alt
		case letters != "":
			err = c.press(ctx, letters[:1])
			letters = letters[1:]
		default:
			err = c.press(ctx, kb.ArrowDown)
		}
		if err != nil {
			return err
		}
	}
	return errors.New("the place is not found")
}
