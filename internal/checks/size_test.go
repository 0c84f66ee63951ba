package checks

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	root = "."               // the folder of the repository, in which all tests run
	here = "internal/checks" // the folder of these tests
)

func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

var update = flag.Bool("update", false, "write anew what a test compares with: imports.txt, sizes.txt, examples/quality.golden, testdata/v0.1.0")

// sizesFile holds the ceilings of TestSize: a row for each package and each measure, "name, number outside tests,
// number in tests".
const sizesFile = "sizes.txt"

// lineWidth is the number of columns that a line of code has at most: a longer one counts as several.
const lineWidth = 120

// sizes holds what a row of sizesFile measures outside tests and in tests, by its name.
type sizes map[string]*[2]int

func (s sizes) add(name string, column, n int) {
	if s[name] == nil {
		s[name] = new([2]int)
	}
	s[name][column] += n
}

// String returns s as sizesFile has it.
func (s sizes) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(&b, "%s\t%d\t%d\n", name, s[name][0], s[name][1])
	}
	return b.String()
}

func parseSizes(list string) (sizes, error) {
	s := make(sizes)
	for line := range strings.Lines(list) {
		name, numbers, _ := strings.Cut(line, "\t")
		var n [2]int
		if _, err := fmt.Sscanf(numbers, "%d\t%d\n", &n[0], &n[1]); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", sizesFile, line, err)
		}
		s[name] = &n
	}
	return s, nil
}

// TestSize holds the size of each package and of the whole to the ceilings in sizesFile. With -update the file
// gets today's figures: a commit that raises one says why, and lowers another.
func TestSize(t *testing.T) {
	found, err := measureRepository()
	if errors.Is(err, errNoCheckout) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(filepath.Join(here, sizesFile), []byte(found.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, err := os.ReadFile(filepath.Join(here, sizesFile))
	if err != nil {
		t.Fatal(err)
	}
	ceilings, err := parseSizes(string(list))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range sizeFaults(ceilings, found) {
		t.Error(fault)
	}
}

// sizeFaults lists what is larger than its ceiling, and the rows that the file lacks or has for nothing.
func sizeFaults(ceilings, found sizes) []string {
	var faults []string
	for _, name := range slices.Sorted(maps.Keys(found)) {
		ceiling := cmp.Or(ceilings[name], new([2]int))
		for column, where := range [...]string{"outside tests", "in tests"} {
			if n := found[name][column]; n > ceiling[column] {
				faults = append(faults, fmt.Sprintf("%s: %d %s, want at most %d: take out as many, or say why in the commit that raises it with -update",
					name, n, where, ceiling[column]))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ceilings)) {
		if found[name] == nil {
			faults = append(faults, fmt.Sprintf("%s has a row for %s, which is not there", sizesFile, name))
		}
	}
	return faults
}

var errNoCheckout = errors.New("sizes are those of the files that git tracks, and this is no checkout")

// measureRepository measures all files of the checkout that git tracks or does not ignore.
func measureRepository() (sizes, error) {
	list, err := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errNoCheckout, err)
	}
	found := make(sizes)
	code := newCodeMeasure(found)
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		content, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, fs.ErrNotExist) { // removed, and not yet in the index
			continue
		}
		if err != nil {
			return nil, err
		}
		measureFile(found, name, content)
		if path.Ext(name) == ".go" && !strings.Contains(name, "testdata/") {
			if err := code.add(name, content); err != nil {
				return nil, err
			}
		}
	}
	code.finish()
	return found, nil
}

// measureFile adds the lines or words of one file.
func measureFile(found sizes, name string, content []byte) {
	lines := 0
	for line := range bytes.Lines(content) {
		lines += 1 + max(0, utf8.RuneCount(bytes.TrimRight(line, "\r\n"))-1)/lineWidth
	}
	folder, extension := path.Dir(name), path.Ext(name)
	switch {
	case extension == ".go":
		column := 0
		if strings.HasSuffix(name, "_test.go") {
			column = 1
		}
		found.add("Go", column, lines)
		if !isOther(name) {
			found.add("Go without bench, asmgen and distributed", column, lines)
		}
		found.add("package "+folder, column, lines)
		if folder == "." {
			found.add("Go files in the root", 0, 1)
		}
	case strings.HasPrefix(name, "testdata/") || strings.Contains(name, "/testdata/"):
		found.add("lines of test data", 0, lines)
	case extension == ".md" && (folder == "." || folder == "docs") && name != "CONTRIBUTING.md" && name != "SECURITY.md":
		found.add("words of README, ARCHITECTURE, CHANGELOG and docs", 0, len(strings.Fields(string(content))))
	case slices.Contains([]string{".s", ".py", ".js", ".sh", ".html", ".css"}, extension):
		found.add("lines of "+extension, 0, lines)
	case slices.Contains([]string{".txt", ".tsv", ".csv", ".json", ".jsonl"}, extension) && !strings.HasPrefix(name, "bench/"):
		found.add("lines of other data", 0, lines)
	}
}

