package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
)

// qualifiers widen a dictionary as real ones are wide: "acute asthma" is a concept
// beside "asthma".
var qualifiers = strings.Fields(`acute chronic recurrent congenital familial juvenile senile benign malignant
	primary secondary idiopathic severe mild early late bilateral unilateral diffuse focal hereditary sporadic
	metastatic refractory`)

// makeWide writes a dictionary that is so many times as large as that of bench/ours:
// every name of every concept again with a qualifier before it, as names of concepts
// of their own. So concepts grow as names do.
func makeWide(args []string) error {
	flags := flag.NewFlagSet("widen", flag.ContinueOnError)
	from := flags.String("from", "", "`file` that ours dictionary wrote")
	out := flags.String("out", "", "`file` to write, .jsonl")
	times := flags.Int("times", 1, "how many times as large")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *from == "" || *out == "" {
		return errors.New("want --from and --out")
	}
	own, err := linesOf(*from)
	if err != nil {
		return err
	}
	rows, err := widen(own, *times)
	if err != nil {
		return fmt.Errorf("%s: %w", *from, err)
	}
	return writeLines(*out, rows, len(rows))
}

// widen gives rows of ["name", ["concept", …]], the own ones first. A name that is
// there already is left out.
func widen(own [][]byte, times int) ([][]byte, error) {
	if times < 1 || times > len(qualifiers)+1 {
		return nil, fmt.Errorf("%d times its size, want 1 to %d", times, len(qualifiers)+1)
	}
	names := make([]string, len(own))
	concepts := make([][]string, len(own))
	taken := make(map[string]bool, times*len(own))
	var rows [][]byte
	add := func(name string, ids []string) error {
		if taken[name] {
			return nil
		}
		taken[name] = true
		row, err := json.Marshal([2]any{name, ids})
		rows = append(rows, append(row, '\n'))
		return err
	}
	for i, row := range own {
		if err := json.Unmarshal(row, &[2]any{&names[i], &concepts[i]}); err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		if err := add(names[i], concepts[i]); err != nil {
			return nil, err
		}
	}
	for _, qualifier := range qualifiers[:times-1] {
		for i, name := range names {
			ids := make([]string, len(concepts[i]))
			for j, id := range concepts[i] {
				ids[j] = id + "-" + qualifier
			}
			if err := add(qualifier+" "+name, ids); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}
