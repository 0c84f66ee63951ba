package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"ctxnorm/bench/measure"
)

// readJSON reads a file of JSON into to.
func readJSON(path string, to any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// corpusLine is what a corpus holds: the totals of its manifest, the distinct names
// of its dictionary, and the bytes of its input and its files.
func corpusLine(dir string) (measure.Line, error) {
	var manifest struct {
		Settings struct{ Dictionary struct{ Names float64 } }
		Inputs   []struct{ Bytes float64 }
		Totals   measure.Line
	}
	if err := readJSON(filepath.Join(dir, "manifest.json"), &manifest); err != nil {
		return nil, err
	}
	line := measure.Line{}
	maps.Copy(line, manifest.Totals)
	line["names_of_dictionary"] = manifest.Settings.Dictionary.Names
	input := 0.0
	for _, in := range manifest.Inputs {
		input += in.Bytes
	}
	line["input_bytes"] = input
	for _, name := range []string{"sentences", "records", "pairs"} {
		info, err := os.Stat(filepath.Join(dir, name+".parquet"))
		if err != nil {
			return nil, err
		}
		line[name+"_bytes"] = float64(info.Size())
	}
	return line, nil
}

// modelLine is what a model holds, rows of its indexes and bytes of all its files,
// and the records of the corpus that it was made from.
func modelLine(dir, corpus string) (measure.Line, error) {
	var manifest struct {
		Dictionary struct{ Names, Concepts float64 }
		Index      struct{ Names, Contexts float64 }
		Files      map[string]struct{ Size float64 }
	}
	if err := readJSON(filepath.Join(dir, "manifest.json"), &manifest); err != nil {
		return nil, err
	}
	from, err := corpusLine(corpus)
	if err != nil {
		return nil, err
	}
	size := 0.0
	for _, file := range manifest.Files {
		size += file.Size
	}
	return measure.Line{
		"names_of_dictionary": manifest.Dictionary.Names, "concepts": manifest.Dictionary.Concepts,
		"names": manifest.Index.Names, "contexts": manifest.Index.Contexts, "model_bytes": size, "records": from["records"],
	}, nil
}

// trainedLine is that of a trained model with the seconds of a step: those between
// the first and the last, which leaves out starting.
func trainedLine(dir, corpus string) (measure.Line, error) {
	line, err := modelLine(dir, corpus)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(dir, "training", "curve.jsonl"))
	if err != nil {
		return nil, err
	}
	steps, err := measure.ParseLines(data)
	if err != nil {
		return nil, err
	}
	if len(steps) < 2 {
		return nil, fmt.Errorf("%s: %d steps, want two or more", dir, len(steps))
	}
	first, err := steps[0].Number("seconds")
	if err != nil {
		return nil, err
	}
	last, err := steps[len(steps)-1].Number("seconds")
	line["step_ms"] = 1000 * (last - first) / float64(len(steps)-1)
	return line, err
}

// knnLine is the line of ours knn.
func knnLine(out []byte) (measure.Line, error) {
	lines, err := measure.ParseLines(out)
	if err != nil {
		return nil, err
	}
	return lines[0], nil
}
