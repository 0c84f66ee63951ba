//go:build torch

package tensor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// legacyFile returns a file as torch.save wrote before PyTorch 1.6: its dictionary is the tuple of a
// reference to a storage, and storages follow the list of keys.
func legacyFile(reference, keys, storages string) string {
	return legacyMagic + "\x80\x02M\xe9\x03." + "\x80\x02}q\x00." + "\x80\x02" + reference + "." + "\x80\x02" + keys + "." + storages
}

const (
	oneFloat = "(X\x07\x00\x00\x00storageq\x00ctorch\nFloatStorage\nq\x01X\x01\x00\x00\x00aq\x02X\x03\x00\x00\x00cpuq\x03K\x01NtQ"
	oneKey   = "]q\x00X\x01\x00\x00\x00aq\x01a"
)

// TestCheckLegacy checks storages against what the dictionary says of them. "" stands for a file that
// is passed on.
func TestCheckLegacy(t *testing.T) {
	one := "\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x3f"
	for content, want := range map[string]string{
		legacyFile(oneFloat, oneKey, one):                                   "",
		legacyFile(oneFloat, "]q\x00(X\x01\x00\x00\x00aq\x01e", one):        "",
		legacyFile(oneFloat, "]q\x00", ""):                                  "",
		legacyFile(oneFloat, oneKey, "\x00\x00\x00\x00\x02\x00\x00\x00"):    `the storage "a" has 8589934592 elements, want 1`,
		legacyFile(oneFloat, oneKey, one[:11]):                              `the storage "a": unexpected EOF`,
		legacyFile(oneFloat, oneKey, ""):                                    `the storage "a": unexpected EOF`,
		legacyFile(oneFloat, "]X\x01\x00\x00\x00ba", one):                   `the storage "b" is not in the dictionary`,
		legacyFile(oneFloat, "]X\x01\x00\x00\x00aX\x01\x00\x00\x00aa", one): "opcode 0x58 of the pickle of the keys: want a list of strings",
		legacyFile(oneFloat, "}", one):                                      "opcode 0x7d of the pickle of the keys: want a list of strings",
		// What would be a small negative integer.
		legacyFile("X\x26\xef\xff\xff", oneKey, one): "opcode 0x58 of a pickle: the length 4294962982",
		// The class is another after what looks like one.
		legacyFile(strings.Replace(oneFloat, "ctorch\nFloatStorage\nq\x01", "ctorch\nFloatStorage\n0ctorch\nDoubleStorage\n", 1), oneKey, one): "opcode 0x51 of a pickle: is no reference to a storage",
		legacyFile(strings.Replace(oneFloat, "Float", "Object", 1), oneKey, one):                                                               "want a class, a key, a place and a number of elements",
		legacyFile("("+oneFloat+strings.Replace(oneFloat, "K\x01", "K\x02", 1)+"t", oneKey, one):                                               `the storage "a" is once {1 4} and once {2 4}`,
		legacyFile("\x95\x00\x00\x00\x00\x00\x00\x00\x00N", oneKey, one):                                                                       "opcode 0x95 of a pickle: is not of this kind of file",
	} {
		path := filepath.Join(t.TempDir(), "pytorch_model.bin")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := checkPickleFile(path); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error is %v, want %q", content, err, want)
		}
	}
}
