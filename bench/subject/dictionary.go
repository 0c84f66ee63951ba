package main

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
)

// minRunes is the length of the shortest name that both sides look for: peer_tag.py leaves shorter ones out.
const minRunes = 3

// makeDictionary writes the names of a dictionary for both sides to read: in lower case, of minRunes or more.
func makeDictionary(o *options) {
	dict := readAll(o.From)
	rows := lowerCaseRows(dict)
	if o.AnyCase {
		tagger, _, err := matcher.NewTagger(dict, matcher.DefaultNameFilter())
		harness.Check(err)
		rows = slices.DeleteFunc(rows, func(r row) bool { return !isTagged(tagger, r[0].(string)) })
	}
	harness.Check(artifact.WriteJSONLines(o.Out, coin(rows, o.Names)))
}

// readAll joins the concepts of dictionary files.
func readAll(paths string) *kb.Dictionary {
	dict, _, err := ctxnorm.ReadDictionaries(strings.Split(paths, ","), ctxnorm.DictionaryOptions{})
	harness.Check(err)
	return dict
}

// row is a name with its concepts, a line of a dictionary: ["asthma", ["D001249"]].
type row [2]any

// lowerCaseRows returns the distinct names in lower case, of minRunes or more, sorted.
func lowerCaseRows(dict *kb.Dictionary) []row {
	concepts := distinctNames(dict)
	var rows []row
	for _, name := range slices.Sorted(maps.Keys(concepts)) {
		if utf8.RuneCountInString(name) >= minRunes {
			rows = append(rows, row{name, concepts[name]})
		}
	}
	return rows
}

// distinctNames returns the names of a dictionary in lower case, runs of white space
// replaced by one space, with their concepts.
func distinctNames(dict *kb.Dictionary) map[string][]kb.ConceptID {
	concepts := map[string][]kb.ConceptID{}
	for _, c := range dict.All() {
		for _, name := range c.Names() {
			name = strings.ToLower(strings.Join(strings.Fields(name), " "))
			if !slices.Contains(concepts[name], c.ID) {
				concepts[name] = append(concepts[name], c.ID)
			}
		}
	}
	return concepts
}

// isTagged reports whether the tagger finds a name that stands alone.
func isTagged(tagger *matcher.Tagger, name string) bool {
	found := tagger.Tag(nil, name)
	return len(found) == 1 && found[0].Name == normalize.Normal(name) &&
		normalize.Normal(found[0].Of(name)) == normalize.Normal(name)
}

// newWords is the exponent of Heaps' law, by which n names have some n^newWords different words: .52 in MEDIC, .59 in the
// chemicals of MeSH.
const newWords = .6

// qualifiers and tails stand before and after the names of made concepts, as in SNOMED CT and UMLS.
var (
	qualifiers = strings.Fields("severe mild acute chronic left right recurrent congenital familial juvenile secondary primary neonatal malignant benign")
	tails      = strings.Split("of liver,of kidney,of left hand,of lung,of cervical spine,disorder,procedure,deficiency,type 1,type 2,protein,in serum,10 mg oral tablet", ",")
)

// coin appends names of made concepts, one to five each, until there are n rows. A name walks over the pairs of words
// that follow each other in the names that are there; as many words are new as Heaps' law wants, the beginning of one
// word and the end of another. Names may be equal, as they are in real dictionaries.
func coin(rows []row, n int) []row {
	own := len(rows)
	c := &coiner{r: rand.New(rand.NewPCG(5, 5)), follow: map[string][]string{}}
	for _, r := range rows {
		words := strings.Fields(r[0].(string))
		c.words = append(c.words, words...)
		for i := range len(words) - 1 {
			c.follow[words[i]] = append(c.follow[words[i]], words[i+1])
		}
	}
	known := len(slices.Compact(slices.Sorted(slices.Values(c.words))))
	rate := float64(known) / math.Pow(float64(own), newWords)
	for id := 1; len(rows) < n; id++ {
		c.lacking = int(rate*math.Pow(float64(len(rows)), newWords)) - known - len(c.coined)
		head := c.head()
		concepts := []kb.ConceptID{kb.ConceptID(fmt.Sprintf("made-%d", id))}
		for range min(1+c.r.IntN(5), n-len(rows)) {
			rows = append(rows, row{c.name(head, rows[c.r.IntN(own)][0].(string)), concepts})
		}
	}
	return rows
}

// coiner makes names.
type coiner struct {
	r             *rand.Rand
	words, coined []string // of the dictionary, as often as they occur, and the new ones
	follow        map[string][]string
	lacking       int // new words that Heaps' law wants
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// head returns one to four words.
func (c *coiner) head() []string {
	head := make([]string, 1+c.r.IntN(4))
	at := c.r.IntN(len(head)) // of a word that was made before
	for i := range head {
		next := c.words
		if i > 0 && len(c.follow[head[i-1]]) > 0 {
			next = c.follow[head[i-1]]
		}
		switch {
		case c.lacking > 0:
			c.lacking--
			a, b := pick(c.r, c.words), pick(c.r, c.words)
			head[i] = a[:(len(a)+1)/2] + b[len(b)/2:]
			c.coined = append(c.coined, head[i])
		case i == at && len(c.coined) > 0 && c.r.IntN(4) == 0: // an older word is used more often
			head[i] = c.coined[int(math.Pow(c.r.Float64(), 2)*float64(len(c.coined)))]
		default:
			head[i] = pick(c.r, next)
		}
	}
	return head
}

// name returns a name of the concept of a head; other is a name of another concept.
func (c *coiner) name(head []string, other string) string {
	last, plain := len(head)-1, strings.Join(head, " ")
	switch u := c.r.Float64(); {
	case u < .2:
		return plain
	case u < .4 && last > 0:
		return head[last] + ", " + strings.Join(head[:last], " ")
	case u < .55:
		return pick(c.r, qualifiers) + " " + plain
	case u < .7:
		return plain + " " + pick(c.r, tails)
	case u < .8:
		return pick(c.r, qualifiers) + " " + plain + " " + pick(c.r, tails)
	case u < .87:
		return plain + "s"
	case u < .94:
		return plain + " due to " + other
	}
	return fmt.Sprintf("%.3s%d", head[0], c.r.IntN(2000))
}
