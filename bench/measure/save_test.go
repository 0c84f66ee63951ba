package measure

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSaveKeepsEarlierRuns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for _, want := range []string{"a", "a-2", "a-3"} {
		path, err := Save(dir, "a", Line{"is": want}, func(name string) string { return "# " + name })
		if err != nil {
			t.Fatal(err)
		}
		if path != filepath.Join(dir, want) {
			t.Errorf("saved as %s, want %s", path, want)
		}
		for end, text := range map[string]string{".json": "{\n \"is\": \"" + want + "\"\n}\n", ".md": "# " + want} {
			if got, err := os.ReadFile(path + end); err != nil || string(got) != text {
				t.Errorf("%s%s holds %q (%v), want %q", want, end, got, err, text)
			}
		}
	}
}

func TestAmount(t *testing.T) {
	for want, x := range map[string]float64{"0 s": 0, "0.1235 s": .12345, "1.23 s": 1.234, "12.3 s": 12.34, "1235 s": 1234.6} {
		if got := Amount(x, "s"); got != want {
			t.Errorf("%g is %q, want %q", x, got, want)
		}
	}
}
