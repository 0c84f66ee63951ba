package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/eval"
)

// evalFolder makes a folder with a model that links by strings and with gold: a document
// that the corpus has and one that it does not have.
func evalFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"dictionary.tsv": "id\tname\tsynonyms\nEX:1\tcoeliac disease\tceliac sprue\nEX:2\tgastric ulcer\tstomach ulcer\n",
		"pubmed.xml": `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>11</PMID><Article>` +
			`<ArticleTitle>Coeliac disease and gastric ulcer.</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>`,
		"gold.jsonl": `{"id":"11","text":"Coeliac disease and stomach ulcers.","mentions":[{"start":0,"end":15,"ids":["EX:1"]},{"start":20,"end":34,"ids":["EX:2"]}]}` + "\n" +
			`{"id":"12","text":"Stomach ulcer or lethargy.","mentions":[{"start":0,"end":13,"ids":["EX:2"]},{"start":17,"end":25,"ids":["EX:9"]}]}` + "\n",
		"broken.jsonl": "{\n" + `{"id":"12","text":"Stomach ulcer.","mentions":[{"start":0,"end":13,"ids":["EX:2"]}]}` + "\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"build-corpus pubmed.xml", "train --encoder none"} {
		if code, _, stderr := runLine(t, args); code != exitDone {
			t.Fatalf("ctxnorm %s: exit %d: %s", args, code, stderr)
		}
	}
}

func runLine(t *testing.T, args string) (code int, stdout, stderr string) {
	t.Helper()
	return runArgs(t, strings.Fields(args))
}

func runArgs(t *testing.T, args []string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errors bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &out, &errors)
	return code, out.String(), errors.String()
}

func TestEvalCommand(t *testing.T) {
	evalFolder(t)
	code, stdout, stderr := runLine(t, "eval --gold gold.jsonl --method exact --answers exact.jsonl --errors errors.txt --policy strict --corpus corpus")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	// Two names match exactly, one mention is NIL, and "stomach ulcers" is missed.
	for _, want := range []string{"model: exact Acc@1 .750 3/4", "dictionary ", "seen surface forms 2 of 4 mentions"} {
		if !strings.Contains(strings.Join(strings.Fields(stdout), " "), want) {
			t.Errorf("report without %q:\n%s", want, stdout)
		}
	}
	if want := "ctxnorm: warning: in the text that the model was made from: 1 of 2 documents of the gold, first 11\n"; !strings.Contains(stderr, want) {
		t.Errorf("standard error without %q:\n%s", want, stderr)
	}
	mistakes, err := os.ReadFile("errors.txt")
	if err != nil || !strings.Contains(string(mistakes), "Coeliac disease and [stomach ulcers].") {
		t.Errorf("errors.txt: %v\n%s", err, mistakes)
	}

	code, stdout, stderr = runLine(t, "eval --gold gold.jsonl --method tfidf --baselines exact --compare exact.jsonl --policy paper,all --json")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var report eval.Report
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Results) != 6 { // three linkers under two policies
		t.Fatalf("%d results, want 6", len(report.Results))
	}
	beside, against := report.Results[1], report.Results[2]
	if beside.Linker != "exact" || against.Linker != "exact.jsonl" || beside.Metrics[0] != against.Metrics[0] {
		t.Errorf("exact beside the model %+v, and of another run %+v", beside.Metrics[0], against.Metrics[0])
	}
	// tfidf finds "stomach ulcers" as well: under paper it has 3 of 3, exact 2.
	if c := report.Comparisons[0]; c.Policy != "paper" || c.A != "model: tfidf" || c.OnlyA != 1 || c.OnlyB != 0 || c.Both != 2 {
		t.Errorf("comparison %+v, want 2 right by both and 1 by the model alone", c)
	}

	if confidence := beside.Confidence; confidence == nil || confidence.ECE.Denominator != 2 || confidence.ECE.Numerator != 0 {
		t.Errorf("exact is sure of its 2 answers and right: ECE %+v, want 0/2", confidence)
	}
	if c := report.Results[0].Confidence; c != nil {
		t.Errorf("tfidf has no probabilities, but %+v", c)
	}

	if code, stdout, _ = runLine(t, "eval --gold gold.jsonl --markdown"); code != exitDone || !strings.Contains(stdout, "| paper | model: ranked | Acc@1 | 1.000 | 3/3 |") {
		t.Errorf("exit %d:\n%s", code, stdout)
	}
}

