package tokenizer

// Count returns the number of tokens of a text, without [CLS], [SEP] and markers, and how many
// of them are [UNK]: words, or characters of Chinese and Japanese, that the vocabulary lacks.
func (t *Tokenizer) Count(s string) (tokens, unknown int) {
	all := t.segmenter.segment(cleanText(s))
	for _, token := range all {
		if token.id == t.folder.ids.Unk {
			unknown++
		}
	}
	return len(all), unknown
}
