package main

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/papers"
)

// TestCompletion asks the program for completions as a shell does, which then filters them by the word typed so far.
// The last line is the directive: 0 files, 4 no files, 16 folders.
func TestCompletion(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{"link --method", strings.Join(papers.MethodNames(nil), " ") + " :4"},
		{"link --columns te", "id title text mention start end type ids :4"},
		{"link --model mo", ":16"},
		{"eval --policy p", "paper biosyn strict all :4"},
		{"train --recipe", strings.Join(papers.RecipeNames(), " ") + " :4"},
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
