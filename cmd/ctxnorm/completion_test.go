package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/papers"
)

// TestCompletion asks the program as shells do. The last line is the directive: 0 files, 2 no space
// after it, 4 no files, 8 files with these endings, 16 folders.
func TestCompletion(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{"link --method", strings.Join(stringsOf(ctxnorm.Methods()), " ") + " :4"},
		{"link --method t", "tfidf :4"},
		{"eval --method e", "exact :4"},
		{"link --method=le", "lexical :4"},
		{"link --format pu", "pubtator :4"},
		{"link --input-format br", "brat :4"},
		{"link --offsets", "codepoints bytes utf16 :4"},
		{"link --columns te", "text= :6"},
		{"link --model mo", ":16"},
		{"train --encoder", "bert none :4"},
		{"train --set mark", "mark-all= :6"},
		{"train --index", "auto flat hnsw :4"},
		{"train --precision b", "bfloat16 :4"},
		{"build-corpus --dict-format m", "mesh mrconso mrsty meddra :4"},
		{"eval --policy paper,s", "paper,strict :4"},
		{"eval --baselines tfidf,all", ":4"},
		{"train --recipe", strings.Join(papers.RecipeNames(), " ") + " :4"},
		{"eval --without names,comp", "names,composites :4"},
		{"verify --log-format", "text json :4"},
		{"verify --config", "yaml yml :8"},
		{"eval --gold", ":0"},
	} {
		args := strings.Fields(tc.args)
		if strings.HasPrefix(args[len(args)-1], "--") && !strings.Contains(args[len(args)-1], "=") {
			args = append(args, "")
		}
		code, stdout, _ := runArgs(t, append([]string{"__complete"}, args...))
		if got := strings.Join(strings.Fields(stdout), " "); code != exitDone || got != tc.want {
			t.Errorf("%s: exit %d: %q, want %q", tc.args, code, got, tc.want)
		}
	}
}

// TestChoice: what is none of the values is refused, wherever it comes from.
func TestChoice(t *testing.T) {
	dir := t.TempDir()
	settings := filepath.Join(dir, "ctxnorm.yaml")
	if err := os.WriteFile(settings, []byte("\ninspect:\n  list: names\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	const want = `"names", want synonyms, abbreviations or recognizer`
	for _, tc := range []struct{ line, variable, message string }{
		{line: "inspect --list names", message: "--list is " + want},
		{line: "inspect --list=", message: "--list is empty"},
		{line: "inspect", variable: "names", message: "the environment variable CTXNORM_LIST is " + want},
		{line: "inspect --config " + settings, message: settings + ":3: list is " + want},
	} {
		t.Setenv("CTXNORM_LIST", tc.variable)
		if code, _, stderr := runLine(t, tc.line); code != exitFailed || !strings.HasPrefix(stderr, "ctxnorm: "+tc.message+"\n") {
			t.Errorf("%s: exit %d: %s, want %s", tc.line, code, stderr, tc.message)
		}
	}
}
