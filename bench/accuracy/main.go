// Command accuracy makes the tables of scripts/accuracy.sh.
//
//	accuracy ids FILE…          identifiers of annotated documents, one a line
//	accuracy table FOLDER SET…  tables of all seeds under a folder, as Markdown
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"ctxnorm/corpus/annotated"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	err := run(out, os.Args[1:])
	if err = errors.Join(err, out.Flush()); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(2)
	}
}

func run(w io.Writer, args []string) error {
	switch {
	case len(args) > 1 && args[0] == "ids":
		return printIDs(w, args[1:])
	case len(args) > 2 && args[0] == "table":
		seeds, err := readSeeds(args[1], args[2:])
		if err != nil {
			return err
		}
		return writeTables(w, seeds, args[2:])
	}
	return errors.New("usage: accuracy ids FILE… | accuracy table FOLDER SET…")
}

// printIDs prints the identifiers of the documents in annotated files.
func printIDs(w io.Writer, files []string) error {
	for _, file := range files {
		if err := printIDsOf(w, file); err != nil {
			return err
		}
	}
	return nil
}

func printIDsOf(w io.Writer, file string) error {
	in, err := annotated.Open(file, annotated.Options{})
	if err != nil {
		return err
	}
	defer in.Close()
	for {
		doc, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w, doc.ID); err != nil {
			return err
		}
	}
}
