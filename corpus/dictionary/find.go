package dictionary

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Find is the path of the one file called dictionary.* in dir. Where there is
// none the error is an [fs.ErrNotExist]; where there are several it names them.
func Find(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var found []string
	for _, entry := range entries {
		if !entry.IsDir() && strings.HasPrefix(entry.Name(), "dictionary.") && !strings.HasSuffix(entry.Name(), "~") {
			found = append(found, entry.Name())
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("%s: no file called dictionary.*: %w", dir, fs.ErrNotExist)
	case 1:
		return filepath.Join(dir, found[0]), nil
	}
	return "", fmt.Errorf("%s: %d files called dictionary.*, want one: %s", dir, len(found), strings.Join(found, ", "))
}
