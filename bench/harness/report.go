package harness

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// An ExitCode is an error that the report explains: [Main] exits with it and prints no message.
type ExitCode int

func (c ExitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// Main parses the flags of a struct (see [ParseFlags]) unless it is nil, runs a program until it ends, fails by [Check]
// or is interrupted, and exits with 0, with the program's [ExitCode], or with 2 after another error.
func Main(name string, options any, run func(ctx context.Context)) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	program = name
	err := Try(func() {
		if options != nil {
			ParseFlags(options, name, os.Args[1:])
		}
		run(ctx)
	})
	stop()
	code := ExitCode(0)
	if err != nil && !errors.Is(err, flag.ErrHelp) && !errors.As(err, &code) {
		Log("%v", err)
		code = 2
	}
	os.Exit(int(code))
}

var program = "bench" // prefix of log messages

// Log prints progress to standard error, because standard output is for the report.
func Log(format string, args ...any) { fmt.Fprintf(os.Stderr, program+": "+format+"\n", args...) }

// Machine describes the machine of the measurements, with the load average of 1, 5 and 15 minutes before the first
// process. Fields that /proc does not have stay empty.
func Machine() string {
	var features []string // only those that the kernels use
	for _, flag := range strings.Fields(procField("cpuinfo", "flags")) {
		if slices.Contains([]string{"avx2", "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16"}, flag) {
			features = append(features, flag)
		}
	}
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	loadavg, _ := os.ReadFile("/proc/loadavg")
	loads := strings.Fields(string(loadavg))
	return fmt.Sprintf("%s, %d cores (%s), %.1f GB, Linux %s, %s; load before %s", procField("cpuinfo", "model name"), runtime.NumCPU(),
		strings.Join(features, " "), procKB("meminfo", "MemTotal")/(1<<20), strings.TrimSpace(string(release)), runtime.Version(), strings.Join(loads[:min(3, len(loads))], " "))
}

// PeakMB returns the largest resident memory of a process so far in MiB, 0 if it has ended.
func PeakMB(pid int) float64 { return procKB(fmt.Sprintf("%d/status", pid), "VmHWM") / 1024 }

// Size returns the size of a file, or of the files in a folder, each rounded up to whole units, in bytes.
func Size(path string, unit int64) (size int64) {
	Check(filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		Check(err)
		if !entry.IsDir() {
			size += (Get(entry.Info()).Size() + unit - 1) / unit * unit
		}
		return nil
	}))
	return size
}

// procKB returns a field of kilobytes, 0 if it is not there.
func procKB(file, name string) float64 {
	kb, _ := strconv.ParseFloat(strings.TrimSuffix(procField(file, name), " kB"), 64)
	return kb
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

// Save writes a report as dir/NAME.md, or as NAME-2.md and so on if the name is taken, and returns the path.
func Save(dir, name, markdown string) string {
	Check(os.MkdirAll(dir, 0o755))
	path := filepath.Join(dir, name+".md")
	for n := 2; ; n++ {
		if _, err := os.Stat(path); err != nil {
			Check(os.WriteFile(path, []byte(markdown), 0o644))
			return path
		}
		path = filepath.Join(dir, fmt.Sprintf("%s-%d.md", name, n))
	}
}

// Redact replaces folders of this machine where they begin a word: of each pair the first by the second.
func Redact(text string, folders ...[2]string) string {
	for _, folder := range folders {
		if folder[0] != "" {
			text = strings.ReplaceAll(text, " "+folder[0], " "+folder[1])
		}
	}
	return text
}

// Table formats a table of GitHub Flavored Markdown. The first words columns are aligned left, the others right.
func Table(header []string, words int, rows [][]string) string {
	rule := slices.Concat(slices.Repeat([]string{"---"}, words), slices.Repeat([]string{"---:"}, len(header)-words))
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
