package link

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"ctxnorm/mine"
)

// writeMined writes names that texts give, one JSON object a line; no file for none.
func writeMined(path string, mined []mine.Synonym) error {
	if len(mined) == 0 {
		return nil
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for i := range mined {
		if err := encoder.Encode(&mined[i]); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return renameio.WriteFile(path, b.Bytes(), 0o666)
}

// ReadMined reads the names that texts gave the concepts of the model in dir.
func ReadMined(dir string) ([]mine.Synonym, error) {
	path := filepath.Join(dir, filepath.FromSlash(minedFile))
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var mined []mine.Synonym
	decoder := json.NewDecoder(bytes.NewReader(data))
	for {
		var synonym mine.Synonym
		err := decoder.Decode(&synonym)
		if errors.Is(err, io.EOF) {
			return mined, nil
		}
		if err != nil {
			return nil, &FileError{path, fmt.Sprintf("synonym %d: %v", len(mined)+1, err)}
		}
		mined = append(mined, synonym)
	}
}