// isOther reports whether a file is measured beside the program: its generators, benchmarks and cluster pipeline.
func isOther(name string) bool {
	return slices.ContainsFunc([]string{"bench/", "internal/asmgen/", "distributed/"}, func(folder string) bool { return strings.HasPrefix(name, folder) })
}

var optionStruct = regexp.MustCompile(`(?i)(options|config|flags|settings)$`)

// codeMeasure measures declarations.
type codeMeasure struct {
	found    sizes
	packages map[string]bool            // folders of the main module with code outside tests
	words    map[string]map[string]bool // identifiers of each folder's files
	exported map[string][]string        // names that the public packages export, by folder
}

func newCodeMeasure(found sizes) *codeMeasure {
	return &codeMeasure{found: found, packages: make(map[string]bool), words: make(map[string]map[string]bool), exported: make(map[string][]string)}
}

func (m *codeMeasure) add(name string, content []byte) error {
	positions, folder := token.NewFileSet(), path.Dir(name)
	file, err := parser.ParseFile(positions, name, content, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	user := folder
	if strings.HasSuffix(file.Name.Name, "_test") {
		user += "_test" // whose files see a package from outside
	}
	if m.words[user] == nil {
		m.words[user] = make(map[string]bool)
	}
	m.addWords(user, content)
	if strings.HasSuffix(name, "_test.go") {
		return nil
	}
	m.packages[folder] = m.packages[folder] || !isOther(name)
	isPublic := !isOther(name) && !strings.HasPrefix(name, "cmd/") && !strings.Contains("/"+name, "/internal/")
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			m.export(isPublic, folder, d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.ValueSpec:
					m.export(isPublic, folder, s.Names...)
				case *ast.TypeSpec:
					m.export(isPublic, folder, s.Name)
					if _, isStruct := s.Type.(*ast.StructType); isStruct && optionStruct.MatchString(s.Name.Name) {
						m.found.add("structs of options", 0, 1)
					}
				}
			}
		}
	}
	return nil
}

// addWords adds the identifiers of a file, without those of comments and strings.
func (m *codeMeasure) addWords(folder string, content []byte) {
	var s scanner.Scanner
	positions := token.NewFileSet()
	s.Init(positions.AddFile("", -1, len(content)), content, nil, 0)
	for {
		_, kind, word := s.Scan()
		switch kind {
		case token.EOF:
			return
		case token.IDENT:
			m.words[folder][word] = true
		}
	}
}

func (m *codeMeasure) export(isPublic bool, folder string, names ...*ast.Ident) {
	for _, name := range names {
		if isPublic && name.IsExported() {
			m.exported[folder] = append(m.exported[folder], name.Name)
		}
	}
}

// finish adds what can be counted when all files are known.
func (m *codeMeasure) finish() {
	for _, isMain := range m.packages {
		if isMain {
			m.found.add("packages of the main module", 0, 1)
		}
	}
	m.found.add("exported names without a user outside their package", 0, 0)
	for folder, names := range m.exported {
		for _, name := range names {
			isUsed := false
			for other, words := range m.words {
				isUsed = isUsed || other != folder && words[name]
			}
			if !isUsed {
				m.found.add("exported names without a user outside their package", 0, 1)
			}
		}
	}
}

func TestSizeFaults(t *testing.T) {
	found := make(sizes)
	measureFile(found, "kb/a.go", []byte("package kb\n\n// "+strings.Repeat("x", lineWidth-3)+"\n//"+strings.Repeat("é", lineWidth-1)+"\n"))
	measureFile(found, "kb/a_test.go", []byte("package kb\n"))
	measureFile(found, "bench/run/a.go", []byte("package main"))
	measureFile(found, "README.md", []byte("two words\n"))
	want := "Go\t6\t1\nGo without bench, asmgen and distributed\t5\t1\npackage bench/run\t1\t0\npackage kb\t5\t1\n" +
		"words of README, ARCHITECTURE, CHANGELOG and docs\t2\t0\n"
	if found.String() != want {
		t.Errorf("sizes are\n%swant\n%s", found, want)
	}
	ceilings, err := parseSizes("Go\t6\t0\nGo without bench, asmgen and distributed\t9\t9\npackage gone\t1\t1\npackage kb\t4\t1\nwords of README, ARCHITECTURE, CHANGELOG and docs\t2\t0\n")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, fault := range sizeFaults(ceilings, found) {
		got = append(got, strings.Split(fault, ":")[0])
	}
	if names := strings.Join(got, ", "); names != "Go, package bench/run, package kb, sizes.txt has a row for package gone, which is not there" {
		t.Errorf("faults are of %s", names)
	}
	if _, err := parseSizes("kb\tfive\t1\n"); err == nil {
		t.Error("a number in words is taken")
	}
}
