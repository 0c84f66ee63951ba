package main

import "github.com/ctxnorm/ctxnorm"

// assertionUsage describes the flag --assertion of tag and link.
const assertionUsage = "mark mentions that the text negates, is not certain of, or reports of the past or of another " +
	"person (ConText rules, in English)"

// recognizeFlags say whether mentions that are no names are looked for.
type recognizeFlags struct {
	recognize bool
	find      string
}

func (f *recognizeFlags) flags() []flag {
	return []flag{
		{"recognize", &f.recognize, "", "find the dictionary's names and other wordings of its concepts, as the model has " +
			"learned from its corpus"},
		f.findFlag("needs=recognize"),
	}
}

func (f *recognizeFlags) findFlag(rules string) flag {
	return flag{"find", &f.find, "is=more|fewer " + rules,
		"`more` or fewer: let the recognizer find more mentions, or only those that it is surer of"}
}

// apply sets the options of linking.
func (f *recognizeFlags) apply(o *ctxnorm.LinkOptions) {
	o.Recognize = f.recognize
	o.FindMore = map[string]float64{"more": .75, "fewer": -.75}[f.find] // in logarithms of odds
}
