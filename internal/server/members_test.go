package server

import (
	"net/http"
	"strings"
	"testing"
)

// TestMembers posts documents whose members are almost those of the API.
func TestMembers(t *testing.T) {
	h := newServer(t, gutConfig(t))
	const mentions = `"mentions":[{"start":2,"end":15,"START":0}]`
	w := post(h, "/v1/link", documents(`{"text":"A gastric ulcer.","TEXT":"A stroke.",`+mentions+`}`))
	if line := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(line, `"text":"A gastric ulcer.","TEXT":"A stroke."`) || !strings.Contains(line, `"start":2`) {
		t.Errorf("status %d: %s; want the text and the mention, and TEXT as it is", w.Code, line)
	}
	for body, pointer := range map[string]string{
		documents(`{"text":"A gastric ulcer.","mentons":[]}`):                 "/documents/0",
		documents(`{"text":"a"}`, `{"text":"a","text":"b"}`):                  "/documents/1",
		documents(`{"text":"a","mentions":[{"start":0,"end":1,"tpye":"x"}]}`): "/documents/0/mentions/0",
		`{"Documents":[{"text":"a"}]}`:                                        "",
		`{"documents":[{"text":"a"}],"documents":[{"text":"b"}]}`:             "",
		`{"documents":[{"Text":"a"}]}`:                                        "",
	} {
		p := wantProblem(t, post(h, "/v1/link", body), http.StatusUnprocessableEntity)
		if len(p.Faults) == 0 || pointer != "" && p.Faults[0].Pointer != pointer {
			t.Errorf("%s: faults %+v, want one at %q", body, p.Faults, pointer)
		}
	}
}
