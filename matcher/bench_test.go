package matcher

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"ctxnorm"
	"ctxnorm/internal/testdata"
)

// benchDictionaries are the real ones where they are, or one made up.
func benchDictionaries(b *testing.B) map[string]*ctxnorm.Dictionary {
	if os.Getenv(testdata.Variable) != "" {
		return map[string]*ctxnorm.Dictionary{"40k": halfOfMEDIC(b), "84k": unionOfMEDIC(b)}
	}
	r := rand.New(rand.NewPCG(1, 1))
	var concepts []ctxnorm.Concept
	for i := range 40_000 {
		concepts = append(concepts, ctxnorm.Concept{
			ID:   ctxnorm.ConceptID(fmt.Sprint("C", i/4)),
			Name: fmt.Sprintf("w%d w%d w%d", r.IntN(2000), r.IntN(2000), r.IntN(9)),
		})
	}
	return map[string]*ctxnorm.Dictionary{"made-up": ctxnorm.NewDictionary(concepts)}
}

func benchTexts(b *testing.B) []string {
	if os.Getenv(testdata.Variable) != "" {
		return realTexts(b, 1000)
	}
	r := rand.New(rand.NewPCG(1, 2))
	texts := make([]string, 100)
	for i := range texts {
		for range 200 {
			texts[i] += fmt.Sprintf("w%d ", r.IntN(4000))
		}
	}
	return texts
}

func totalLength(texts []string) (n int64) {
	for _, text := range texts {
		n += int64(len(text))
	}
	return n
}

func BenchmarkTag(b *testing.B) {
	texts := benchTexts(b)
	for name, d := range benchDictionaries(b) {
		tagger := newTestTagger(b, d, DefaultClean())
		b.Run(name, func(b *testing.B) {
			b.SetBytes(totalLength(texts))
			b.ReportAllocs()
			var mentions []ctxnorm.Mention
			for b.Loop() {
				for _, text := range texts {
					mentions = tagger.Tag(mentions[:0], text)
				}
			}
		})
	}
}

func BenchmarkNormalize(b *testing.B) {
	texts := benchTexts(b)
	b.SetBytes(totalLength(texts))
	var p passage
	for b.Loop() {
		for _, text := range texts {
			p.read(text, &lowerCase)
		}
	}
}

func BenchmarkReadTagger(b *testing.B) {
	for name, d := range benchDictionaries(b) {
		file := write(b, newTestTagger(b, d, DefaultClean()))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				if _, err := ReadTagger(file); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAbbreviations(b *testing.B) {
	texts := benchTexts(b)
	b.SetBytes(totalLength(texts))
	for b.Loop() {
		for _, text := range texts {
			Abbreviations(text)
		}
	}
}
