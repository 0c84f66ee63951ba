//go:build torch

package tensor

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// FuzzOpenPickle opens zip files, whose checksums fit, with any pickle and any content of a
// tensor, and files of any content. They are read or refused.
func FuzzOpenPickle(f *testing.F) {
	path := filepath.Join("..", "bert", "testdata", "tiny_pickle", "pytorch_model.bin")
	archive, err := zip.OpenReader(path)
	if err != nil {
		f.Fatal(err)
	}
	defer archive.Close()
	for _, file := range archive.File {
		if filepath.Base(file.Name) != "data.pkl" {
			continue
		}
		content, err := file.Open()
		if err != nil {
			f.Fatal(err)
		}
		data, err := io.ReadAll(content)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, make([]byte, 64), true)
	}
	f.Add([]byte(legacyMagic+"\x80\x02M\xe9\x03.\x80\x02}q\x00.\x80\x02}q\x00.\x80\x02]q\x00."), []byte{}, false)
	f.Add([]byte(legacyFile(oneFloat, oneKey, "\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x3f")), []byte{}, false)
	f.Add([]byte("\x80\x02ccollections\nOrderedDict\n)R."), []byte{1}, true)
	f.Fuzz(func(t *testing.T, data, storage []byte, zipped bool) {
		if zipped {
			var b bytes.Buffer
			w := zip.NewWriter(&b)
			for name, content := range map[string][]byte{"archive/data.pkl": data, "archive/data/0": storage} {
				member, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := member.Write(content); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			data = b.Bytes()
		}
		path := filepath.Join(t.TempDir(), "pytorch_model.bin")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		_, _ = OpenPickle(path) // an error is as right as weights
	})
}
