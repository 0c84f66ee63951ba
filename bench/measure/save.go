package measure

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Save writes a report as dir/NAME.json and, for a reader, NAME.md; or as NAME-2 and
// on where there is one of that name, which markdown is told. It gives the path
// without its end.
func Save(dir, name string, report any, markdown func(name string) string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		path := filepath.Join(dir, name)
		if n > 1 {
			path = fmt.Sprintf("%s-%d", path, n)
		}
		file, err := os.OpenFile(path+".json", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		encoder := json.NewEncoder(file)
		encoder.SetIndent("", " ")
		encoder.SetEscapeHTML(false)
		if err := errors.Join(encoder.Encode(report), file.Close()); err != nil {
			return "", err
		}
		return path, os.WriteFile(path+".md", []byte(markdown(filepath.Base(path))), 0o644)
	}
}

// Amount writes a number with three digits at least.
func Amount(x float64, unit string) string {
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
