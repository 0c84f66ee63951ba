package matcher

// Spelt is a name with its words by [Spelling]. Several indexes may share it; the
// words are not to be changed.
type Spelt struct {
	Name  string
	Words []string
}

func spell(name string) Spelt { return Spelt{name, Spelling(name)} }

// SpellAll spells names, on all cores, in their order.
func SpellAll(names []string) []Spelt {
	spelt := make([]Spelt, len(names))
	onAllCores(len(names), func(i int) { spelt[i] = spell(names[i]) })
	return spelt
}

// spellEach spells the names of each concept.
func spellEach(names [][]string) [][]Spelt {
	spelt := make([][]Spelt, len(names))
	onAllCores(len(names), func(i int) {
		spelt[i] = make([]Spelt, len(names[i]))
		for nth, name := range names[i] {
			spelt[i][nth] = spell(name)
		}
	})
	return spelt
}
