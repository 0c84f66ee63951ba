package tokenizer

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// FuzzOpen opens folders with any files, and tokenizes with the ones that open.
func FuzzOpen(f *testing.F) {
	const vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nrenal\n##s\n"
	f.Add([]byte(nil), []byte(vocabulary), []byte(`{"do_lower_case": true}`), []byte(`{"sep_token": {"content": "[SEP]"}}`))
	f.Add([]byte(nil), []byte("<s>\n"+vocabulary), []byte(`{"cls_token": "<s>", "model_max_length": 1e30}`), []byte(nil))
	dir := f.TempDir()
	writeFile(f, filepath.Join(dir, vocabularyFile), vocabulary)
	must.Succeed(f, openTokenizer(f, dir).Save(dir))
	definition := must.Get(os.ReadFile(filepath.Join(dir, definitionFile)))
	f.Add(definition, []byte(nil), []byte(nil), []byte(nil))
	f.Fuzz(func(t *testing.T, definition, vocabulary, config, special []byte) {
		dir := t.TempDir()
		for name, content := range map[string][]byte{definitionFile: definition, vocabularyFile: vocabulary, configFile: config, specialFile: special} {
			if len(content) > 0 {
				writeFile(t, filepath.Join(dir, name), string(content))
			}
		}
		tok, err := Open(dir)
		if err != nil {
			return
		}
		defer tok.Close()
		if tok.Size() < 1 {
			t.Fatalf("opens with %d tokens", tok.Size())
		}
		tok.CountTokens("renal failures \u75c5 in the")
	})
}
