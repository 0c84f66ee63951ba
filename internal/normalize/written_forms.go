package normalize

// WrittenForms counts the ways in which a string is written.
type WrittenForms map[string]int

// MostFrequent returns the most frequent form, the first of equals in alphabetical
// order, and the count of all forms together.
func (w WrittenForms) MostFrequent() (form string, total int) {
	for s, n := range w {
		total += n
		if form == "" || n > w[form] || n == w[form] && s < form {
			form = s
		}
	}
	return form, total
}
