package checks

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/ast"
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

	"github.com/ctxnorm/ctxnorm/internal/must"
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

// sizesFile holds the limits of TestSize: a row for each package and each measure, "name, number outside tests, number
// in tests".
const sizesFile = "sizes.txt"

// lineWidth is the maximum number of columns of a line of code; a longer line counts as several.
const lineWidth = 120

// sizes maps the name of a row in sizesFile to the numbers outside tests and in tests.
type sizes map[string]*[2]int

func (s sizes) add(name string, column, n int) {
	if s[name] == nil {
		s[name] = new([2]int)
	}
	s[name][column] += n
}

// String formats s as in sizesFile.
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

// TestSize checks the size of each package and of the whole against the limits in sizesFile. With -update it writes the
// present sizes: a commit that raises one explains why, and lowers another.
func TestSize(t *testing.T) {
	found, err := measureRepository()
	if errors.Is(err, errNoCheckout) {
		t.Skip(err)
	}
	must.Succeed(t, err)
	if *update {
		must.Succeed(t, os.WriteFile(filepath.Join(here, sizesFile), []byte(found.String()), 0o666))
	}
	list := must.Get(os.ReadFile(filepath.Join(here, sizesFile)))
	ceilings := must.Get(parseSizes(string(list)))
	for _, fault := range sizeFaults(ceilings, found) {
		t.Error(fault)
	}
}

// sizeFaults lists sizes above their limits, and missing or unnecessary rows in the file.
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
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		content, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, fs.ErrNotExist) { // removed, but still in the index
			continue
		}
		if err != nil {
			return nil, err
		}
		measureFile(found, name, content)
	}
	all, err := sources()
	if err == nil {
		measureCode(found, all)
	}
	return found, err
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
	case slices.Contains([]string{".txt", ".tsv", ".csv", ".json", ".jsonl"}, extension) && !strings.HasPrefix(name, "bench/results/"):
		found.add("lines of other data", 0, lines)
	}
}

// isOther reports whether a file is measured separately from the program: generators, benchmarks and the cluster
// pipeline.
func isOther(name string) bool {
	return slices.ContainsFunc([]string{"bench/", "internal/asmgen/", "distributed/"}, func(folder string) bool { return strings.HasPrefix(name, folder) })
}

var optionStruct = regexp.MustCompile(`(?i)(options|config|flags|settings)$`)

// measureCode counts packages, structs of options, and exported names of public packages that no file outside their
// package uses. A test in package x_test counts as outside.
func measureCode(found sizes, all []*source) {
	words := make(map[string]map[string]bool) // identifiers in each package
	exported := make(map[string][]string)     // in the public packages
	packages := make(map[string]bool)         // in the main module
	for _, s := range all {
		user := s.folder
		if strings.HasSuffix(s.Name.Name, "_test") {
			user += "_test"
		}
		if words[user] == nil {
			words[user] = make(map[string]bool)
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			if word, ok := n.(*ast.Ident); ok {
				words[user][word.Name] = true
			}
			return true
		})
		if s.isTest {
			continue
		}
		packages[s.folder] = packages[s.folder] || !s.isOther
		for _, d := range s.declarations() {
			if _, isStruct := d.typ.(*ast.StructType); isStruct && d.isType && optionStruct.MatchString(d.name.Name) {
				found.add("structs of options", 0, 1)
			}
			calledByJSON := d.name.Name == "MarshalText"
			if d.isExported() && !calledByJSON && !s.isOther && !s.isBelow("cmd") && !s.isBelow("internal") {
				exported[s.folder] = append(exported[s.folder], d.name.Name)
			}
		}
	}
	for _, isMain := range packages {
		if isMain {
			found.add("packages of the main module", 0, 1)
		}
	}
	unused := 0
	for folder, names := range exported {
		for _, name := range names {
			isUsed := false
			for other := range words {
				isUsed = isUsed || other != folder && words[other][name]
			}
			if !isUsed {
				unused++
			}
		}
	}
	found.add("exported names without a user outside their package", 0, unused)
}

func TestSizeFaults(t *testing.T) {
	found := make(sizes)
	measureFile(found, "kb/a.go", []byte("package kb\n\n// "+strings.Repeat("x", lineWidth-3)+"\n//"+strings.Repeat("é", lineWidth-1)+"\n"))
	measureFile(found, "kb/a_test.go", []byte("package kb\n"))
	measureFile(found, "bench/run/a.go", []byte("package main"))
	measureFile(found, "README.md", []byte("two words\n"))
	want := "Go\t6\t1\nGo without bench, asmgen and distributed\t5\t1\npackage bench/run\t1\t0\npackage kb\t5\t1\n" +
		"words of README, ARCHITECTURE, CHANGELOG and docs\t2\t0\n"
	must.Equal(t, found.String(), want, "sizes")
	ceilings := must.Get(parseSizes("Go\t6\t0\nGo without bench, asmgen and distributed\t9\t9\npackage gone\t1\t1\npackage kb\t4\t1\nwords of README, ARCHITECTURE, CHANGELOG and docs\t2\t0\n"))
	var got []string
	for _, fault := range sizeFaults(ceilings, found) {
		got = append(got, strings.Split(fault, ":")[0])
	}
	must.Equal(t, strings.Join(got, ", "),
		"Go, package bench/run, package kb, sizes.txt has a row for package gone, which is not there", "faults are")
	_, err := parseSizes("kb\tfive\t1\n")
	must.Fail(t, err, "", "a number in words is taken")
}
