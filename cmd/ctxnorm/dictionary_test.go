package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// The answers of a command are the same when it keeps the names of a dictionary, when it finds them kept, and without a
// cache; and so are its messages, but for the one that says what was kept.
func TestKeptDictionary(t *testing.T) {
	dir := t.TempDir()
	for _, variable := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} { // of Linux, macOS and Windows
		t.Setenv(variable, filepath.Join(dir, "home"))
	}
	t.Chdir(dir)
	var names strings.Builder
	names.WriteString("id,name,synonyms,types,notes\n")
	for i := range 3000 {
		fmt.Fprintf(&names, "D%d,disease of type %d,morbus %d; IS%d,T%d,n\n", i, i, i, i, i%2)
	}
	names.WriteString(",without an id,,T1,n\n")
	writeFile(t, "names.csv", names.String())
	writeFile(t, "parents.csv", "child,parent\nD1,D2\nD1,nothing\n")
	writeFile(t, "text.txt", "She had morbus 17 and diseases of type 20; no IS3.\n")
	writeFile(t, "marked.txt", "He had [ENT] disease, type 21 [/ENT] and [ENT] morbus 40 and 41 [/ENT].\n")
	writeFile(t, "gold.pubtator", "1|t|Disease of type 30.\n1|a|\n1\t0\t18\tDisease of type 30\tDisease\tD30\n\n")
	for _, line := range []string{
		"link --dict names.csv --tag --format jsonl --top 3 text.txt",
		"link --dict names.csv --format jsonl --method exact marked.txt",
		"link --dict names.csv --format jsonl --method tfidf marked.txt",
		"link --dict names.csv --parents parents.csv --only-ids D40,D2 --format jsonl marked.txt",
		"link --dict names.csv --dict-sheet x --language de --tag --log-format json --format csv --xrefs --assertion text.txt",
		"tag --dict names.csv text.txt",
		"tag --dict names.csv --types T1 text.txt",
		"eval --dict names.csv --gold gold.pubtator --json",
	} {
		t.Run(line, func(t *testing.T) {
			messages := func(stderr string) (kept int, other string) {
				var rest []string
				for message := range strings.Lines(stderr) {
					if at := strings.Index(message, `"level"`); at > 0 { // behind the time
						message = message[at:]
					}
					if strings.Contains(message, "kept for the next run") {
						kept++
					} else if !strings.Contains(message, "mentions in") { // how long eval took
						rest = append(rest, message)
					}
				}
				return kept, strings.Join(rest, "")
			}
			wantCode, want, said := runLine(t, line+" --no-cache")
			if wantCode != exitPartial {
				t.Errorf("exit %d, want %d, since a row is malformed: %s", wantCode, exitPartial, said)
			}
			_, wantSaid := messages(said)
			for run := range 2 {
				code, got, said := runLine(t, line)
				kept, other := messages(said)
				if code != wantCode || got != want || other != wantSaid || run == 1 && kept > 0 {
					t.Errorf("run %d: exit %d,\n%s\n%s\nwant\n%s\n%s", run+1, code, got, said, want, wantSaid)
				}
			}
		})
	}
	if entries, _ := filepath.Glob("home/*/*/dictionaries/*"); len(entries) == 0 {
		if entries, _ = filepath.Glob("home/ctxnorm/dictionaries/*"); len(entries) == 0 {
			t.Error("nothing is kept")
		}
	}
}
