package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// floodSize is the size of an input that does not end, unpacked: more than the limit of memory.
const floodSize = 3 << 30 // bytes

// cases returns all cases, in the order in which they run.
func (l *lab) cases() ([]hostileCase, error) {
	all := l.fileCases()
	for _, model := range []string{"strings", "graph"} {
		all = append(all, hostileCase{"read-only folder", "link and verify of the model " + model, func(dir string, _ *rand.Rand) error { return l.readReadOnly(model, dir) }})
	}
	for _, row := range rows("commands.txt") {
		all = append(all, hostileCase{"standard output full", row[0], func(dir string, _ *rand.Rand) error { return l.fillOutput(row[0], dir) }})
	}
	damage, err := l.damageCases()
	all = append(append(append(all, l.jobCases()...), l.baseModelCases()...), damage...)
	for _, row := range rows("floods.txt") {
		name, short := strings.CutPrefix(row[0], "*")
		if l.settings.Short && !short {
			continue
		}
		all = append(all, hostileCase{"flood", name, func(dir string, _ *rand.Rand) error { return l.flood(row, dir) }})
	}
	return all, err
}

// flood gives a command an input that does not end, or is nested a million levels deep, or expands. A program that is
// still reading at the limit of time, in bounded memory, passes.
func (l *lab) flood(row []string, dir string) error {
	path := filepath.Join(dir, "flood.gz")
	data, err := floodData(row[2:])
	if err == nil {
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		return err
	}
	o, err := l.run(command{args: l.args(row[1], dir, path), dir: dir})
	if err != nil || strings.HasPrefix(o.exceeded, "not done after") {
		return err
	}
	if bytes.Contains(o.stdout, []byte("root:")) {
		return errors.New("the output has the text of another file")
	}
	return o.fault()
}

// floodData returns the input of a row of floods.txt as a gzip file of a few megabytes: a file of several gzip
// members is the file of their contents.
func floodData(fields []string) ([]byte, error) {
	var parts [3]string // head, unit, tail
	times := -1
	for i, field := range fields {
		if number, unit, counted := strings.Cut(field, `*"`); counted && i == 1 && number != "" && number[0] != '"' {
			n, err := strconv.Atoi(number)
			if err != nil {
				return nil, err
			}
			times, field = n, `"`+unit
		}
		if field == "" {
			continue
		}
		text, err := strconv.Unquote(field)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", field, err)
		}
		parts[i] = text
	}
	data := pack([]byte(parts[0]))
	if times >= 0 {
		data = append(data, pack([]byte(strings.Repeat(parts[1], times)))...)
	} else {
		unit := strings.Repeat(parts[1], max(1, (1<<24)/len(parts[1])))
		data = append(data, bytes.Repeat(pack([]byte(unit)), floodSize/len(unit))...)
	}
	return append(data, pack([]byte(parts[2]))...), nil
}

// fillOutput writes the standard output of a command to a disk that is full.
func (l *lab) fillOutput(line, dir string) error {
	args := l.args(line, dir, "")
	usual, err := l.run(command{args: args, dir: dir})
	if err != nil {
		return err
	}
	if len(usual.stdout) == 0 {
		return fmt.Errorf("the command prints nothing: %s", usual.message())
	}
	o, err := l.behaved(command{args: args, dir: dir, stdout: "/dev/full"})
	if err == nil && (o.exit == 0 || !bytes.Contains(o.stderr, []byte("no space left"))) {
		err = fmt.Errorf("exit status %d, and the lost output is not mentioned: %s", o.exit, o.message())
	}
	return err
}

// fileCases put files of the user's where commands write. The command may refuse or
// work beside them, but every file is there afterwards as it was.
func (l *lab) fileCases() []hostileCase {
	const text = "the user's own\n"
	var all []hostileCase
	for _, row := range rows("files.txt") {
		all = append(all, hostileCase{"files of the user's", row[0], func(dir string, _ *rand.Rand) error {
			target, files := filepath.Join(dir, "x"), strings.Fields(row[3])
			err := l.copyFixture(row[2], target)
			for _, name := range files {
				path := filepath.Join(dir, name)
				err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
			}
			for range 2 { // the command again, too
				o, runErr := l.behaved(command{args: l.args(row[1], dir, target), dir: dir})
				err = errors.Join(err, runErr)
				for _, name := range files {
					if data, readErr := os.ReadFile(filepath.Join(dir, name)); readErr != nil || string(data) != text {
						err = errors.Join(err, fmt.Errorf("exit status %d, and the user's %s is gone or changed", o.exit, name))
					}
				}
			}
			return err
		}})
	}
	return all
}
