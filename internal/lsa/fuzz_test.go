package lsa

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzOpen reads files of any content. What is read has a vector for each word, and writes
// files that read the same.
func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	words, vectors := filepath.Join(dir, "words.txt"), filepath.Join(dir, "words.npy")
	if err := newSpace([]string{"gut", "ulcer"}, []float32{1, 0, .5, -1}, 2).Write(words, vectors); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(words)
	if err != nil {
		f.Fatal(err)
	}
	numbers, err := os.ReadFile(vectors)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, numbers)
	f.Add([]byte{}, numbers)
	f.Add([]byte("gut\nulcer"), numbers)
	f.Add(text, numbers[:len(numbers)-1])
	f.Fuzz(func(t *testing.T, text, numbers []byte) {
		for file, content := range map[string][]byte{words: text, vectors: numbers} {
			if err := os.WriteFile(file, content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Open(words, vectors)
		if err != nil {
			return
		}
		defer s.Close()
		for _, word := range s.words {
			if v := s.Vector([]string{word}); v != nil && len(v) != s.Dim() {
				t.Errorf("the vector of %q has %d numbers, want %d", word, len(v), s.Dim())
			}
		}
	})
}
