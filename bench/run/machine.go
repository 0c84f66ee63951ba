package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// machine is where the figures were taken.
type machine struct {
	CPU      string   `json:"cpu"`
	Cores    int      `json:"cores"`
	Features []string `json:"features"` // of those that the kernels of either side use
	MemoryGB float64  `json:"memory_gb"`
	System   string   `json:"system"`
	Go       string   `json:"go"`
	Load     string   `json:"load"` // of the last 1, 5 and 15 minutes, before the first round
}

// describeMachine reads what Linux says; what it does not say stays empty.
func describeMachine() machine {
	m := machine{Cores: coresOfMachine(), Go: runtime.Version()}
	info := fieldsOf("/proc/cpuinfo")
	m.CPU = info["model name"]
	for _, flag := range strings.Fields(info["flags"]) {
		if slices.Contains([]string{"avx2", "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16"}, flag) {
			m.Features = append(m.Features, flag)
		}
	}
	if kb, err := strconv.ParseFloat(strings.TrimSuffix(fieldsOf("/proc/meminfo")["MemTotal"], " kB"), 64); err == nil {
		m.MemoryGB = float64(int(kb/(1<<20)*10)) / 10
	}
	m.System = strings.TrimSpace("Linux " + firstLine("/proc/sys/kernel/osrelease"))
	if load := strings.Fields(firstLine("/proc/loadavg")); len(load) >= 3 {
		m.Load = strings.Join(load[:3], " ")
	}
	return m
}

func coresOfMachine() int { return runtime.NumCPU() }

// fieldsOf reads lines of "name : value", of a name that comes twice the first.
func fieldsOf(path string) map[string]string {
	fields := map[string]string{}
	file, err := os.Open(path)
	if err != nil {
		return fields
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), ":")
		name = strings.TrimSpace(name)
		if _, known := fields[name]; ok && !known {
			fields[name] = strings.TrimSpace(value)
		}
	}
	return fields
}

func firstLine(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return line
}

// peerModules are what the peers' scripts import.
var peerModules = []string{"ahocorasick", "faiss", "flashtext", "hnswlib", "lxml", "numpy", "pubmed_parser",
	"pytorch_metric_learning", "spacy", "torch", "transformers"}

// findModules says which of the peers' modules a Python has, without loading them.
// No Python at all is no module.
func findModules(ctx context.Context, python string) (map[string]bool, error) {
	const script = `import importlib.util, json, sys
print(json.dumps({name: importlib.util.find_spec(name) is not None for name in sys.argv[1:]}))`
	installed := map[string]bool{}
	if _, err := exec.LookPath(python); err != nil {
		say("there is no %s: bench/peers/README.md says how to install the peers", python)
		return installed, nil
	}
	out, err := exec.CommandContext(ctx, python, append([]string{"-c", script}, peerModules...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", python, err)
	}
	if err := json.Unmarshal(out, &installed); err != nil {
		return nil, fmt.Errorf("%s: %w", python, err)
	}
	return installed, nil
}
