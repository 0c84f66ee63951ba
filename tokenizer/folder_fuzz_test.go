package tokenizer

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzOpen opens folders of any files, and tokenizes with what opens.
func FuzzOpen(f *testing.F) {
	const vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nrenal\n##s\n"
	f.Add([]byte(nil), []byte(vocabulary), []byte(`{"do_lower_case": true}`), []byte(`{"sep_token": {"content": "[SEP]"}}`))
	f.Add([]byte(nil), []byte("<s>\n"+vocabulary), []byte(`{"cls_token": "<s>", "model_max_length": 1e30}`), []byte(nil))
	files, err := filepath.Glob(filepath.Join("testdata", "*", definitionFile))
	if err != nil {
		f.Fatal(err)
	}
	if len(files) == 0 {
		dir := f.TempDir()
		if err := os.WriteFile(filepath.Join(dir, vocabularyFile), []byte(vocabulary), 0o666); err != nil {
			f.Fatal(err)
		}
		t, err := Open(dir)
		if err != nil {
			f.Fatal(err)
		}
		defer t.Close()
		if err := t.Save(dir); err != nil {
			f.Fatal(err)
		}
		files = append(files, filepath.Join(dir, definitionFile))
	}
	for _, path := range files {
		definition, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(definition, []byte(nil), []byte(nil), []byte(nil))
	}
	f.Fuzz(func(t *testing.T, definition, vocabulary, config, special []byte) {
		dir := t.TempDir()
		for name, content := range map[string][]byte{definitionFile: definition, vocabularyFile: vocabulary, configFile: config, specialFile: special} {
			if len(content) == 0 {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
				t.Fatal(err)
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
