package main

import (
	"context"
	"fmt"

	"ctxnorm/bench/measure"
)

// side is one of the two that are compared: a program and what it prints.
type side struct {
	name    string   // "lxml 6.1.3"'s first word; "ours"
	command []string // with its arguments
	threads int
	fresh   string                                   // file or folder that is removed before it starts
	read    func(out []byte) ([]measure.Line, error) // nil: lines of JSON on standard output
	pick    func(lines []measure.Line) measure.Line  // which of several lines; nil: the first
}

// run starts the side and waits for its end. To the line that it printed it adds
// wall_seconds, process_cpu_seconds and peak_mb of the whole process.
func (s *side) run(ctx context.Context) (measure.Line, error) {
	command := measure.Command{Args: s.command, Threads: s.threads, Fresh: s.fresh}
	out, usage, err := command.Run(ctx)
	if err != nil {
		return nil, err
	}
	read := s.read
	if read == nil {
		read = measure.ParseLines
	}
	lines, err := read(out)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", command, err)
	}
	l := lines[0]
	if s.pick != nil {
		l = s.pick(lines)
	}
	l["wall_seconds"] = usage.Wall
	l["process_cpu_seconds"] = usage.CPU
	l["peak_mb"] = usage.PeakMB
	return l, nil
}
