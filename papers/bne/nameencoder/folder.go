package nameencoder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Names of the files of a folder.
const (
	formFile      = "bne.json" // written last
	weightsFile   = "model.safetensors"
	vectorsFolder = "word-vectors"
)

// IsFolder reports whether dir holds a name encoder: it has the file that says so.
func IsFolder(dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, formFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
