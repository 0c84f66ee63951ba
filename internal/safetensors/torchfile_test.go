package safetensors

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// legacyFile returns a file in the format of torch.save before PyTorch 1.6, with one tensor of one number.
func legacyFile(reference, keys, storages string) string {
	dictionary := "}X\x01\x00\x00\x00wctorch._utils\n_rebuild_tensor_v2\n(" + reference +
		"K\x00K\x01\x85K\x01\x85\x89ccollections\nOrderedDict\n)RtRs"
	return legacyMagic + "\x80\x02M\xe9\x03." + "\x80\x02}q\x00." + "\x80\x02" + dictionary + "." + "\x80\x02" + keys + "." + storages
}

const (
	oneFloat = "(X\x07\x00\x00\x00storageq\x00ctorch\nFloatStorage\nq\x01X\x01\x00\x00\x00aq\x02X\x03\x00\x00\x00cpuq\x03K\x01NtQ"
	oneKey   = "]q\x00X\x01\x00\x00\x00aq\x01a"
)

// TestLegacyTorchFile compares storages with their descriptions in the dictionary.
func TestLegacyTorchFile(t *testing.T) {
	one := "\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x3f"
	for content, want := range map[string]string{
		legacyFile(oneFloat, oneKey, one):                                "",
		legacyFile(oneFloat, "]q\x00(X\x01\x00\x00\x00aq\x01e", one):     "",
		legacyFile(oneFloat, "]q\x00", ""):                               `tensor "w": is 1 elements from 0 on of a storage of 0`,
		legacyFile(oneFloat, oneKey, "\x00\x00\x00\x00\x02\x00\x00\x00"): `the storage "a" has 8589934592 elements, want 1`,
		legacyFile(oneFloat, oneKey, one[:11]):                           `the storage "a": ends within 4 bytes`,
		legacyFile(oneFloat, "]X\x01\x00\x00\x00ba", one):                `the storage "b" is not in the dictionary`,
		legacyFile(oneFloat, "}", one):                                   "no list of the keys",
		legacyFile("X\x26\xef\xff\xff", oneKey, one):                     "opcode 0x58 of a pickle: ends within 4294962982 bytes",
		legacyFile(strings.Replace(oneFloat, "ctorch\nFloatStorage\nq\x01", "ctorch\nFloatStorage\nctorch\nDoubleStorage\n", 1), oneKey, one): "opcode 0x51 of a pickle: the storage",
		legacyFile(strings.Replace(oneFloat, "Float", "Object", 1), oneKey, one):                                                              "want one of the file",
		legacyFile(oneFloat+"0", oneKey, one):                                   "opcode 0x30 of a pickle: does not occur in files of weights",
		legacyFile(strings.Replace(oneFloat, "K\x01", "K\x02", 1), oneKey, one): `the storage "a" has 1 elements, want 2`,
		legacyMagic + "\x80\x02cos\nsystem\n(X\x04\x00\x00\x00truetR.":          `calls "os.system", want a function of weights`,
		legacyMagic + "\x80\x02ctorch._utils":                                   "opcode 0x63 of a pickle: ends within a line",
		legacyMagic + "}q\x00X\x01\x00\x00\x00ah\x00s)R.":                       `calls "", want a function of weights`,
	} {
		path := filepath.Join(t.TempDir(), "pytorch_model.bin")
		must.Succeed(t, os.WriteFile(path, []byte(content), 0o600))
		file, err := OpenTorch(path)
		if want != "" {
			must.Fail(t, err, want, content)
			continue
		}
		var got [1]float32
		if err == nil {
			err = errors.Join(file.Float32(got[:], "w"), file.Close())
		}
		if err != nil || got[0] != 1 {
			t.Errorf("%q: %v, %v, want 1", content, got, err)
		}
	}
}

func TestHostileTorchFiles(t *testing.T) {
	zipped := func(method uint16, pickle string) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		f, err := w.CreateHeader(&zip.FileHeader{Name: "archive/data.pkl", Method: method})
		if err == nil {
			_, err = f.Write([]byte(pickle))
		}
		must.Succeed(t, errors.Join(err, w.Close()))
		return b.String()
	}
	for name, content := range map[string]string{
		"empty":                       "",
		"zeros":                       strings.Repeat("\x00", 4096),
		"text":                        "version https://git-lfs.github.com/spec/v1\n",
		"command":                     "cos\nsystem\n(S'true'\ntR.",
		"magic number only":           legacyMagic,
		"compressed":                  zipped(zip.Deflate, "\x80\x02}q\x00."),
		"long string":                 zipped(zip.Store, "\x80\x04\x8d\x00\x00\x00\x00\x00\x01\x00\x00"),
		"long bytes":                  zipped(zip.Store, "\x80\x05\x96\x00\x00\x00\x00\x08\x00\x00\x00"),
		"long frame":                  zipped(zip.Store, "\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x40"),
		"large integer":               zipped(zip.Store, "\x80\x02J\xff\xff\xff\x7f."),
		"large long":                  zipped(zip.Store, "\x80\x02\x8a\x06\x00\x00\x00\x00\x00\x01."),
		"long text integer":           zipped(zip.Store, "\x80\x02L99999999999999L\n."),
		"legacy, long string":         legacyMagic + "\x80\x02M\xe9\x03.\x80\x02X\xff\xff\xff\x7f",
		"legacy, a storage of 32 GiB": legacyMagic + "\x80\x02M\xe9\x03.\x80\x02}q\x00.\x80\x02(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x00aX\x03\x00\x00\x00cpuK\x01NtQ.\x80\x02]X\x01\x00\x00\x00aa.\x00\x00\x00\x00\x02\x00\x00\x00",
		"unknown opcode":              zipped(zip.Store, "\x80\x02\xff."),
		"no end":                      zipped(zip.Store, "\x80\x02}"),
	} {
		path := filepath.Join(t.TempDir(), "pytorch_model.bin")
		must.Succeed(t, os.WriteFile(path, []byte(content), 0o600))
		_, err := OpenTorch(path)
		must.Fail(t, err, path, name)
	}
}

// FuzzTorchFile opens zip files with matching checksums, any pickle and any content of a tensor, and files with any
// content. They are read or rejected.
func FuzzTorchFile(f *testing.F) {
	path := filepath.Join("..", "bert", "testdata", "tiny_pickle", "pytorch_model.bin")
	archive := must.Get(zip.OpenReader(path))
	defer archive.Close()
	for _, file := range archive.File {
		if filepath.Base(file.Name) != "data.pkl" {
			continue
		}
		content := must.Get(file.Open())
		data := must.Get(io.ReadAll(content))
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
				member := must.Get(w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store}))
				must.Get(member.Write(content))
			}
			must.Succeed(t, w.Close())
			data = b.Bytes()
		}
		path := filepath.Join(t.TempDir(), "pytorch_model.bin")
		must.Succeed(t, os.WriteFile(path, data, 0o666))
		file, err := OpenTorch(path) // an error is as good as weights
		if err != nil {
			return
		}
		defer file.Close()
		for _, name := range file.Names() {
			n := 1
			for _, size := range file.Shape(name) {
				n *= int(size)
			}
			if n < len(data) { // as ensured by checkShapes of package bert
				_ = file.Float32(make([]float32, n), name)
			}
		}
	})
}
