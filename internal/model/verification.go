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

// checkFile compares a file of the model with the manifest, before it is read. A model that is being built lists no file
// yet.
func (m *Model) checkFile(name string) error {
	if m.folder == nil {
		return nil
	}
	return m.Manifest.checkFile(m.Dir, name)
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
