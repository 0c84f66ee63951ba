package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Machine describes where the figures were taken.
type Machine struct {
	CPU      string
	Cores    int
	Features []string // those that the kernels use
	MemoryGB float64
	System   string
	Go       string
	Load     string // averages of 1, 5 and 15 minutes, before the first process
}

// DescribeMachine reads /proc. What it does not find stays empty.
func DescribeMachine() Machine {
	m := Machine{Cores: runtime.NumCPU(), Go: runtime.Version(), CPU: procField("cpuinfo", "model name")}
	for _, flag := range strings.Fields(procField("cpuinfo", "flags")) {
		if slices.Contains([]string{"avx2", "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16"}, flag) {
			m.Features = append(m.Features, flag)
		}
	}
	if kb, err := strconv.ParseFloat(strings.TrimSuffix(procField("meminfo", "MemTotal"), " kB"), 64); err == nil {
		m.MemoryGB = float64(int(kb/(1<<20)*10)) / 10
	}
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	m.System = strings.TrimSpace("Linux " + string(release))
	loadavg, _ := os.ReadFile("/proc/loadavg")
	loads := strings.Fields(string(loadavg))
	m.Load = strings.Join(loads[:min(3, len(loads))], " ")
	return m
}

// procField returns the value of the first "name : value" line of a file in /proc.
func procField(file, name string) string {
	data, _ := os.ReadFile(filepath.Join("/proc", file))
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func (m Machine) String() string {
	return fmt.Sprintf("%s, %d cores (%s), %g GB, %s, %s; load before %s",
		m.CPU, m.Cores, strings.Join(m.Features, " "), m.MemoryGB, m.System, m.Go, m.Load)
}

// Save writes a report as dir/NAME.md, or as NAME-2.md and so on if the name is taken, and returns the path.
func Save(dir, name, markdown string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		path := filepath.Join(dir, name+".md")
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d.md", name, n))
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = file.WriteString(markdown)
		return path, errors.Join(err, file.Close())
	}
}

// Table formats a table of GitHub Flavored Markdown. The first words columns are
// aligned left, the others right.
func Table(header []string, words int, rows [][]string) string {
	rule := make([]string, len(header))
	for i := range rule {
		if rule[i] = "---:"; i < words {
			rule[i] = "---"
		}
	}
	var b strings.Builder
	for _, row := range append([][]string{header, rule}, rows...) {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	return b.String()
}

// Format formats a number with its unit and three digits or more.
func Format(x float64, unit string) string {
	decimals := 0
	switch {
	case x == 0:
	case x < 1:
		decimals = 4
	case x < 10:
		decimals = 2
	case x < 100:
		decimals = 1
	}
	return strings.TrimSpace(fmt.Sprintf("%.*f %s", decimals, x, unit))
}
