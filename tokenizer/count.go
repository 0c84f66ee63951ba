//go:build torch

package tokenizer

// Count returns the number of tokens of a text, without [CLS], [SEP] and markers, and how many
// of them are [UNK]: words, or characters of Chinese and Japanese, that the vocabulary lacks.
func (t *Tokenizer) Count(s string) (tokens, unknown int) {
	ids := t.native.EncodeWithOptions(cleanText(s), false).IDs
	for _, id := range ids {
		if int32(id) == t.folder.ids.Unk {
			unknown++
		}
	}
	return len(ids), unknown
}
