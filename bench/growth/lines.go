package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"

	"github.com/google/renameio/v2"
)

// makeLines runs a command and writes the lines of its output, over and over until
// there are as many as asked for: growth lines --out F --count N -- COMMAND...
func makeLines(args []string) error {
	flags := flag.NewFlagSet("lines", flag.ContinueOnError)
	out := flags.String("out", "", "`file` to write")
	count := flags.Int("count", 0, "lines of it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	command := flags.Args()
	if *out == "" || *count < 1 || len(command) == 0 {
		return errors.New("want --out, --count of 1 or more and a command")
	}
	output, err := exec.Command(command[0], command[1:]...).Output()
	if err != nil {
		return fmt.Errorf("%s: %w", command[0], err)
	}
	return writeLines(*out, bytes.SplitAfter(output, []byte("\n")), *count)
}

// writeLines writes count of the lines, from the first again after the last.
func writeLines(path string, lines [][]byte, count int) error {
	if n := len(lines); n > 0 && len(lines[n-1]) == 0 { // behind the last line's end
		lines = lines[:n-1]
	}
	if len(lines) == 0 {
		return errors.New("there are no lines")
	}
	file, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer file.Cleanup()
	w := bufio.NewWriter(file)
	for i := range count {
		if _, err := w.Write(lines[i%len(lines)]); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return file.CloseAtomicallyReplace()
}

// linesOf reads the lines of a file, with their ends.
func linesOf(path string) ([][]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return bytes.SplitAfter(bytes.TrimRight(data, "\n"), []byte("\n")), nil
}
