package matcher

import "strings"

// eachGram calls yield for each gram of a name in normal form, as often as it
// occurs. They are those of scikit-learn's TfidfVectorizer with analyzer "char",
// or "char_wb" where WordBounded is set: there each word has a space on both
// sides, and a word that is shorter than a gram counts whole, once.
func (o TFIDFOptions) eachGram(name string, yield func(gram string)) {
	if !o.WordBounded {
		o.eachRun(name, yield)
		return
	}
	for _, word := range strings.Fields(name) {
		o.eachRun(" "+word+" ", yield)
	}
}

func (o TFIDFOptions) eachRun(s string, yield func(gram string)) {
	starts := make([]int, 0, len(s)+1) // of characters, and the end
	for i := range s {
		starts = append(starts, i)
	}
	length := len(starts)
	starts = append(starts, len(s))
	if o.WordBounded && length < o.MinGram {
		yield(s)
		return
	}
	for n := o.MinGram; n <= min(o.MaxGram, length); n++ {
		for i := 0; i+n <= length; i++ {
			yield(s[starts[i]:starts[i+n]])
		}
	}
}
