package tokenizer

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestOpenErrors(t *testing.T) {
	const standard = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nrenal\n"
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"empty folder", nil, "it has neither tokenizer.json nor vocab.txt"},
		{"no [MASK]", map[string]string{"vocab.txt": "[PAD]\n[UNK]\n[CLS]\n[SEP]\n"},
			"vocab.txt: no token [MASK], the mask_token of this folder"},
		{"names of other tokens", map[string]string{"vocab.txt": standard, "tokenizer_config.json": `{"cls_token": {"content": "<s>"}}`},
			"vocab.txt: no token <s>, the cls_token of this folder"},
		{"duplicate token", map[string]string{"vocab.txt": standard + "cell\nrenal\n"},
			`vocab.txt: line 8: token "renal" is on line 6 too`},
		{"flag of another type", map[string]string{"vocab.txt": standard, "tokenizer_config.json": `{"do_lower_case": "yes"}`},
			`do_lower_case in tokenizer_config.json is "yes", want true or false`},
		{"token of another type", map[string]string{"vocab.txt": standard, "special_tokens_map.json": `{"sep_token": 3}`},
			"special_tokens_map.json: sep_token is 3, want a token"},
		{"broken JSON", map[string]string{"tokenizer.json": `{"model": `}, "tokenizer.json: unexpected end of JSON"},
		{"broken configuration", map[string]string{"vocab.txt": standard, "tokenizer_config.json": `[1]`},
			"tokenizer_config.json: json: cannot unmarshal array"},
		{"no model", map[string]string{"tokenizer.json": `{"version": "1.0"}`}, "tokenizer.json: no model"},
		{"no vocabulary", map[string]string{"tokenizer.json": `{"version": "1.0", "model": {"type": "WordPiece"}}`},
			"tokenizer.json: model has no vocab"},
		{"another model", map[string]string{"tokenizer.json": `{"version": "1.0", "model": {"type": "BPE", "vocab": {}, "merges": []}}`},
			`tokenizer.json: model is "BPE", want WordPiece`},
		{"ids with a gap", map[string]string{"tokenizer.json": `{"version": "1.0", "model": {"type": "WordPiece",
			"vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4, "renal": 6}}}`},
			"tokenizer.json: cannot add [ENT]: 6 tokens have ids up to 6, want consecutive ids from 0"},
		{"a negative id", map[string]string{"tokenizer.json": `{"version": "1.0", "model": {"type": "WordPiece", "vocab": {"[PAD]": -1}}}`},
			`tokenizer.json: model: token "[PAD]" has id -1, want 0 or more`},
		{"a marker's id that another token has", map[string]string{"tokenizer.json": `{"version": "1.0",
			"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
			"added_tokens": [{"id": 5, "content": "[ENT]", "special": true}, {"id": 6, "content": "[/ENT]", "special": true}], "model": {"type": "WordPiece",
			"vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4, "renal": 5}}}`},
			`id 5 is the token "renal", want [ENT]`},
		{"unknown token", map[string]string{"tokenizer.json": `{"version": "1.0",
			"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
			"model": {"type": "WordPiece", "unk_token": "<unk>",
			"vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4}}}`},
			`model: unk_token "<unk>" is not in its vocab`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, content := range test.files {
				writeFile(t, filepath.Join(dir, name), content)
			}
			_, err := Open(dir)
			must.Fail(t, err, test.want)
		})
	}
}

