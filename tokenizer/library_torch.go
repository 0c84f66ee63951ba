//go:build torch

package tokenizer

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/daulet/tokenizers"
)

// library is Hugging Face's tokenizers library, through github.com/daulet/tokenizers.
type library struct{ *tokenizers.Tokenizer }

// openLibrary returns the tokenizer of a definition. The caller must close it.
func openLibrary(d *definition) (segmenter, error) {
	data, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	var components map[string]any
	if err := json.Unmarshal(data, &components); err != nil {
		return nil, err
	}
	delete(components, "model")
	if err := checkComponents(components); err != nil {
		return nil, err
	}
	// Special tokens in the text are tokenized as text; Encode inserts the real ones.
	native, err := tokenizers.FromBytes(data, tokenizers.WithEncodeSpecialTokens())
	return library{native}, err
}

// simpleRegex matches regular expressions made of characters and classes of characters, such as [^a-z]\s+, in which
// only the last is repeated. Matching one at a position takes linear time.
var simpleRegex = regexp.MustCompile(`^(\\?[^\\()\[\]{}|+*?^$]|\\[\\()\[\]{}|+*?^$.]|\[\^?([^\[\]\\&]|\\.)+\])+([+*?]|\{\d+,?\d*\})?$`)

// checkComponents returns an error for components of a tokenizer.json that make the library panic, which would end the
// process: a damaged Precompiled normalizer, or a regular expression that backtracks too often. WordPiece tokenizers do
// not need them.
func checkComponents(v any) error {
	var parts []any
	switch v := v.(type) {
	case []any:
		parts = v
	case map[string]any:
		if v["type"] == "Precompiled" {
			return fmt.Errorf("a component is Precompiled, want another type")
		}
		if pattern, ok := v["pattern"].(map[string]any); ok {
			regex, isRegex := pattern["Regex"].(string)
			if isRegex && !simpleRegex.MatchString(regex) || !isRegex && (pattern["String"] == nil || pattern["String"] == "") {
				return fmt.Errorf("the pattern of %v is %.60q, want a String, or a Regex of characters and classes of "+
					"characters such as [^a-z] of which the last may be repeated", v["type"], pattern)
			}
		}
		for _, part := range v {
			parts = append(parts, part)
		}
	}
	for _, part := range parts {
		if err := checkComponents(part); err != nil {
			return err
		}
	}
	return nil
}

// segment implements [segmenter].
func (l library) segment(text string) []int32 {
	encoding := l.EncodeWithOptions(text, false)
	ids := make([]int32, len(encoding.IDs))
	for i, id := range encoding.IDs {
		ids[i] = int32(id)
	}
	return ids
}
