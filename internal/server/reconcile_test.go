package server

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// reconcileForm answers a POST request of a form with one parameter.
func reconcileForm(s *Server, parameter, value string) *httptest.ResponseRecorder {
	r := request(http.MethodPost, reconcilePath, url.Values{parameter: {value}}.Encode())
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")
	return call(s, r)
}

func feverDictionary() *kb.Dictionary {
	return kb.NewDictionary([]kb.Concept{
		{ID: "EX:1", Name: "fever", Synonyms: []string{"pyrexia", "temp"}, Types: []string{"T184"}, Parents: []kb.ConceptID{"EX:0"}},
		{ID: "EX:0", Name: "sign"},
		{ID: "EX:2", Name: "scarlet fever", Types: []string{"T047", "T184"}},
		{ID: "EX:3", Name: "temperature", Synonyms: []string{"temp"}},
		{ID: "22298006", Name: "infarct"}, {ID: "999480561000087103", Name: "infarct of the heart"},
	})
}

func TestReconcile(t *testing.T) {
	s := newServer(t, Config{Dictionary: feverDictionary(), Model: "names.tsv"})
	const fever = `{"id":"EX:1","name":"fever","description":"sign","type":[{"id":"T184","name":"T184"}],"score":100,"match":true}`
	for _, test := range []struct{ queries, want string }{
		{`{"q0":{"query":"pyrexia","limit":1},"q1":{"query":" "}}`, `{"q0":{"result":[` + fever + `]},"q1":{"result":[]}}`},
		{`{"a":{"query":"Fever","limit":1,"type":"T184"}}`, `{"a":{"result":[` + fever + `]}}`},
		{`{"a":{"query":"EX:1","limit":1}}`, `{"a":{"result":[` + fever + `]}}`}, // by its identifier
		{`{"a":{"properties":[{"pid":"p","v":"x"}]}}`, `{"a":{"result":[]}}`},
		{`{}`, `{}`},
	} {
		w := reconcileForm(s, "queries", test.queries)
		if w.Code != http.StatusOK || w.Body.String() != test.want {
			t.Errorf("%s: status %d\n%s\nwant\n%s", test.queries, w.Code, w.Body, test.want)
		}
		if again := get(s, reconcilePath+"?queries="+url.QueryEscape(test.queries)); again.Body.String() != w.Body.String() {
			t.Errorf("%s: GET answers %s", test.queries, again.Body)
		}
	}
	matches := func(query string) string {
		t.Helper()
		list := []string{}
		for _, c := range ok[map[string]reconcileResult](t, reconcileForm(s, "queries", `{"a":`+query+`}`))["a"].Result {
			sign := "?"
			if c.Match {
				sign = "="
			}
			list = append(list, sign+string(c.ID))
		}
		return strings.Join(list, " ")
	}
	for query, want := range map[string]string{
		`{"query":"temp","limit":2}`:                                                   "?EX:1 ?EX:3", // a name of two concepts
		`{"query":"scarlet fevr","limit":1}`:                                           "?EX:2",       // similar, and not the same
		`{"query":"fever","type":["T047","T184"],"type_strict":"all","limit":1}`:       "?EX:2",
		`{"query":"fever","type":["T047"],"type_strict":"should","limit":1}`:           "=EX:1",
		`{"query":"fever","type":"T999"}`:                                              "",
		`{"query":"fever","limit":1,"properties":[{"pid":"p","v":[1,{"id":"EX:2"}]}]}`: "=EX:1",
	} {
		if got := matches(query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for queries, want := range map[string]string{
		`{"a":{"query":"x","limit":0}}`:            "limit is 0, want at least 1",
		`{"a":{"query":"x","type_strict":"none"}}`: `type_strict is "none", want any, all or should`,
		`{"a":{"query":1}}`:                        "want a string",
		`[]`:                                       "want an object",
		`{"a":`:                                    "want JSON",
	} {
		w := reconcileForm(s, "queries", queries)
		if p := wantProblem(t, w, w.Code); w.Code/100 != 4 || !strings.Contains(p.Detail, want) {
			t.Errorf("%s: status %d, %q, want %q", queries, w.Code, p.Detail, want)
		}
	}
	wantProblem(t, get(s, reconcilePath+"?queries={}&extend={}"), http.StatusBadRequest)
	wantProblem(t, post(s, reconcilePath, "{}"), http.StatusUnsupportedMediaType)
	wantProblem(t, call(s, request(http.MethodDelete, reconcilePath, "")), http.StatusMethodNotAllowed)
}

// A candidate that a client may take without a question is certain.
func TestReconcileMatchesCertain(t *testing.T) {
	for probability, want := range map[float64]bool{.06: false, .79: false, .8: true, 1: true} {
		m := &linked.Mention{Candidates: []linked.Candidate{{Concept: "EX:1", MatchedName: "fever", Probability: probability}}}
		if got := (&reconcileQuery{Query: "fever"}).isSure(m); got != want {
			t.Errorf("of probability %g: %t, want %t", probability, got, want)
		}
	}
}

// The context decides what a name of two concepts means, as it does in a text.
func TestReconcileContext(t *testing.T) {
	s := newServer(t, gutConfig(t))
	first := func(query string) kb.ConceptID {
		t.Helper()
		answer := ok[map[string]reconcileResult](t, reconcileForm(s, "queries", `{"a":`+query+`}`))
		if len(answer["a"].Result) == 0 {
			t.Fatalf("%s: no candidates", query)
		}
		return answer["a"].Result[0].ID
	}
	if got := first(`{"query":"gastric ulcer","properties":[{"pid":"note","v":"bleeding after aspirin"}]}`); got != "G2" {
		t.Errorf("reconciled to %s, want G2", got)
	}
}

func TestReconcileServices(t *testing.T) {
	s := newServer(t, Config{Dictionary: searchDictionary(), Model: "names.tsv"})
	manifest := ok[map[string]any](t, get(s, reconcilePath))
	want := map[string]any{"url": "http://127.0.0.1/v1/reconcile/preview?id={{id}}", "width": 400., "height": 240.}
	if diff := cmp.Diff(want, manifest["preview"]); diff != "" {
		t.Errorf("preview (-want +got):\n%s", diff)
	}
	for _, required := range []string{"batchSize", "versions", "name", "identifierSpace", "schemaSpace"} {
		if manifest[required] == nil {
			t.Errorf("the manifest has no %s", required)
		}
	}
	for target, want := range map[string]string{
		suggestPath + "?prefix=scar":          `{"result":[{"id":"EX:2","name":"fever, scarlet","description":"scarlet fever"}]}`,
		suggestPath + "?prefix=":              `{"result":[]}`,
		suggestPath + "?prefix=fev&cursor=2":  `{"result":[{"id":"EX:3","name":"feverfew allergy"}]}`,
		suggestPath + "?prefix=x&cursor=5000": `{"result":[]}`,
		suggestTypesPath + "?prefix=t1":       `{"result":[{"id":"T184","name":"T184"}]}`,
		suggestTypesPath + "?cursor=1":        `{"result":[]}`,
		propertiesPath + "?type=T184": `{"properties":[{"id":"name","name":"Preferred name"},{"id":"names","name":"Names"},{"id":"types","name":"Types"},` +
			`{"id":"alt_ids","name":"Other identifiers"},{"id":"xrefs","name":"Identifiers in other vocabularies"},{"id":"parents","name":"Broader concepts"},{"id":"children","name":"Narrower concepts"}],"type":"T184"}`,
	} {
		if w := get(s, target); w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%s: status %d\n%s\nwant\n%s", target, w.Code, w.Body, want)
		}
	}
	wantProblem(t, get(s, suggestPath+"?prefix=x&cursor=-1"), http.StatusUnprocessableEntity)

	w := reconcileForm(s, "extend", `{"ids":["EX:2","EX:99"],"properties":[{"id":"names"},{"id":"parents"}]}`)
	const extended = `{"meta":[{"id":"names","name":"Names"},{"id":"parents","name":"Broader concepts"}],"rows":{` +
		`"EX:2":{"names":[{"str":"fever, scarlet"},{"str":"scarlet fever"}],"parents":[{"id":"EX:a/b?c","name":"Fever"}]},` +
		`"EX:99":{"names":[],"parents":[]}}}`
	if w.Code != http.StatusOK || w.Body.String() != extended {
		t.Errorf("status %d\n%s\nwant\n%s", w.Code, w.Body, extended)
	}
	again := reconcileForm(s, "extend", `{"ids":["EX:2","EX:2","EX:99"],"properties":[{"id":"names"},{"id":"parents"},{"id":"names"}]}`)
	if rows := func(s string) string { return s[strings.Index(s, "rows"):] }; rows(again.Body.String()) != rows(extended) {
		t.Errorf("identifiers and properties listed twice: %s\nwant\n%s", again.Body, extended)
	}
	if p := wantProblem(t, reconcileForm(s, "extend", `{"ids":[],"properties":[{"id":"x"}]}`), 422); p.Faults[0].Pointer != "/properties/0/id" {
		t.Errorf("problem %+v", p)
	}

	page := get(s, previewPath+"?id=EX:5")
	if body := page.Body.String(); page.Code != http.StatusOK || !strings.Contains(body, "&lt;script&gt;") || strings.Contains(body, "<script>") {
		t.Errorf("status %d, want a page with the name escaped: %s", page.Code, body)
	}
	if policy := page.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors http://127.0.0.1:*") {
		t.Errorf("the preview cannot be framed: %s", policy)
	}
	wantProblem(t, get(s, previewPath+"?id=EX:99"), http.StatusNotFound)
}

func TestReconcileNeedsToken(t *testing.T) {
	s := newServer(t, Config{Dictionary: searchDictionary(), Model: "names.tsv", Access: Access{Token: "0123456789abcdef"}})
	for _, path := range []string{reconcilePath, suggestPath, suggestTypesPath, propertiesPath, previewPath} {
		wantProblem(t, get(s, path), http.StatusUnauthorized)
	}
	wantProblem(t, reconcileForm(s, "queries", "{}"), http.StatusUnauthorized)
}