// TestOpenSettings checks that the names and settings are those of the folder, in whichever file they are.
func TestOpenSettings(t *testing.T) {
	vocabulary := "<pad>\r\n<unk>\r\n<s>\r\n</s>\r\n<mask>\r\nNaïve\r\nnaive\r\n病名\r\n[ENT]"
	names := `{"unk_token": "<unk>", "sep_token": {"content": "</s>"}, "pad_token": "<pad>", "cls_token": "wrong", "mask_token": "<mask>"}`
	text := "«Naïve» 病名"
	tests := []struct {
		config string
		want   []int32
	}{
		// 8 is [ENT], already in the vocabulary; 9 is [/ENT], added.
		{`{"cls_token": "<s>"}`, []int32{2, 8, 6, 9, 1, 1, 3}},
		{`{"cls_token": "<s>", "do_lower_case": false}`, []int32{2, 8, 5, 9, 1, 1, 3}},
		{`{"cls_token": "<s>", "do_lower_case": true, "strip_accents": false}`, []int32{2, 8, 1, 9, 1, 1, 3}},
		{`{"cls_token": "<s>", "do_lower_case": null, "tokenize_chinese_chars": null}`, []int32{2, 8, 6, 9, 1, 1, 3}},
		{`{"cls_token": "<s>", "tokenize_chinese_chars": false, "strip_accents": null}`, []int32{2, 8, 6, 9, 7, 3}},
	}
	for _, test := range tests {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "vocab.txt"), vocabulary)
		writeFile(t, filepath.Join(dir, "special_tokens_map.json"), names)
		writeFile(t, filepath.Join(dir, "tokenizer_config.json"), test.config)
		tok := openTokenizer(t, dir)
		check := func(tok *Tokenizer) {
			t.Helper()
			in := must.Get(tok.Encode(parse(t, text), 20, false))
			must.Equal(t, in.IDs, test.want, test.config)
		}
		check(tok)
		if start, end := tok.entStart, tok.entEnd; start != 8 || end != 9 {
			t.Errorf("markers %d and %d, want 8 and 9", start, end)
		}
		if tok.Size() != 10 || tok.PadID() != 0 {
			t.Errorf("size %d, pad %d; want 10 and 0", tok.Size(), tok.PadID())
		}

		// tokenizer_config.json overrides the settings of tokenizer.json.
		other := t.TempDir()
		writeFile(t, filepath.Join(other, "vocab.txt"), vocabulary)
		writeFile(t, filepath.Join(other, "special_tokens_map.json"), names)
		writeFile(t, filepath.Join(other, "tokenizer_config.json"), `{"cls_token": "<s>"}`)
		saved := t.TempDir()
		must.Succeed(t, openTokenizer(t, other).Save(saved))
		definition, err := os.ReadFile(filepath.Join(saved, definitionFile))
		if err != nil || !regexp.MustCompile(`"special_tokens": \{\s*"</s>": [^}]*\},\s*"<s>": [^}]*\}\s*\}`).Match(definition) {
			t.Errorf("error %v, or the special tokens are not in the order of their names: %s", err, definition)
		}
		writeFile(t, filepath.Join(saved, "tokenizer_config.json"), test.config)
		check(openTokenizer(t, saved))
	}
}

// TestOpenDropsTruncation checks that truncation and padding settings are ignored.
func TestOpenDropsTruncation(t *testing.T) {
	dir := t.TempDir()
	must.Succeed(t, openTokenizer(t, tinyDir).Save(dir))
	path := filepath.Join(dir, definitionFile)
	data := must.Get(os.ReadFile(path))
	content := string(data)
	for none, some := range map[string]string{
		`"truncation": null`: `"truncation": {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}`,
		`"padding": null`:    `"padding": {"strategy": {"Fixed": 12}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"}`,
	} {
		if !strings.Contains(content, none) {
			t.Fatalf("%s has no %s", path, none)
		}
		content = strings.Replace(content, none, some, 1)
	}
	writeFile(t, path, content)
	tok := openTokenizer(t, dir)
	in := must.Get(tok.Encode(parse(t, "a patient with acute pain of the «kidney»"), 20, false))
	want := "[CLS] a patient with acute pain of the [ENT] kidney [/ENT] [SEP]"
	must.Equal(t, tokens(tok, in.IDs), want)
}

func TestSave(t *testing.T) {
	for _, source := range tokenizerDirs(t) {
		first := openTokenizer(t, source)
		dir := filepath.Join(t.TempDir(), "new", "folder")
		must.Succeed(t, first.Save(dir))
		second := openTokenizer(t, dir)
		if first.Hash() != second.Hash() || first.Size() != second.Size() {
			t.Errorf("%s: hash %s and size %d, want %s and %d", source, second.Hash(), second.Size(), first.Hash(), first.Size())
		}
		again := t.TempDir()
		must.Succeed(t, second.Save(again))
		for _, name := range []string{definitionFile, configFile, specialFile, vocabularyFile} {
			want := must.Get(os.ReadFile(filepath.Join(dir, name)))
			got := must.Get(os.ReadFile(filepath.Join(again, name)))
			must.Equal(t, string(got), string(want), source, "saved again", name, "differs, first and again")
		}
	}
}

// pythonVariable is the environment variable with the path of a Python that has transformers.
const pythonVariable = "CTXNORM_PYTHON"

