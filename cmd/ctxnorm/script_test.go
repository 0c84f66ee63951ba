package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// recognizerVariable keeps train from learning a recognizer in tests, which takes seconds. TestRawText learns one.
const recognizerVariable = "CTXNORM_RECOGNIZER"

func TestMain(m *testing.M) {
	os.Setenv(recognizerVariable, "none")
	os.Setenv("GOGC", "400") // otherwise garbage collection takes a third of each short command
	testscript.Main(m, map[string]func(){"ctxnorm": main})
}

// TestCommand runs the command line in CTXNORM_COMMAND, for the go test profiles made by "make profile".
func TestCommand(t *testing.T) {
	line := os.Getenv("CTXNORM_COMMAND")
	if line == "" {
		t.Skip("CTXNORM_COMMAND is not set")
	}
	os.Unsetenv(recognizerVariable)
	must.Equal(t, run(t.Context(), strings.Fields(line), os.Stdin, os.Stdout, os.Stderr), exitDone, "exit")
}

// TestScripts runs the program as a user does: a script for each subcommand, and some for features that
// all have in common. With -short only those run that set several workers. To run one of them:
//
//	go test ./cmd/ctxnorm -run TestScripts/link
func TestScripts(t *testing.T) {
	if ctxnorm.CanTrain {
		t.Skip("run in the build in pure Go, which need not load libtorch a hundred times")
	}
	runScripts(t, "testdata/scripts")
}

func runScripts(t *testing.T, dir string) {
	scripts := must.Get(filepath.Glob(filepath.Join(dir, "*.txt")))
	if testing.Short() && !ctxnorm.CanTrain { // under the race detector
		scripts = slices.DeleteFunc(scripts, func(path string) bool {
			return !bytes.Contains(must.Get(os.ReadFile(path)), []byte("--workers 2"))
		})
	}
	if len(scripts) == 0 { // testscript.Run would pass
		t.Fatalf("no scripts in %s", dir)
	}
	root := must.Get(filepath.Abs(filepath.Join("..", "..")))
	testscript.Run(t, testscript.Params{
		Files:               scripts,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", filepath.Join(root, "examples"))
			env.Setenv("TINY", filepath.Join(root, "internal", "bert", "testdata", "tiny"))
			env.Setenv("HF_HUB_OFFLINE", "1")
			env.Setenv("GOGC", os.Getenv("GOGC"))
			env.Setenv(recognizerVariable, "none")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":      runToExit,
			"codepoints": checkCodePoints,
			"flip":       flipByte,
			"append":     appendLine,
			"nearly":     checkNearly,
			"await":      awaitFile,
			"unhex":      decodeHex,
		},
	})
}

// runToExit is "exits CODE ctxnorm ARGUMENT…": the program must end with that exit code. Every line on standard error
// must have the program's prefix, or be an object with --log-format json, and reveal nothing of Go.
func runToExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "ctxnorm" {
		ts.Fatalf("usage: exits CODE ctxnorm ARGUMENT…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	for line := range strings.Lines(ts.ReadFile("stderr")) {
		if slices.Contains(args, "json") || slices.Contains(args, "--log-format=json") {
			var message struct{ Time, Level, Msg string }
			if err := json.Unmarshal([]byte(line), &message); err != nil || message.Time == "" || message.Level == "" || message.Msg == "" {
				ts.Fatalf("a line of standard error is no message in JSON (%v): %s", err, line)
			}
		} else if !strings.HasPrefix(line, "ctxnorm: ") {
			ts.Fatalf("standard error has a line without the program's prefix: %q", line)
		}
		for _, foreign := range []string{"goroutine ", "&{", "%!", "strconv.", "Go struct"} {
			if strings.Contains(line, foreign) {
				ts.Fatalf("standard error shows %q: %s", foreign, line)
			}
		}
	}
}

// checkCodePoints is "codepoints FILE": the text of every mention in FILE must match its offsets, counted in code
// points.
func checkCodePoints(ts *testscript.TestScript, neg bool, args []string) {
	type span struct {
		Start, End int
		Text       string
	}
	type record struct {
		Text     string
		Mentions []span
	}
	mentions := 0
	scanner := bufio.NewScanner(strings.NewReader(ts.ReadFile(args[0])))
	for scanner.Scan() {
		var r record
		ts.Check(json.Unmarshal(scanner.Bytes(), &r))
		text := []rune(r.Text)
		for _, m := range r.Mentions {
			if got := string(text[m.Start:m.End]); got != m.Text {
				ts.Fatalf("the text at %d-%d of %q is %q, the record says %q", m.Start, m.End, r.Text, got, m.Text)
			}
			mentions++
		}
	}
	ts.Check(scanner.Err())
	if mentions == 0 {
		ts.Fatalf("%s has no mentions", args[0])
	}
}

// flipByte is "flip FILE OFFSET": it flips one bit of that byte in FILE.
func flipByte(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	offset, err := strconv.Atoi(args[1])
	ts.Check(err)
	data, err := os.ReadFile(path)
	ts.Check(err)
	data[offset] ^= 1
	ts.Check(os.WriteFile(path, data, 0o666))
}

// appendLine is "append FILE LINE".
func appendLine(ts *testscript.TestScript, neg bool, args []string) {
	file, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_WRONLY, 0)
	ts.Check(err)
	_, err = file.WriteString(args[1] + "\n")
	ts.Check(errors.Join(err, file.Close()))
}

// decodeHex is "unhex FILE OTHER": it decodes the hexadecimal digits in FILE and writes the bytes to OTHER, because a
// script is UTF-8.
func decodeHex(ts *testscript.TestScript, neg bool, args []string) {
	data, err := hex.DecodeString(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o666))
}

// awaitFile is "await PATTERN": it waits for a file that matches the pattern.
func awaitFile(ts *testscript.TestScript, neg bool, args []string) {
	for range 6000 { // 10 ms each: a minute
		if found, err := filepath.Glob(ts.MkAbs(args[0])); err != nil || len(found) > 0 {
			ts.Check(err)
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("there is still no %s", args[0])
}

// checkNearly is "nearly FILE OTHER": two files of JSON lines must be equal except for numbers, which may differ by
// 1e-4. An encoder's vectors vary by 1e-5 with the rest of the batch.
func checkNearly(ts *testscript.TestScript, neg bool, args []string) {
	var files [2][]any
	for i := range files {
		for line := range strings.Lines(ts.ReadFile(args[i])) {
			var record any
			ts.Check(json.Unmarshal([]byte(line), &record))
			files[i] = append(files[i], record)
		}
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-4 })
	if diff := cmp.Diff(files[0], files[1], near); diff != "" {
		ts.Fatalf("(-%s +%s):\n%s", args[0], args[1], diff)
	}
}

// runLine runs a command line, split at spaces.
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

// writeFile writes a file and creates its folder if needed.
func writeFile(t *testing.T, path, content string) {
	t.Helper()
	must.Succeed(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(content), 0o600)))
}
