package main

import (
	"fmt"
	"strings"

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
	flags.StringVar(&d.options.Format, "dict-format", "", "format of the dictionary: "+formatNames()+" (default: recognized by its content)")
	flags.StringVar(&d.options.Parents, "parents", "", "`file` of child and parent, or of MeSH tree numbers, one row each: the hierarchy of a dictionary without one")
	flags.StringVar(&d.options.IDs, "ids", "", "JSON `file` of concepts with all their ids: joins concepts that the dictionary lists separately, and adds those without a name")
	flags.BoolVar(&d.options.Strict, "strict", false, "stop at the first malformed record")
}

// formatNames lists the formats of dictionaries.
func formatNames() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(kbfile.Formats()), " ", ", "), "[]")
}

// open reads the dictionary and logs what it skipped.
func (d *dictionaryFlags) open(p *program) (*ctxnorm.Dictionary, error) {
	if _, err := kbfile.ParseFormat(d.options.Format); err != nil {
		return nil, fmt.Errorf("--dict-format is %q, want one of %s", d.options.Format, formatNames())
	}
	if d.path == "" {
		path, err := kbfile.Find(".")
		if err != nil {
			return nil, withHint(err, "name the dictionary with --dict FILE")
		}
		d.path = path
	}
	d.options.Observer, _ = p.observer()
	d.options.Limits = p.limits
	dict, badRows, err := ctxnorm.ReadDictionary(d.path, d.options)
	p.badRows += badRows
	return dict, err
}
