package main

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"ctxnorm"
	"ctxnorm/corpus/dictionary"
	"ctxnorm/matcher"
)

// minRunes is the length of the shortest name that both sides look for:
// peer_tag.py leaves shorter ones out.
const minRunes = 3

// makeDictionary writes the names of a dictionary for both sides to read: in lower
// case, without those of one or two characters, as {concept: [names]}.
func makeDictionary(args []string) error {
	flags := flag.NewFlagSet("dictionary", flag.ContinueOnError)
	from := flags.String("from", "", "dictionary `file` of any format")
	out := flags.String("out", "", "`file` to write, .jsonl")
	names := flags.Int("names", 0, "widen it to so many names (default: leave it)")
	anyCase := flags.Bool("any-case", false, "leave out what build-corpus does not look for, or in some case only")
	if err := parse(flags, args, "from", "out"); err != nil {
		return err
	}
	d, _, err := dictionary.Read(*from, dictionary.Options{})
	if err != nil {
		return err
	}
	wanted := func(name string) bool { return utf8.RuneCountInString(name) >= minRunes }
	if *anyCase {
		tagger, _, err := matcher.NewTagger(d, matcher.DefaultClean())
		if err != nil {
			return err
		}
		long := wanted
		wanted = func(name string) bool { return long(name) && isTagged(tagger, name) }
	}
	rows := lowerRows(d, wanted)
	if *names > 0 {
		if rows, err = widen(rows, *names); err != nil {
			return fmt.Errorf("%s: %w", *from, err)
		}
	}
	if err := writeRows(*out, rows); err != nil {
		return err
	}
	return line{"job": "dictionary", "names": len(rows)}.print()
}

// row is a name with its concepts, a line of a dictionary: ["asthma", ["D001249"]].
type row [2]any

func newRow(name string, concepts []ctxnorm.ConceptID) row { return row{name, concepts} }

// lowerRows are the distinct names in lower case that are wanted, in order.
func lowerRows(d *ctxnorm.Dictionary, wanted func(name string) bool) []row {
	owners := distinctNames(d)
	var rows []row
	for _, name := range slices.Sorted(maps.Keys(owners)) {
		if wanted(name) {
			rows = append(rows, newRow(name, owners[name]))
		}
	}
	return rows
}

// distinctNames are the names of d in lower case, white space made one, with their
// concepts.
func distinctNames(d *ctxnorm.Dictionary) map[string][]ctxnorm.ConceptID {
	owners := map[string][]ctxnorm.ConceptID{}
	for i := range d.Len() {
		c := d.At(i)
		for _, name := range c.Names() {
			name = strings.ToLower(strings.Join(strings.Fields(name), " "))
			if !slices.Contains(owners[name], c.ID) {
				owners[name] = append(owners[name], c.ID)
			}
		}
	}
	return owners
}

// isTagged reports whether the tagger finds a name that stands alone.
func isTagged(tagger *matcher.Tagger, name string) bool {
	found := tagger.Tag(nil, name)
	return len(found) == 1 && found[0].Name == matcher.Normal(name)
}

// qualifiers widen a dictionary as real ones are wide: many names of the form
// "qualifier, name of something".
var qualifiers = strings.Fields(`acute chronic recurrent congenital familial juvenile senile benign malignant
	primary secondary idiopathic severe mild early late bilateral unilateral diffuse focal hereditary sporadic
	metastatic refractory`)

// widen puts qualifiers before names, name after name and then qualifier after
// qualifier, until there are so many.
func widen(rows []row, names int) ([]row, error) {
	taken := make(map[string]bool, names)
	for _, r := range rows {
		taken[r[0].(string)] = true
	}
	own := len(rows)
	for _, qualifier := range qualifiers {
		for _, r := range rows[:own] {
			if len(rows) >= names {
				return rows, nil
			}
			if name := qualifier + " " + r[0].(string); !taken[name] {
				taken[name] = true
				rows = append(rows, row{name, r[1]})
			}
		}
	}
	if len(rows) < names {
		return nil, fmt.Errorf("%d names cannot be made of %d, %d at most", names, own, len(rows))
	}
	return rows, nil
}
