package matcher

import (
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// A name is kept by its key: its words as they are read, see [normalize.Readings]. Names that only spelling tells apart have
// the same key. A text is read in several ways, step by step.

// reader reads a text as steps over its words.
type reader struct {
	index      *index             // nil while it is built
	of         *language.Language // of the dictionary
	normalizer normalize.Normalizer
	raw        string
	normal     []byte            // of raw, from normalizer
	tokens     []normalize.Token // of raw, from normalizer
	words      []*word           // by token
	known      *wordCache
	joined     []byte // working memory
}

// wordCache has words that were read last, by their hashes. It is safe for concurrent use.
type wordCache [1 << 18]atomic.Pointer[word]

// word is a word of a text.
type word struct {
	hash          uint64
	begins        bool // a key begins with one of its forms, as a word
	text          string
	forms         []form // the ways to read it
	bare          []form // without the sign behind it, if there is one
	isUnspaced    bool   // of a script without spaces
	isPrefix      bool   // see [normalize.IsWordPrefix]
	letters       int    // if it has nothing else
	lettersBefore int    // see [normalize.LettersBefore]
	greek         string // see [normalize.GreekLetter]
	maybeOther    bool   // see [normalize.MayReadBehind]
}

// form is one way to read a word, as one or more pieces of keys.
type form struct {
	text string
	// Of one that may begin a key, as those behind other words may not:
	begins bool  // keys begin with it
	isWord bool  // they do, and end or go on with a space there
	place  place // behind it, if they begin with it
}

// step is one way to read the words of a text from one on.
type step struct {
	form
	next    int // the word behind
	end     stepEnd
	isApart bool // from what is before, even if nothing separates them
}

// stepEnd says whether a name ends with a step.
type stepEnd uint8

const (
	mayEnd stepEnd = iota
	goesOn         // none does
	isLast         // one does: the sign of its last word is not its own, as in HIV+
)

// read reads the words of a text.
func (r *reader) read(raw string) {
	r.normalizer.Normalize(raw)
	r.raw, r.normal, r.tokens = raw, r.normalizer.Normal(), r.normalizer.Tokens()
	r.words = r.words[:0]
	for i := range r.tokens {
		token := &r.tokens[i]
		written := r.normal[token.Normal.Start:token.Normal.End]
		w := r.wordOf(written)
		if n := len(written) - 1; written[n] == 's' && len(normalize.SingularShortForm(token.Raw.Of(raw))) == n { // MIs
			one := *r.wordOf(written[:n])
			one.forms, one.begins = append(slices.Clip(one.forms), w.forms...), one.begins || w.begins
			w = &one
		}
		r.words = append(r.words, w)
	}
}

// maxKnown is the length in bytes of the longest word that is remembered.
const maxKnown = 64

// wordOf returns what is known of a word in normal form.
func (r *reader) wordOf(written []byte) *word {
	hash := hashOf(written)
	slot := &r.known[hash%uint64(len(r.known))]
	w := slot.Load()
	if w == nil || w.hash != hash {
		first, _ := utf8.DecodeRune(written)
		w = &word{hash: hash, text: string(written), isUnspaced: normalize.IsUnspacedScript(first)}
		w.greek, w.maybeOther = normalize.GreekLetter(w.text), normalize.MayReadBehind(w.text)
		w.forms, w.isPrefix, w.lettersBefore = r.formsOf(w.text), normalize.IsWordPrefix(w.text), normalize.LettersBefore(w.text)
		w.begins = slices.ContainsFunc(w.forms, func(f form) bool { return f.isWord })
		if normalize.IsLetters(w.text) {
			w.letters = len(w.text)
		}
		if bare := normalize.BareLength(written); bare < len(written) {
			w.bare = r.formsOf(w.text[:bare])
		}
		if len(written) <= maxKnown {
			slot.Store(w)
		}
	}
	return w
}

func (r *reader) formsOf(written string) (forms []form) {
	for _, reading := range normalize.Readings(written, r.of) {
		forms = append(forms, r.newForm(reading))
	}
	return forms
}

func (r *reader) newForm(reading string) form {
	f := form{text: reading}
	if r.index != nil {
		f.place, f.begins = r.index.after(r.index.start(), reading)
		f.isWord = f.begins && (r.index.keys.ends(f.place.state) || r.index.goesOn(f.place))
	}
	return f
}

// pieceSize returns the length of the first piece of a key: a word, or a character of a script without spaces.
func pieceSize(key string) int {
	for i, r := range key {
		switch {
		case r == ' ':
			return i
		case normalize.IsUnspacedScript(r):
			if i == 0 {
				return utf8.RuneLen(r)
			}
			return i
		}
	}
	return len(key)
}

// pieces returns the pieces of a key.
func pieces(key string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for key != "" {
			size := pieceSize(key)
			if !yield(key[:size]) {
				return
			}
			key = strings.TrimPrefix(key[size:], " ")
		}
	}
}

// key returns the key of the text that was read, as a name.
func (r *reader) key() string {
	var key, last string
	var steps []step
	for i := 0; i < len(r.tokens); i = steps[0].next {
		steps = r.steps(steps[:0], i, i == 0)
		if form := steps[0].text; form != "" {
			if r.separates(i, last, form) {
				key += " "
			}
			key, last = key+form, form
		}
	}
	if normalize.IsGreekLetter(key) {
		return string(r.normal) // デルタ is hardly ever what "delta" means
	}
	return key
}