// TestSavePython checks that Python opens the files written by Save and tokenizes marked text like Encode.
func TestSavePython(t *testing.T) {
	python := os.Getenv(pythonVariable)
	if python == "" {
		t.Skipf("%s is not set, so what Save writes is not opened with Python", pythonVariable)
	}
	g := readGolden(t)
	var input bytes.Buffer
	for _, c := range g.Cases {
		line := must.Get(json.Marshal(markedText(c)))
		input.Write(append(line, '\n'))
	}
	for _, source := range append(tokenizerDirs(t), extendedDir(t)) {
		tok := openTokenizer(t, source)
		dir := t.TempDir()
		must.Succeed(t, tok.Save(dir))
		command := exec.Command(python, filepath.Join("testdata", "open_saved.py"), dir)
		command.Stdin = bytes.NewReader(input.Bytes())
		var stderr bytes.Buffer
		command.Stderr = &stderr
		output, err := command.Output()
		must.Succeed(t, err, source, stderr.String())
		var got [][]int32
		for line := range strings.Lines(string(output)) {
			var row []int32
			must.Succeed(t, json.Unmarshal([]byte(line), &row), source, "python wrote", line)
			got = append(got, row)
		}
		want := [][]int32{{int32(tok.Size()), tok.entStart, tok.entEnd}}
		for _, c := range g.Cases {
			in := must.Get(tok.Encode(c.query(), 1000, true))
			want = append(want, in.IDs)
		}
		must.Equal(t, got, want, source, "go and python")
	}
}

// markedText returns the text of a case with the markers written into it.
func markedText(c goldenCase) string {
	var text strings.Builder
	q := c.query()
	at := 0
	for _, m := range marks(q, true) {
		text.WriteString(q.Text[at:m.Start] + startMarker + " " + m.Of(q.Text) + " " + endMarker)
		at = m.End
	}
	return text.String() + q.Text[at:]
}

// extendedDir returns a folder with the tiny tokenizer, without configuration files and with an added token in
// tokenizer.json, before the markers.
func extendedDir(t testing.TB) string {
	t.Helper()
	f := must.Get(readFolder(tinyDir))
	f.definition.AddedTokens = slices.DeleteFunc(f.definition.AddedTokens, func(a addedToken) bool {
		return a.Content == startMarker || a.Content == endMarker
	})
	must.Succeed(t, f.definition.addSpecial("[DOSE]"))
	data := must.Get(encodeJSON(f.definition))
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, definitionFile), string(data))
	copyFile(t, filepath.Join(tinyDir, vocabularyFile), filepath.Join(dir, vocabularyFile))
	return dir
}

// tokenizerDirs returns the folders of the tiny tokenizer and, if there is real data, of the real ones.
func tokenizerDirs(t testing.TB) []string {
	dirs := []string{tinyDir}
	if os.Getenv(fixtures.EnvVar) != "" {
		for name := range readGolden(t).IDs {
			if name != "tiny" {
				dirs = append(dirs, filepath.Dir(fixtures.RealFile(t, "tokenizers/"+name+"/vocab.txt")))
			}
		}
	}
	return dirs
}

// TestCount counts the words and the single kanji that the vocabulary lacks.
func TestCount(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "vocab.txt"), "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nrenal\ncell\n##s\n癌")
	tok := openTokenizer(t, dir)
	for text, want := range map[string][2]int{
		"Renal cells": {3, 0}, "renal carcinoma": {2, 1}, "胃癌": {2, 1}, "[UNK]": {3, 3}, "": {0, 0}, "\x00": {0, 0},
	} {
		if tokens, unknown := tok.CountTokens(text); tokens != want[0] || unknown != want[1] {
			t.Errorf("%q: %d tokens, %d of them unknown, want %v", text, tokens, unknown, want)
		}
	}
}

func TestClassOfVocabulary(t *testing.T) {
	for class, want := range map[string]string{
		`"BertTokenizer"`:         "",
		`"BertTokenizerFast"`:     "",
		`null`:                    "",
		`3`:                       "tokenizer_class",
		`"BertJapaneseTokenizer"`: `tokenizer_class in tokenizer_config.json is "BertJapaneseTokenizer"`,
		`"XLMRobertaTokenizer"`:   `is "XLMRobertaTokenizer"`,
	} {
		err := checkClass(config{"tokenizer_class": json.RawMessage(class)})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", class, err, want)
		}
	}
}
