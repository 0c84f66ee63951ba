package matcher

import (
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// LookupLongForm returns the concepts of a long form that is a name as a whole, and that
// name in normal form: "the celiac diseases" is the name "celiac disease" of a
// dictionary without the plural. If the long form is no name, LookupLongForm returns its
// own normal form and no concepts. The slice is shared and must not be changed.
func (t *Tagger) LookupLongForm(long string) (name string, concepts []kb.ConceptID) {
	whole := normalize.Normal(long)
	if m, ok := t.lookup(long, whole); ok {
		return m.Name, m.Concepts
	}
	bare := whole
	for _, article := range english.Articles {
		if after, ok := strings.CutPrefix(bare, article+" "); ok {
			bare = after
			if m, ok := t.lookup(bare, bare); ok {
				return m.Name, m.Concepts
			}
			break
		}
	}
	start := strings.LastIndexByte(bare, ' ') + 1
	if singular := bare[:start] + normalize.SStem(bare[start:]); singular != bare {
		if m, ok := t.lookup(singular, singular); ok {
			return m.Name, m.Concepts
		}
	}
	return whole, nil
}

// lookup returns the mention that is all of raw, whose normal form is normal, if there is one.
func (t *Tagger) lookup(raw, normal string) (m text.Mention, ok bool) {
	mentions := t.Tag(nil, raw)
	if len(mentions) != 1 || normalize.Normal(mentions[0].Of(raw)) != normal {
		return m, false
	}
	return mentions[0], true
}

// MayStandFor reports whether a short form may stand for a name that the tagger looks
// for: whether the tagger finds a name in it, or it is the initials of a name of two
// words or more. Case does not count for initials, nor a plural s.
func (t *Tagger) MayStandFor(short string) bool {
	return t.initials()[shortFormKey(short)] || len(t.Tag(nil, short)) > 0
}

// shortFormKey returns the letters and numbers of a short form in lower case.
func shortFormKey(short string) string {
	return strings.ReplaceAll(normalize.Normal(normalize.SingularShortForm(short)), " ", "")
}

// nameInitials returns the set of the initials of names in normal form that have 2 to
// [normalize.MaxShortForm] letters and numbers. A number counts as a whole. Of each name it
// has the initials of all words, and those of all but the linking words.
func nameInitials(entries []nameEntry) map[string]bool {
	set := make(map[string]bool)
	var all, content []byte
	for i := range entries {
		all, content = all[:0], content[:0]
		for word := range strings.FieldsSeq(entries[i].name) {
			initial := word
			if strings.Trim(word, "0123456789") != "" {
				_, size := utf8.DecodeRuneInString(word)
				initial = word[:size]
			}
			all = append(all, initial...)
			if !english.LinkingWords[word] {
				content = append(content, initial...)
			}
		}
		for _, initials := range [][]byte{all, content} {
			if n := normalize.CountWordRunes(string(initials)); n >= 2 && n <= normalize.MaxShortForm {
				set[string(initials)] = true
			}
		}
	}
	return set
}