// separates reports whether a space is between a form and what the last word before word i was read as. There is none
// beside characters of a script without spaces, unless both are and the text has one.
func (r *reader) separates(i int, last, form string) bool {
	if last == "" || r.tokens[i].Joined {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(last)
	after, _ := utf8.DecodeRuneInString(form)
	return normalize.IsUnspacedScript(before) == normalize.IsUnspacedScript(after) ||
		strings.ContainsFunc(r.gap(i), func(r rune) bool { return !isJoiner(r) })
}

// steps appends the ways to read the words from word i on to dst, the usual one first. isFirst says that a name begins
// there.
func (r *reader) steps(dst []step, i int, isFirst bool) []step {
	w, usual, hasNext := r.words[i], len(dst), i+1 < len(r.tokens)
	if w.isUnspaced || hasNext && r.words[i+1].isUnspaced && r.tokens[i+1].Joined {
		var asOthers bool
		if dst, asOthers = r.unspacedSteps(dst, i); !asOthers {
			return dst
		}
	}
	gap := ""
	if !isFirst {
		gap = r.gap(i)
		before, reading, maybeAlone := r.words[i-1].text, "", true
		if w.maybeOther {
			reading, maybeAlone = normalize.ReadBehind(before, w.text, !hasNext)
		}
		switch {
		case hasNext && (w.text == "s" && isApostrophe(gap) || normalize.SkipsArticle(before, w.text)):
			dst = append(dst, step{next: i + 1, end: goesOn})
		case reading != "" && maybeAlone:
			dst = append(dst, step{form: w.forms[0], next: i + 1}, step{form: form{text: reading}, next: i + 1})
		case reading != "":
			return append(dst, step{form: form{text: reading}, next: i + 1})
		}
	}
	for _, form := range w.forms {
		dst = append(dst, step{form: form, next: i + 1})
	}
	for _, form := range w.bare {
		dst = append(dst, step{form: form, next: i + 1, end: isLast})
	}
	if w.greek != "" && isHyphen(gap) {
		dst = append(dst, step{form: form{text: w.greek}, next: i + 1})
	}
	for last := i + 1; last < len(r.tokens) && r.joins(i, last); last++ {
		joined := len(dst)
		r.joined = r.joined[:0]
		for _, w := range r.words[i : last+1] {
			r.joined = append(r.joined, w.text...)
		}
		for _, form := range r.wordOf(r.joined).forms {
			dst = append(dst, step{form: form, next: last + 1})
		}
		if letter := r.words[last].greek; letter != "" && isHyphen(r.gap(last)) {
			dst = append(dst, step{form: r.newForm(w.text + letter), next: last + 1})
		}
		if w.isPrefix || r.tokens[last].Joined {
			dst[usual], dst[joined] = dst[joined], dst[usual]
		}
	}
	return dst
}

// joins reports whether the words from i to last may be one: endings of Hangul, or two words with a hyphen between them, or
// a space where words are often apart that are elsewhere one.
func (r *reader) joins(i, last int) bool {
	w, next := r.words[i], r.words[last]
	if w.isUnspaced || next.isUnspaced {
		return false
	}
	if r.tokens[last].Joined {
		return true
	}
	gap := r.gap(last)
	isWord := w.isPrefix || next.lettersBefore > 0 && w.letters >= next.lettersBefore
	return last == i+1 && (gap == " " && isWord || gap != " " && isHyphen(gap))
}

// unspacedSteps appends the ways to read a text in a script without spaces from word i on, and reports whether that word
// is read as others are.
func (r *reader) unspacedSteps(dst []step, i int) (steps []step, asOthers bool) {
	start := r.tokens[i].Normal.Start
	form, size, maybeAsIs := normalize.UnspacedReading(r.normal, start)
	next := i
	for next < len(r.tokens) && r.tokens[next].Normal.End <= start+size {
		next++
	}
	if next == i || r.tokens[next-1].Normal.End != start+size {
		return dst, true
	}
	if maybeAsIs {
		dst = append(dst, step{form: r.words[i].forms[0], next: i + 1})
	}
	dst = append(dst, step{form: r.newForm(form), next: next})
	if normalize.IsGreekLetter(form) {
		if i > 0 && r.tokens[i].Joined && !r.words[i-1].isUnspaced {
			dst = append(dst, step{form: r.newForm(form), next: next, isApart: true})
		}
		if next < len(r.tokens) && r.tokens[next].Joined && !r.words[next].isUnspaced {
			dst = append(dst, step{form: r.newForm(form + r.words[next].text), next: next + 1})
		}
	}
	return dst, false
}

// isJoiner reports whether r may stand beside a character of a script without spaces, as nothing may.
func isJoiner(r rune) bool {
	return r == ' ' || r == '\u3000' || unicode.Is(unicode.Pd, r) || r == '−' || r == '・' || r == '･'
}

// isApostrophe reports whether what is before an s is one.
func isApostrophe(gap string) bool {
	gap = strings.TrimSpace(gap)
	return gap != "" && strings.Trim(gap, "'’‘´`′＇ʻʼʽ") == ""
}
