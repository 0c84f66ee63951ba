package server

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDraftMatch(t *testing.T) {
	s := newServer(t, Config{Dictionary: feverDictionary(), Model: "names.tsv"})
	match := func(query string) string {
		t.Helper()
		body := post(s.Handler(), draftPath+matchRoute, `{"queries":[`+query+`]}`)
		answer := decode[struct{ Results []draftResult }](t, body, http.StatusOK)
		list := []string{}
		for _, c := range answer.Results[0].Candidates {
			sign := "?"
			if c.Match {
				sign = "="
			}
			list = append(list, sign+string(c.ID))
		}
		return strings.Join(list, " ")
	}
	const fever = `{"matchType":"name","propertyValue":"fever"}`
	filter := func(rest string) string {
		return `{"limit":1,"conditions":[` + fever + `,{"matchType":"property","required":true,` + rest + `}]}`
	}
	for query, want := range map[string]string{
		`{"limit":1,"conditions":[` + fever + `]}`:                                                           "=EX:1",
		`{"limit":1,"type":"T047","conditions":[` + fever + `]}`:                                             "?EX:2",
		`{"limit":2,"conditions":[{"matchType":"name","propertyValue":["temp","x"]}]}`:                       "?EX:1 ?EX:3",
		`{"conditions":[{"matchType":"id","propertyValue":["EX:3","EX:9"]}]}`:                                "=EX:3",
		`{"limit":2,"conditions":[` + fever + `,{"matchType":"id","propertyValue":"EX:2"}]}`:                 "=EX:2 ?EX:1",
		`{"conditions":[{"matchType":"property","propertyId":"note","propertyValue":["high",39.5,true]}]}`:   "", // context of no name
		`{"limit":1,"conditions":[` + fever + `,{"matchType":"id","propertyValue":["EX:2","EX:3","EX:0"]}]}`: "=EX:2",
		`{"conditions":[{"matchType":"id","propertyValue":[22298006,999480561000087103]}]}`:                  "=22298006 =999480561000087103",
		`{"conditions":[{"matchType":"name","propertyValue":[]}]}`:                                           "", // as an empty cell
		filter(`"propertyId":"types","propertyValue":"T047"`):                                                "?EX:2",
		filter(`"propertyId":"types","propertyValue":["T047","T184"]`):                                       "=EX:1",
		filter(`"propertyId":"types","propertyValue":["T047","T184"],"matchQuantifier":"all"`):               "?EX:2",
		filter(`"propertyId":"types","propertyValue":"T047","matchQuantifier":"none"`):                       "=EX:1",
		filter(`"propertyId":"parents","propertyValue":{"id":"EX:0"}`):                                       "=EX:1",
		filter(`"propertyId":"names","propertyValue":"Scarlet Fever"`):                                       "?EX:2",
	} {
		if got := match(query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	w := post(s.Handler(), draftPath+matchRoute, `{"queries":[{"conditions":[{"matchType":"id","propertyValue":"EX:1"}]},{"conditions":[{"matchType":"id","propertyValue":"x"}]}]}`)
	const answer = `{"results":[{"candidates":[` +
		`{"id":"EX:1","name":"fever","description":"sign","type":[{"id":"T184","name":"T184"}],"score":100,"match":true}]},{"candidates":[]}]}`
	if w.Body.String() != answer {
		t.Errorf("answer\n%s\nwant\n%s", w.Body, answer)
	}
	if w := post(s.Handler(), draftPath+matchRoute, `{"queries":[]}`); w.Body.String() != `{"results":[]}` {
		t.Errorf("no queries are answered by %s", w.Body)
	}
}

// Faults are answered with their places. The first seven are those that the specification lists as invalid.
func TestDraftMatchFaults(t *testing.T) {
	s := newServer(t, Config{Dictionary: feverDictionary(), Model: "names.tsv"})
	for body, want := range map[string][2]string{
		`{"queries":[{"conditions":[]}]}`:                                          {"conditions is empty or missing", "/queries/0/conditions"},
		`{"queries":[{"limit":1}]}`:                                                {"conditions is empty or missing", "/queries/0/conditions"},
		`{"queries":[{"props":[{"propertyValue":"x"}]}]}`:                          {"conditions is empty or missing", "/queries/0/conditions"},
		`{"queries":[{"conditions":[{"propertyValue":"x"}]}]}`:                     {`matchType is "", want name, id or property`, "/queries/0/conditions/0/matchType"},
		`{"queries":[{"type":["a"],"conditions":[{"matchType":"id"}]}]}`:           {"want a string", ""},
		`[{"conditions":[{"matchType":"name","propertyValue":"x"}]}]`:              {"want an object", ""},
		`{"q0":{"query":"x","limit":5}}`:                                           {"queries is missing", "/queries"},
		`{"queries":[{"conditions":[{"matchType":"name"}]}]}`:                      {"propertyValue is missing", "/queries/0/conditions/0/propertyValue"},
		`{"queries":[{"limit":0,"conditions":[{}]}]}`:                              {"limit is 0", "/queries/0"},
		draftCondition1(`"matchType":"name","matchQuantifier":"none"`):             {"matchQuantifier is none", "/queries/0/conditions/0/matchQuantifier"},
		draftCondition1(`"matchType":"property","matchQuantifier":"some"`):         {`matchQuantifier is "some"`, "/queries/0/conditions/0/matchQuantifier"},
		draftCondition1(`"matchType":"property","propertyId":"x","required":true`): {`there is no property "x"`, "/queries/0/conditions/0/propertyId"},
	} {
		w := post(s.Handler(), draftPath+matchRoute, body)
		p := wantProblem(t, w, http.StatusUnprocessableEntity)
		if !strings.Contains(p.Detail, want[0]) || len(p.Faults) != 1 || p.Faults[0].Pointer != want[1] {
			t.Errorf("%s: %+v, want %q", body, p, want)
		}
	}
	wantProblem(t, post(s.Handler(), draftPath+matchRoute, `{"queries":`), http.StatusBadRequest)
	wantProblem(t, get(s.Handler(), draftPath+matchRoute), http.StatusMethodNotAllowed)
}

// Other names and the values of properties are the context of a query, but for values that it must not have.
func TestDraftContext(t *testing.T) {
	condition := func(kind, value, quantifier string) draftCondition {
		return draftCondition{MatchType: kind, PropertyValue: propertyValues{value}, MatchQuantifier: quantifier}
	}
	d := draftQuery{Conditions: []draftCondition{
		condition("name", "fever", ""), condition("name", "child", ""),
		condition("property", "high", "any"), condition("property", "rash", "none"),
	}}
	q, fault := d.query()
	if fault != nil {
		t.Fatal(fault)
	}
	if got := q.record().Text; got != "fever; child; high" {
		t.Errorf("the document is %q", got)
	}
}

// A query whose client is gone, or which is late, is given up, although all of the linking is done.
func TestDraftMatchStops(t *testing.T) {
	s := newServer(t, Config{Dictionary: feverDictionary(), Model: "names.tsv"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	limit := 1
	batch := &draftBatch{Queries: []draftQuery{{
		Limit: &limit, Conditions: []draftCondition{{MatchType: "id", PropertyValue: propertyValues{"EX:1"}}},
	}}}
	if results, err := s.matchBatch(ctx, batch); err == nil {
		t.Errorf("answered with %+v", results)
	}
}

// draftCondition1 returns a batch of one condition with a value and other members.
func draftCondition1(members string) string {
	return `{"queries":[{"conditions":[{"propertyValue":"x",` + members + `}]}]}`
}

func TestDraftServices(t *testing.T) {
	s := newServer(t, Config{Dictionary: feverDictionary(), Model: "names.tsv", Access: Access{Token: "0123456789abcdef"}})
	manifest := decode[map[string]any](t, get(s.Handler(), draftPath), http.StatusOK) // which needs no token
	for name, want := range map[string]any{
		"versions":          []any{"1.0-draft"},
		"view":              map[string]any{"url": "http://127.0.0.1/v1/reconcile/1.0-draft/preview?id={id}"},
		"suggest":           map[string]any{"entity": true, "property": true, "type": true},
		"preview":           map[string]any{"width": 400., "height": 240.},
		"extend":            map[string]any{"proposeProperties": true, "propertySettings": []any{}},
		"authentication":    map[string]any{"type": "apiKey", "name": "Authorization", "in": "header"},
		"standardizedScore": true,
		"batchSize":         200.,
	} {
		if diff := cmp.Diff(want, manifest[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	authorized := func(method, route, body string) string {
		t.Helper()
		r := request(method, draftPath+route, body)
		r.Header.Set("Authorization", "Bearer 0123456789abcdef")
		return call(s.Handler(), r).Body.String()
	}
	for route, want := range map[string]string{
		entityRoute + "?prefix=temp&limit=1":          `{"result":[{"id":"EX:1","name":"fever","description":"temp"}]}`,
		entityRoute + "?prefix=temp&limit=1&offset=1": `{"result":[{"id":"EX:3","name":"temperature","description":"temp"}]}`,
		entityRoute + "?prefix=EX:0":                  `{"result":[{"id":"EX:0","name":"sign"}]}`,
		entityRoute + "?prefix=":                      `{"result":[]}`,
		typeRoute + "?prefix=":                        `{"result":[{"id":"T047","name":"T047"},{"id":"T184","name":"T184"}]}`,
		propertyRoute + "?prefix=broad":               `{"result":[{"id":"parents","name":"Broader concepts"}]}`,
		proposalsRoute + "?type=T184&limit=1":         `{"limit":1,"properties":[{"id":"name","name":"Preferred name"}],"type":"T184"}`,
	} {
		if got := authorized(http.MethodGet, route, ""); got != want {
			t.Errorf("%s answers\n%s\nwant\n%s", route, got, want)
		}
	}
	if got := authorized(http.MethodGet, proposalsRoute+"?limit=0", ""); !strings.Contains(got, "limit is \\\"0\\\", want a number from 1 on") {
		t.Errorf("a limit of 0 is answered by %s", got)
	}
	if got := authorized(http.MethodGet, previewRoute+"?id=EX:1", ""); !strings.Contains(got, "<li>pyrexia</li>") {
		t.Errorf("the preview is %s", got)
	}
	got := authorized(http.MethodPost, extendRoute, `{"ids":["EX:1","EX:9"],"properties":[{"id":"name"},{"id":"parents","settings":{}}]}`)
	const want = `{"meta":[{"id":"name","name":"Preferred name"},{"id":"parents","name":"Broader concepts"}],"rows":[` +
		`{"id":"EX:1","properties":[{"id":"name","values":[{"str":"fever"}]},{"id":"parents","values":[{"id":"EX:0","name":"sign"}]}]},` +
		`{"id":"EX:9","properties":[{"id":"name","values":[]},{"id":"parents","values":[]}]}]}`
	if got != want {
		t.Errorf("extend answers\n%s\nwant\n%s", got, want)
	}
}
