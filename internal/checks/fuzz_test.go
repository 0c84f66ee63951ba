package checks

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestFuzzTargets compares what scripts/fuzz.sh lists, which ossfuzz/build.sh compiles, with the fuzz targets of the
// module. The build of OSS-Fuzz finds a target by its name, also as the start of another, in its folder and those
// below, and passes over one that it finds twice; nor does it compile targets of packages named x_test.
func TestFuzzTargets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts/fuzz.sh needs bash")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("scripts/fuzz.sh needs git")
	}
	var want []string
	targets := make(map[string][]string) // by folder
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && path != "." && (d.Name()[0] == '.' || d.Name() == "build") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Fuzz") || f.Recv != nil {
				continue
			}
			targets[dir] = append(targets[dir], f.Name.Name)
			want = append(want, dir+" "+f.Name.Name)
			if strings.HasSuffix(file.Name.Name, "_test") {
				t.Errorf("%s: %s is in package %s, want it in the package that it tests", path, f.Name.Name, file.Name.Name)
			}
		}
		return nil
	})
	if err != nil || len(want) < 50 {
		t.Fatalf("found %d targets, want at least 50: %v", len(want), err)
	}
	for dir, names := range targets {
		for _, name := range names {
			found := 0
			for other, of := range targets {
				if other != dir && !strings.HasPrefix(other, dir+"/") {
					continue
				}
				for _, o := range of {
					if strings.HasPrefix(o, name) {
						found++
					}
				}
			}
			if found > 1 {
				t.Errorf("%s: %s is the start of %d names of targets there, want another name", dir, name, found)
			}
		}
	}
	out, err := exec.Command("scripts/fuzz.sh", "-l").Output()
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		listed = append(listed, strings.Join(words[:min(2, len(words))], " "))
	}
	slices.Sort(want)
	slices.Sort(listed)
	if diff := gocmp.Diff(want, listed); diff != "" {
		t.Errorf("the targets differ (-of the code +of scripts/fuzz.sh -l):\n%s", diff)
	}
}
