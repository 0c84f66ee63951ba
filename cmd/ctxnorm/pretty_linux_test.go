package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// openTerminal returns both ends of a new pseudo-terminal of a width in characters.
func openTerminal(t *testing.T, width uint16) (screen, terminal *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { screen.Close() })
	fd := int(screen.Fd())
	must.Succeed(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number := must.Get(unix.IoctlGetInt(fd, unix.TIOCGPTN))
	terminal, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { terminal.Close() })
	must.Succeed(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: width}))
	return screen, terminal
}

// TestLinkOnTerminal links to a terminal of 90 characters: the mention in brackets takes 15, and the text around it 75.
func TestLinkOnTerminal(t *testing.T) {
	screen, terminal := openTerminal(t, 90)
	dict := filepath.Join(t.TempDir(), "dictionary.tsv")
	writeFile(t, dict, "id\tname\nA\tstomach ulcer\n")
	before, after := strings.Repeat("a", 60)+" ", " "+strings.Repeat("b", 60)
	in := strings.NewReader(before + "[ENT] stomach ulcer [/ENT]" + after + "\n")
	var stderr bytes.Buffer
	if code := run(t.Context(), []string{"link", "--dict", dict}, in, terminal, &stderr); code != exitDone {
		t.Fatalf("exit %d: %s", code, &stderr)
	}
	terminal.Close()
	got, _ := io.ReadAll(screen) // the output, and then EIO because nobody can write any more
	// 37 characters before the mention, and 38 after it. A terminal writes LF as CR LF.
	want := "…" + before[61-36:] + "[stomach ulcer]" + after[:37] + "…\r\n" +
		fmt.Sprintf("%-40s", " → A stomach ulcer") + " · name: stomach ulcer\r\n"
	must.Equal(t, string(got), want, "the screen")
}

// TestHelpOnTerminal prints help to a terminal of 90 characters: the same words, wrapped to fit.
func TestHelpOnTerminal(t *testing.T) {
	for _, args := range [][]string{{"link", "-h"}, {"link", "--help"}, {"--help"}} {
		screen, terminal := openTerminal(t, 90)
		shown := make(chan string)
		go func() {
			all, _ := io.ReadAll(screen)
			shown <- string(all)
		}()
		var piped, stderr bytes.Buffer
		for _, w := range []io.Writer{terminal, &piped} {
			if code := run(t.Context(), args, strings.NewReader(""), w, &stderr); code != exitDone {
				t.Fatalf("%q: exit %d: %s", args, code, &stderr)
			}
		}
		terminal.Close()
		got := <-shown
		must.Equal(t, strings.Fields(got), strings.Fields(piped.String()), args, "words, piped and terminal")
		flags, _, _ := strings.Cut(got[strings.Index(got, "lags:\r\n"):], "Examples:")
		for line := range strings.Lines(flags) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\r\n")); n > 90 {
				t.Errorf("%q: a line of %d characters: %q", args, n, line)
			}
		}
	}
}
