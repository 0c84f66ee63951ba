//go:build !torch

package tokenizer

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestOtherTokenizer: a tokenizer that needs the library is refused, and the error names the build that has it.
func TestOtherTokenizer(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, definitionFile), `{"normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Whitespace"},
"model": {"type": "WordPiece", "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4}}}`)
	const want = ": normalizer is Lowercase, want BertNormalizer: this build reads the tokenizer of BERT alone; " +
		"one made with -tags torch reads others"
	if _, err := Open(dir); err == nil || !strings.HasSuffix(err.Error(), dir+want) {
		t.Errorf("error %v, want %s", err, want)
	}
}
