package checks

import (
	"go/ast"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestFuzzTargets compares the list in scripts/fuzz.sh, which ossfuzz/build.sh compiles, with the fuzz targets of the
// module. OSS-Fuzz finds a target by its name, or a name that begins with it, in its folder and those below, and skips
// a name that it finds twice. It does not compile targets in packages named x_test.
func TestFuzzTargets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts/fuzz.sh needs bash")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("scripts/fuzz.sh needs git")
	}
	var want []string
	targets := make(map[string][]string) // by folder
	all := must.Get(sources())
	for _, s := range all {
		for _, d := range s.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Fuzz") || f.Recv != nil {
				continue
			}
			targets[s.folder] = append(targets[s.folder], f.Name.Name)
			want = append(want, s.folder+" "+f.Name.Name)
			if strings.HasSuffix(s.Name.Name, "_test") {
				t.Errorf("%s: %s is in package %s, want it in the package that it tests", s.name, f.Name.Name, s.Name.Name)
			}
		}
	}
	if len(want) < 50 {
		t.Fatalf("found %d targets, want at least 50", len(want))
	}
	for dir, names := range targets {
		for _, name := range names {
			isSame := func(target string) bool {
				folder, other, _ := strings.Cut(target, " ")
				return strings.HasPrefix(folder+"/", dir+"/") && strings.HasPrefix(other, name)
			}
			if i := slices.IndexFunc(want, isSame); slices.ContainsFunc(want[i+1:], isSame) {
				t.Errorf("%s: %s is the start of several names of targets there, want another name", dir, name)
			}
		}
	}
	out := must.Get(exec.Command("scripts/fuzz.sh", "-l").Output())
	var listed []string
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		listed = append(listed, strings.Join(words[:min(2, len(words))], " "))
	}
	slices.Sort(want)
	slices.Sort(listed)
	must.Equal(t, listed, want, "the targets differ, of the code and of scripts/fuzz.sh -l")
}
