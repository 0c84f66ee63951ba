package matcher

import (
	"hash/maphash"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// A name is stored by its key: its words as they are read, see [normalize.Readings]. Names that differ only in spelling
// have the same key. A text can be read in several ways, step by step.

// reader reads a text as steps over its words.
type reader struct {
	index      *index             // nil while it is built
	isName     bool               // the text is a name, read only in the usual way
	of         *language.Language // of the dictionary
	normalizer normalize.Normalizer
	raw        string
	normal     []byte            // of raw, from normalizer
	tokens     []normalize.Token // of raw, from normalizer
	words      []*word           // by token
	known      *wordCache
	joined     []byte   // scratch buffer
	readings   []string // scratch buffer
}

// wordCache maps the hash of a word to the word. A new word replaces an older one in its slot. It is safe for concurrent
// use.
type wordCache [1 << 17]atomic.Pointer[word]

// word holds the readings of a word and its relations to other words.
type word struct {
	hash          uint64
	isName        bool   // one of its forms is a key
	begins        bool   // keys begin with one of its forms and continue
	goesOn        bool   // it may be read as the continuation of a key
	isUnspaced    bool   // in a script without spaces
	isPrefix      bool   // see [language.Names.WordPrefixes]
	isComplement  bool   // see [language.Names.Complement]
	dependsOnLast bool   // see [normalize.DependsOnLast]
	letters       int    // length of a word that has only letters
	before        int    // see [normalize.LettersBefore]
	forms         []form // the ways to read it that have all their words in keys
	bare          []form // without the sign at its end, if there is one
	cuts          []form // as two words, see [reader.cutsOf]
	greek         string // see [normalize.GreekLetter]
}

// form is one way to read a word.
type form struct {
	text  string
	key   string // see [index.encode]
	place place  // after the form, if keys begin with it
}

// step is one way to read the words of a text from a position on.
type step struct {
	*form
	next    int // the word after it
	end     stepEnd
	isOrder bool // the words are in another order than in the text, see [reader.complementSteps]
}

// stepEnd tells whether a name may end with a step.
type stepEnd uint8

const (
	mayEnd stepEnd = iota
	noEnd          // no name ends there
	isLast         // a name must end there, because its last word lost its sign, as in HIV+
)

// read splits a text into words.
func (r *reader) read(raw string) {
	r.normalizer.Normalize(raw)
	r.raw, r.normal, r.tokens = raw, r.normalizer.Normal(), r.normalizer.Tokens()
	r.words = r.words[:0]
	for i := range r.tokens {
		token := &r.tokens[i]
		written := r.normal[token.Normal.Start:token.Normal.End]
		w := r.wordOf(written, false)
		if n := len(written) - 1; written[n] == 's' && len(normalize.SingularShortForm(token.Raw.Of(raw))) == n { // MIs
			one := *r.wordOf(written[:n], false)
			one.forms = append(slices.Clip(one.forms), w.forms...)
			one.isName, one.begins, one.goesOn = one.isName || w.isName, one.begins || w.begins, one.goesOn || w.goesOn
			w = &one
		}
		r.words = append(r.words, w)
	}
}

var seed = maphash.MakeSeed()

// maxKnown is the maximum length in bytes of a word that is cached or cut, or that the next word is joined to.
const maxKnown = 64

// wordOf returns a word in normal form. A joined word, see [reader.joins], has only its forms.
func (r *reader) wordOf(written []byte, joined bool) *word {
	hash := maphash.Bytes(seed, written)
	if joined {
		hash = ^hash
	}
	slot := &r.known[hash%uint64(len(r.known))]
	w := slot.Load()
	if w == nil || w.hash != hash {
		w = r.newWord(string(written), hash, joined)
		if len(written) <= maxKnown {
			slot.Store(w)
		}
	}
	return w
}

func (r *reader) newWord(written string, hash uint64, joined bool) *word {
	w := &word{hash: hash, forms: r.formsOf(written)}
	if joined {
		return w
	}
	w.greek = normalize.GreekLetter(written)
	w.dependsOnLast = normalize.DependsOnLast(written)
	if bare := normalize.BareLength([]byte(written)); bare < len(written) {
		w.bare = r.formsOf(written[:bare])
	}
	canonical, isLetters := normalize.CanonicalWord(written), normalize.IsLetters(written)
	if isLetters && !r.isName && len(written) <= maxKnown {
		w.cuts = r.cutsOf(canonical)
	}
	for _, form := range slices.Concat(w.forms, w.bare, w.cuts) {
		w.goesOn = true
		if form.key == "" {
			continue
		}
		if state := form.place.state; state != noState {
			w.isName = w.isName || r.index.keys.ends(state)
			w.begins = w.begins || r.index.keys.goesOn(state)
		}
	}
	if w.greek != "" || w.dependsOnLast {
		w.goesOn = true
	}
	w.isUnspaced = strings.IndexFunc(written, normalize.IsUnspacedScript) == 0
	w.isPrefix, w.isComplement = names.WordPrefixes[written], written == names.Complement
	if isLetters {
		w.letters = len(written)
	}
	w.before = normalize.LettersBefore(written, canonical)
	return w
}

func (r *reader) formsOf(written string) (forms []form) {
	r.readings = normalize.Readings(r.readings, written, r.of)
	for _, reading := range r.readings {
		if form, known := r.newForm(reading); known {
			forms = append(forms, form)
		}
	}
	return forms
}

// cutsOf returns the ways to read a canonical word as the first two words of keys: "spark plug" for "sparkplug".
func (r *reader) cutsOf(word string) (forms []form) {
	const fewest = 2 // minimum number of letters of the second: x-ray, follow-up
	for at := 1; at+fewest <= len(word); at++ {
		if r.index != nil && (!has(r.index.words, hashOf(word[:at])) || !has(r.index.words, hashOf(word[at:]))) {
			continue
		}
		if form, known := r.newForm(word[:at] + " " + word[at:]); known && (r.index == nil || form.place.state != noState) {
			forms = append(forms, form)
		}
	}
	return forms
}

// newForm returns a form for a reading, and whether all its words occur in keys.
func (r *reader) newForm(reading string) (f form, known bool) {
	if f.text = reading; r.index == nil {
		return f, true
	}
	f.key, known = r.index.encode(pieces(reading))
	f.place = r.index.after(r.index.start(), f.key)
	return f, known
}

// appendForms appends the steps that read the words before word next as one of forms.
func appendForms(dst []step, next int, forms []form, end stepEnd) []step {
	for i := range forms {
		dst = append(dst, step{form: &forms[i], next: next, end: end})
	}
	return dst
}

// appendReading appends the step with this reading of the words before word next, if its words occur in keys.
func (r *reader) appendReading(dst []step, next int, reading string) []step {
	if form, known := r.newForm(reading); known {
		dst = append(dst, step{form: &form, next: next})
	}
	return dst
}

// pieces returns the words of a key. In a script without spaces each character is a piece, and so is a space beside it.
func pieces(key string) iter.Seq[string] {
	return func(yield func(string) bool) {
		before := ""
		for word := range strings.SplitSeq(key, " ") {
			if before != "" && isBesideUnspaced(before, word) && !yield(" ") {
				return
			}
			for before = word; word != ""; {
				size := strings.IndexFunc(word, normalize.IsUnspacedScript)
				if size == 0 {
					_, size = utf8.DecodeRuneInString(word)
				} else if size < 0 {
					size = len(word)
				}
				if !yield(word[:size]) {
					return
				}
				word = word[size:]
			}
		}
	}
}

// isBesideUnspaced reports whether two adjacent forms meet at a character of a script without spaces.
func isBesideUnspaced(last, form string) bool {
	before, _ := utf8.DecodeLastRuneInString(last)
	after, _ := utf8.DecodeRuneInString(form)
	return normalize.IsUnspacedScript(before) || normalize.IsUnspacedScript(after)
}

// key returns the key of the text, which is a name.
func (r *reader) key() string {
	var key strings.Builder
	var last string
	var steps []step
	for i := 0; i < len(r.tokens); i = steps[0].next {
		steps = r.steps(steps[:0], i, i == 0)
		if form := steps[0].text; form != "" {
			if r.separates(i, last, form) {
				key.WriteByte(' ')
			}
			key.WriteString(form)
			last = form
		}
	}
	if normalize.IsGreekLetter(key.String()) {
		return string(r.normal) // デルタ hardly ever means "delta"
	}
	return key.String()
}

// separates reports whether a space separates a form at word i from last, the reading of the previous word. Characters
// of a script without spaces are not separated, unless both are such characters and the text has a space. The name of a
// Greek letter is a separate word.
func (r *reader) separates(i int, last, form string) bool {
	if last == "" || r.tokens[i].Joined {
		return last != "" && (normalize.IsGreekLetter(last) || normalize.IsGreekLetter(form)) && !isBesideUnspaced(last, form)
	}
	before, _ := utf8.DecodeLastRuneInString(last)
	after, _ := utf8.DecodeRuneInString(form)
	return normalize.IsUnspacedScript(before) == normalize.IsUnspacedScript(after) ||
		strings.ContainsFunc(r.gap(i), func(r rune) bool { return !isJoiner(r) })
}

// steps appends the ways to read the words from word i on to dst, the usual one first. isFirst means that a name begins
// there.
func (r *reader) steps(dst []step, i int, isFirst bool) []step {
	usual, hasNext := len(dst), i+1 < len(r.tokens)
	isJoined := r.joinsNext(i)
	w, gap, reading := r.words[i], "", ""
	if !w.goesOn && !w.isUnspaced && !isJoined {
		return dst
	}
	if w.isUnspaced || isJoined && r.words[i+1].isUnspaced {
		var asOthers bool
		if dst, asOthers = r.unspacedSteps(dst, i); !asOthers {
			return dst
		}
	}
	if !isFirst {
		gap = r.gap(i)
	}
	if w.dependsOnLast && !isFirst {
		var maybeAlone bool
		before, text := r.word(i-1), r.word(i)
		reading, maybeAlone = normalize.ReadBehind(before, text, !hasNext)
		switch {
		case hasNext && (text == "s" && isApostrophe(gap) || normalize.SkipsArticle(before, text)):
			dst = append(dst, step{form: new(form), next: i + 1, end: noEnd})
		case !maybeAlone:
			dst = r.appendReading(dst, i+1, reading)
			return r.appendReading(dst, i+1, "type "+reading) // mucopolysaccharidosis II
		}
	}
	dst = appendForms(dst, i+1, w.forms, mayEnd)
	dst = appendForms(dst, i+1, w.bare, isLast)
	if reading != "" {
		dst = r.appendReading(dst, i+1, reading)
	}
	if isFirst && !r.isName {
		dst = appendForms(dst, i+1, w.cuts, mayEnd)
		if hasNext && r.words[i+1].isComplement {
			dst = r.complementSteps(dst, i)
		}
	}
	if w.greek != "" && isHyphen(gap) {
		dst = r.appendReading(dst, i+1, w.greek)
	}
	if !isJoined {
		return dst
	}
	r.joined = append(r.joined[:0], r.word(i)...)
	for last := i + 1; last < len(r.tokens) && r.joins(i, last) && len(r.joined) <= maxKnown; last++ {
		joined, end := len(dst), mayEnd
		if isFirst && !r.mayBeName(i, last) {
			end = noEnd
		}
		r.joined = append(r.joined, r.word(last)...)
		dst = appendForms(dst, last+1, r.wordOf(r.joined, true).forms, end)
		if (w.isPrefix || r.tokens[last].Joined) && joined < len(dst) {
			dst[usual], dst[joined] = dst[joined], dst[usual]
		}
	}
	return dst
}

// complementSteps appends the ways to read word i preceded by its complement: "breast cancer" for "cancer of the
// breast".
func (r *reader) complementSteps(dst []step, i int) []step {
	const longest = 3 // words
	from := i + 2
	if from < len(r.tokens) && normalize.SkipsArticle(r.word(i+1), r.word(from)) {
		from++
	}
	own, complement := len(dst), ""
	for at := from; at < min(from+longest, len(r.tokens)) && r.words[at].goesOn; at++ {
		if !names.Attributive.MatchString(r.word(at)) {
			dst = r.appendReading(dst, at+1, complement+normalize.CanonicalWord(r.word(at))+" "+normalize.CanonicalWord(r.word(i)))
		}
		complement += r.word(at) + " "
	}
	for k := range dst[own:] {
		dst[own+k].isOrder = true
	}
	return dst
}

// joinsNext reports whether word i may form one word with the next.
func (r *reader) joinsNext(i int) bool {
	return i+1 < len(r.tokens) && (r.tokens[i+1].Joined || r.joins(i, i+1))
}

// joins reports whether the words from i to last may be one word: with an ending of Hangul, with a hyphen between two
// words, with a space where words are often written apart, or with letters before a number: "vitamin B 12".
func (r *reader) joins(i, last int) bool {
	w, next := r.words[i], r.words[last]
	if w.isUnspaced || next.isUnspaced {
		return false
	}
	if r.tokens[last].Joined {
		return true
	}
	isNumbered := next.before == normalize.BeforeNumber && w.letters > 0
	gap := r.gap(last)
	return last == i+1 && (gap == " " && (isNumbered || r.mayBeName(i, last)) || gap != " " && isHyphen(gap))
}

// mayBeName reports whether the words from i to last, read as one, may be a name. Few letters before a number may not,
// because "MI 2" is not MI2, but HbA 1c is HbA1c.
func (r *reader) mayBeName(i, last int) bool {
	w, before := r.words[i], r.words[last].before
	if before == normalize.BeforeNumber && strings.TrimRight(r.word(last), "0123456789") != "" {
		before--
	}
	return r.gap(last) != " " || w.isPrefix || before > 0 && w.letters >= before
}

// unspacedSteps appends the ways to read a text in a script without spaces from word i on, see
// [normalize.UnspacedReading], and reports whether that word can also be read like others.
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
		dst = appendForms(dst, i+1, r.words[i].forms, mayEnd)
	}
	return r.appendReading(dst, next, form), false
}

// isJoiner reports whether r may occur beside a character of a script without spaces, where usually nothing does.
func isJoiner(r rune) bool {
	return unicode.Is(unicode.Pd, r) || strings.ContainsRune(" \u3000−・･", r)
}

// isApostrophe reports whether the text before an s is an apostrophe.
func isApostrophe(gap string) bool {
	gap = strings.TrimSpace(gap)
	return gap != "" && strings.Trim(gap, "'’‘´`′＇ʻʼʽ") == ""
}
