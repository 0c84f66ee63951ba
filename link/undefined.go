package link

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"ctxnorm"
	"ctxnorm/matcher"
	"ctxnorm/mine"
)

// When a short form stands for the commonest of its long forms though nothing in
// the document speaks for it. On the dev sets of NCBI Disease, BC5CDR and
// MedMentions any count from 2 to 10 and any share from .3 to .8 gave the same to a
// mention or two.
const (
	dominantCount = 5  // records that define it so
	dominantShare = .5 // of those that define it
)

// shortestGain is how much longer than its short form a long form is at least, in
// bytes: the table has "QTc" for QT, too.
const shortestGain = 4

// corpusAbbreviations knows what short forms stand for that documents do not define: it asks
// the table of a corpus, and the document which of its long forms is meant.
type corpusAbbreviations struct {
	table *mine.AbbreviationTable
	dict  func() *namesAndWords // made for the first short form of the table
}

// namesAndWords are those of a dictionary.
type namesAndWords struct {
	names *matcher.Exact
	words map[string]bool // of the names, in normal form
}

func newCorpusAbbreviations(table *mine.AbbreviationTable, dict *ctxnorm.Dictionary) *corpusAbbreviations {
	return &corpusAbbreviations{table, sync.OnceValue(func() *namesAndWords {
		d := &namesAndWords{matcher.NewExact(dict), make(map[string]bool)}
		for name := range d.names.All() {
			for word := range strings.FieldsSeq(name) {
				d.words[word] = true
			}
		}
		return d
	})}
}

// longForm is what short stands for in a mention of the document:
//
//  1. the commonest long form whose content words all stand in the document;
//  2. else, if short is no name of the dictionary, the commonest of all, if most
//     definitions of the corpus say so.
//
// A short form inside a longer mention stays as it is where names of the dictionary
// hold it: "HIV infection" is like more names than it is when written out.
func (u *corpusAbbreviations) longForm(short, surface string, doc *documentWords) (string, bool) {
	if !looksShort(short) {
		return "", false
	}
	all := slices.DeleteFunc(slices.Clone(u.table.Lookup(short)), func(l mine.LongForm) bool {
		return len(l.Text) < len(short)+shortestGain
	})
	if len(all) == 0 || strings.TrimSuffix(surface, "s") != strings.TrimSuffix(short, "s") && u.dict().words[matcher.Normal(short)] {
		return "", false
	}
	for _, long := range all {
		if doc.hold(long.Text) {
			return long.Text, true
		}
	}
	commonest := all[0]
	if commonest.Count < dominantCount || commonest.Share < dominantShare || len(u.dict().names.Lookup(short)) > 0 {
		return "", false
	}
	return commonest.Text, true
}

// looksShort reports whether s may be a short form: it begins with a letter or
// number, has two capitals, and is no Roman numeral.
func looksShort(s string) bool {
	capitals := 0
	for _, r := range s {
		if unicode.IsUpper(r) {
			capitals++
		}
	}
	first, _ := utf8.DecodeRuneInString(s)
	return capitals >= 2 && (unicode.IsLetter(first) || unicode.IsDigit(first)) && strings.Trim(s, "IVX") != ""
}

// documentWords are the content words of a text, read when first asked for.
type documentWords struct {
	text  string
	words map[string]bool
}

// hold reports whether all content words of a phrase, of which it must have one, are
// among them.
func (d *documentWords) hold(phrase string) bool {
	if d.words == nil {
		d.words = make(map[string]bool)
		for _, word := range contentWords(d.text) {
			d.words[word] = true
		}
	}
	words := contentWords(phrase)
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool { return !d.words[word] })
}
