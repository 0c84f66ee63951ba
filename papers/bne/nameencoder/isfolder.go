package nameencoder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// formFile is the file of a folder that holds its form; it is written last.
const formFile = "bne.json"

// IsFolder reports whether dir holds a name encoder: it has the file that says so.
func IsFolder(dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, formFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
