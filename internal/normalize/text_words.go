package normalize

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/text"
)

// TextWords holds the content words of a text by passage. Those of the text with one span
// replaced are found from the passages that the span touches, without reading the others
// again. It is safe for concurrent use.
//
// INVARIANT: the canonical tokens of the text are those of its passages, one after another.
type TextWords struct {
	text     string
	ends     []int            // of the passages, ascending; the last is len(text)
	passages [][]string       // content words of each, distinct
	counts   map[string]int32 // word -> passages with it
	all      []string         // what [ContentWords] returns
}

// passageBytes is the length after which a passage ends at the next place where it may.
const passageBytes = 1000

// NewTextWords reads the text once.
func NewTextWords(text string) *TextWords {
	w := &TextWords{text: text, counts: make(map[string]int32)}
	for start := 0; start < len(text); {
		end := passageEnd(text, start)
		words := passageWords(text[start:end])
		w.ends, w.passages = append(w.ends, end), append(w.passages, words)
		for _, word := range words {
			w.counts[word]++
		}
		start = end
	}
	for word := range w.counts {
		w.all = append(w.all, word)
	}
	slices.Sort(w.all)
	if len(w.all) == 0 {
		w.all = ContentWords(text) // function words
	}
	return w
}

// passageWords returns the content words of a passage, none if it has only function words.
func passageWords(passage string) []string {
	stems, _ := readTokens(passage, true)
	return distinct(stems)
}

// passageEnd returns the end of the passage that begins at start: between two words in small
// ASCII letters, with one space between them and around them, which no rule of
// [CanonicalTokens] reads together. A text without such a place is one passage.
func passageEnd(text string, start int) int {
	const shortest = 4 // letters; longer than the numerals that depend on the word before
	isPlain := func(word string) bool {
		return len(word) >= shortest && !slices.ContainsFunc([]byte(word),
			func(c byte) bool { return c < 'a' || c > 'z' })
	}
	before, at := "", -1 // the word before the space at text[at]
	for i := start + passageBytes; i < len(text); i++ {
		if text[i] != ' ' {
			continue
		}
		if at >= 0 {
			word := text[at+1 : i]
			if isPlain(before) && !english.WordPrefixes[before] && isPlain(word) {
				return at
			}
			before = word
		}
		at = i
	}
	return len(text)
}

// Words returns the content words of the text: see [ContentWords].
func (w *TextWords) Words() EditedWords { return EditedWords{text: w} }

// Replace returns the content words of the text with a span of it replaced.
func (w *TextWords) Replace(span text.Span, by string) EditedWords {
	first, _ := slices.BinarySearch(w.ends, span.Start) // a passage that ends at span.Start may be joined to by
	last, _ := slices.BinarySearch(w.ends, span.End)
	if last = min(last+1, len(w.ends)-1); last < 0 {
		return EditedWords{text: NewTextWords(by)}
	}
	first = max(first-1, 0)
	start := 0
	if first > 0 {
		start = w.ends[first-1]
	}
	removed := make(map[string]int32)
	for _, words := range w.passages[first : last+1] {
		for _, word := range words {
			removed[word]++
		}
	}
	e := EditedWords{text: w, added: passageWords(w.text[start:span.Start] + by + w.text[span.End:w.ends[last]])}
	for word, n := range removed {
		if _, kept := slices.BinarySearch(e.added, word); !kept && w.counts[word] == n {
			e.removed = append(e.removed, word)
		}
	}
	slices.Sort(e.removed)
	e.added = slices.DeleteFunc(e.added, func(word string) bool { return w.counts[word] > 0 })
	if len(w.counts)-len(e.removed)+len(e.added) == 0 { // function words
		return EditedWords{text: NewTextWords(w.text[:span.Start] + by + w.text[span.End:])}
	}
	if len(w.counts) == 0 {
		e.removed = w.all
	}
	return e
}

// EditedWords are the content words of a text in which a span may be replaced.
type EditedWords struct {
	text           *TextWords
	removed, added []string // compared with the text as it was; sorted
}

// Has reports whether a word is one of them.
func (e EditedWords) Has(word string) bool {
	if _, found := slices.BinarySearch(e.added, word); found {
		return true
	}
	_, removed := slices.BinarySearch(e.removed, word)
	_, found := slices.BinarySearch(e.text.all, word)
	return found && !removed
}

// Without returns the words that are not among others, sorted.
func (e EditedWords) Without(others []string) []string {
	words := make([]string, 0, len(e.text.all)+len(e.added))
	added := e.added
	appendUnless := func(word string) {
		if !slices.Contains(others, word) {
			words = append(words, word)
		}
	}
	for _, word := range e.text.all {
		for len(added) > 0 && added[0] < word {
			appendUnless(added[0])
			added = added[1:]
		}
		if _, removed := slices.BinarySearch(e.removed, word); !removed {
			appendUnless(word)
		}
	}
	for _, word := range added {
		appendUnless(word)
	}
	return words
}
