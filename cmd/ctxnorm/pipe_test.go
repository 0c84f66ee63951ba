package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestAnswersOnAPipe checks that a program that writes a line to a pipe and waits for the answer gets it.
func TestAnswersOnAPipe(t *testing.T) {
	dict := filepath.Join(t.TempDir(), "dictionary.tsv")
	writeFile(t, dict, "A\tgastric ulcer\nA\tstomach ulcer\n")
	for _, args := range [][]string{{"link", "--dict", dict, "--batch", "1"}, {"tag", "--dict", dict}} {
		for name, line := range map[string]string{
			"text":  "A [ENT] stomach ulcer [/ENT] bled.\n",
			"short": "a\n",
			"JSON":  `{"text": "A stomach ulcer.", "mentions": [{"start": 2, "end": 15}]}` + "\n",
		} {
			t.Run(args[0]+" "+name, func(t *testing.T) {
				questions, ask, err := os.Pipe()
				must.Succeed(t, err)
				hear, answers, err := os.Pipe()
				must.Succeed(t, err)
				done := make(chan int, 1)
				go func() {
					done <- run(t.Context(), args, questions, answers, io.Discard)
					answers.Close()
				}()
				must.Succeed(t, hear.SetReadDeadline(time.Now().Add(2*time.Second)))
				answer := bufio.NewReader(hear)
				for range 3 {
					must.Get(io.WriteString(ask, line))
					if got, err := answer.ReadString('\n'); err != nil {
						t.Fatalf("no answer: %q, %v", got, err)
					}
				}
				ask.Close()
				must.Equal(t, <-done, exitDone, "exit")
			})
		}
	}
}
