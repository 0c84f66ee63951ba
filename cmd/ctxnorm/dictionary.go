package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
)

// dictionaryFlags name the user's dictionary.
type dictionaryFlags struct {
	path    string
	options ctxnorm.DictionaryOptions
}

func (d *dictionaryFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&d.path, "dict", "", "dictionary `file` (default: the file called dictionary.* in the current folder)")
	flags.StringVar(&d.options.Format, "dict-format", "", fmt.Sprintf("format of the dictionary, one of %v (default: recognized by its content)", kbfile.Formats()))
	flags.StringVar(&d.options.Parents, "parents", "", "`file` of (child, parent) rows or MeSH tree numbers, for a dictionary without a hierarchy")
	flags.StringVar(&d.options.IDs, "ids", "", "JSON `file` of concepts with all their ids: joins concepts that the dictionary lists apart, and adds those without a name")
	flags.BoolVar(&d.options.Strict, "strict", false, "stop at the first malformed record")
}

// open reads the dictionary and logs what it skipped.
func (d *dictionaryFlags) open(p *program) (*ctxnorm.Dictionary, error) {
	if d.path == "" {
		path, err := kbfile.Find(".")
		if err != nil {
			return nil, withHint(err, "name the dictionary with --dict FILE")
		}
		d.path = path
	}
	d.options.Observer, _ = p.observer()
	dict, badRows, err := ctxnorm.ReadDictionary(d.path, d.options)
	p.badRows += badRows
	return dict, err
}
