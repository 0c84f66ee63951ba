package model

import (
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// A file of an opened model is compared with the manifest before it is parsed or mapped: most when the model is opened,
// the tagger, the recognizer, hidden definitions and the base encoder when they are first needed. training/ is not: no
// answer depends on it.

// checkFile compares a file of the model in dir with the manifest.
func (m *Manifest) checkFile(dir, name string) error {
	digest, listed := m.Files[name]
	if !listed {
		return artifact.Damaged(pathIn(dir, manifestFile), "does not list %s", name)
	}
	return digest.CheckSum(pathIn(dir, name))
}

// checked returns the path of a file of the model, which it compares with the manifest. A model that is being built
// lists no file yet.
func (m *Model) checked(name string) (path string, err error) {
	if m.folder != nil {
		err = m.Manifest.checkFile(m.Dir, name)
	}
	return m.path(name), err
}

// checkFolder compares the files in a folder of the model in dir with the manifest.
func (m *Manifest) checkFolder(dir, folder string) error {
	for _, name := range m.Files.Names() {
		if strings.HasPrefix(name, folder+"/") {
			if err := m.checkFile(dir, name); err != nil {
				return err
			}
		}
	}
	return nil
}
