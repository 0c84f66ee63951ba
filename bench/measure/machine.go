package measure

import (
	"bufio"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Machine is where the figures were taken.
type Machine struct {
	CPU      string   `json:"cpu"`
	Cores    int      `json:"cores"`
	Features []string `json:"features"` // of those that the kernels use
	MemoryGB float64  `json:"memory_gb"`
	System   string   `json:"system"`
	Go       string   `json:"go"`
	Load     string   `json:"load"` // of the last 1, 5 and 15 minutes, before the first process
}

// DescribeMachine reads what Linux says; what it does not say stays empty.
func DescribeMachine() Machine {
	m := Machine{Cores: runtime.NumCPU(), Go: runtime.Version()}
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