// TestEvalAblate measures the ranking without each component, and by each alone.
func TestEvalAblate(t *testing.T) {
	evalFolder(t)
	code, stdout, stderr := runLine(t, "eval --gold gold.jsonl --ablate --baselines exact --json")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var report eval.Report
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatal(err)
	}
	var linkers []string
	for _, r := range report.Results {
		linkers = append(linkers, r.Linker)
	}
	want := []string{ // not without strings: nothing else finds candidates
		"model: ranked", "exact",
		"ranked without document_abbreviations", "ranked without composites", "ranked by strings alone",
	}
	if diff := cmp.Diff(want, linkers); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	code, stdout, stderr = runLine(t, "eval --gold gold.jsonl --method exact --baselines strings+composites,all-composites --json")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var beside eval.Report
	if err := json.Unmarshal([]byte(stdout), &beside); err != nil {
		t.Fatal(err)
	}
	linkers = nil
	for _, r := range beside.Results[1:] {
		linkers = append(linkers, fmt.Sprint(r.Linker, ": ", r.Metrics[0].Fraction()))
	}
	if diff := cmp.Diff([]string{"strings+composites: 3/3", "all-composites: 3/3"}, linkers); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	code, stdout, stderr = runLine(t, "eval --gold gold.jsonl --without composites")
	if code != exitDone || !strings.Contains(stdout, "model: ranked without composites") {
		t.Errorf("exit %d: %s\n%s", code, stderr, stdout)
	}
}

// TestEvalHoldOut uses a seed that holds out one of the two concepts: its mentions then
// have no concept, and its names are gone.
func TestEvalHoldOut(t *testing.T) {
	evalFolder(t)
	for seed := range 100 {
		code, stdout, stderr := runLine(t, fmt.Sprintf("eval --gold gold.jsonl --method exact --hold-out .5 --seed %d --json", seed))
		if code != exitDone {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		var report eval.Report
		if err := json.Unmarshal([]byte(stdout), &report); err != nil {
			t.Fatal(err)
		}
		// Of the four mentions one is EX:1 and two are EX:2, both by the letter but for
		// one of EX:2.
		if report.HeldOut != 1 || report.Outside != 2 {
			continue // not EX:1 alone
		}
		strict := report.Results[0]
		if strict.Policy != "strict" || report.Results[1].Policy != "all" {
			t.Errorf("policies %s and %s, want strict and all", strict.Policy, report.Results[1].Policy)
		}
		var got []string
		for _, f := range strict.Metrics {
			if strings.HasPrefix(f.Name, "NIL") || f.Name == "Acc@1" {
				got = append(got, f.Name+" "+f.Fraction())
			}
		}
		// NIL for EX:1, for what is outside anyway and for the plural of EX:2.
		want := []string{"Acc@1 3/4", "NIL precision 2/3", "NIL recall 2/2", "NIL F1 4/5"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		return
	}
	t.Error("no seed takes EX:1 out")
}

func TestEvalCommandFaults(t *testing.T) {
	evalFolder(t)
	if err := os.WriteFile("other.jsonl", []byte(`{"document":"9","start":1,"end":4,"text":"flu","candidates":[]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args string
		code int
		want string
	}{
		{"", exitFailed, `no annotated files`},
		{"--gold gold.jsonl --baselines strings+hierarchy", exitFailed, `--baselines has "strings+hierarchy": the model has no hierarchy`},
		{"--gold gold.jsonl --compare other.jsonl", exitFailed, `other.jsonl:1: "flu" at 1-4 of document 9 is not a gold mention`},
		{"--gold gold.jsonl --gold-types Gene", exitFailed, "no mention of the types"},
		{"--gold gold.jsonl --model nowhere", exitFailed, "nowhere: is not a model"},
		{"--gold gold.jsonl --method exact --ablate", exitFailed, "--ablate has no effect with --method exact, only with ranked"},
		{"--gold gold.jsonl --without names", exitFailed, "--without: the model has no names"},
		{"--gold gold.jsonl --only strings,hierarchy", exitFailed, "--only: the model has no hierarchy"},
		{"--gold gold.jsonl --only words", exitFailed, `--only: component is "words", want one of names, strings`},
		{"--gold gold.jsonl --only composites", exitFailed, `"composites" generate no candidates`},
		{"--gold broken.jsonl", exitPartial, "ctxnorm: broken.jsonl:1: "},
	} {
		code, _, stderr := runLine(t, "eval "+tc.args)
		if code != tc.code || !strings.Contains(stderr, tc.want) {
			t.Errorf("eval %s: exit %d: %s want %d: %s", tc.args, code, stderr, tc.code, tc.want)
		}
	}
}
