package main

import (
	"slices"
	"strconv"
)

// steps lists the steps of all seeds in their order.
func steps(seeds []seed) []string {
	var names []string
	for i := range seeds {
		for _, s := range seeds[i].steps {
			if !slices.Contains(names, s.name) {
				names = append(names, s.name)
			}
		}
	}
	return names
}

// step is the step of that name; nil where it was not run.
func (s *seed) step(name string) *step {
	i := slices.IndexFunc(s.steps, func(s step) bool { return s.name == name })
	if i < 0 {
		return nil
	}
	return &s.steps[i]
}

func minuteTable(seeds []seed) table {
	t := table{title: "Minutes", header: []string{"step"}, words: 1}
	for i := range seeds {
		t.header = append(t.header, "seed "+strconv.Itoa(seeds[i].number), "version")
	}
	for _, name := range steps(seeds) {
		row := []string{name}
		for i := range seeds {
			if s := seeds[i].step(name); s != nil {
				row = append(row, s.minutes, s.version)
			} else {
				row = append(row, "-", "-")
			}
		}
		t.add(row...)
	}
	return t
}

// commandTable has the commands of the first seed that ran a step.
func commandTable(seeds []seed) table {
	t := table{title: "Commands", header: []string{"step", "command"}, words: 2}
	for _, name := range steps(seeds) {
		for i := range seeds {
			if s := seeds[i].step(name); s != nil {
				t.add(name, "`"+s.command+"`")
				break
			}
		}
	}
	return t
}
