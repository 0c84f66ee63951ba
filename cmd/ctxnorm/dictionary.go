package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/kb/kbfile/xlsx"
)

// dictionaryFlags name the user's dictionaries.
type dictionaryFlags struct {
	paths   []string
	columns []string
	options ctxnorm.DictionaryOptions
	filter  filterFlags
	report  *ctxnorm.DictionaryReport // after open

	fileFlags []string // of how the files are read
}

func (d *dictionaryFlags) register(flags *pflag.FlagSet) {
	d.registerFiles(flags,
		"dictionary `file`, or the folder of a release, also several times: the concepts are joined by id "+
			"(default: the file called dictionary.* in the current folder)")
	d.registerStrict(flags)
}

func (d *dictionaryFlags) registerStrict(flags *pflag.FlagSet) {
	flags.BoolVar(&d.options.Strict, "strict", false, "stop at the first malformed record")
}

// registerFiles adds the flag --dict with a usage, and the flags that select and read, but not
// --strict.
func (d *dictionaryFlags) registerFiles(flags *pflag.FlagSet, usage string) {
	d.registerPaths(flags, usage)
	d.filter.register(flags)
}

// registerPaths is registerFiles without the flags that select. A flag that the command has already stays its own.
func (d *dictionaryFlags) registerPaths(flags *pflag.FlagSet, usage string) {
	flags.StringArrayVar(&d.paths, "dict", nil, usage)
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	d.registerOptions(own)
	own.VisitAll(func(flag *pflag.Flag) {
		if flags.Lookup(flag.Name) == nil {
			d.fileFlags = append(d.fileFlags, flag.Name)
		}
	})
	flags.AddFlagSet(own)
}

// checkUnused refuses flags that say how files are read where none is.
func (d *dictionaryFlags) checkUnused(cmd *cobra.Command) error {
	for _, flag := range d.fileFlags {
		if cmd.Flags().Changed(flag) {
			return errors.New("--" + flag + " has no effect without --dict")
		}
	}
	return nil
}

// registerOptions adds the flags that say how the files are read.
func (d *dictionaryFlags) registerOptions(flags *pflag.FlagSet) {
	flags.StringVar(&d.options.Format, "dict-format", "",
		"format of the dictionary: "+joined(kbfile.Formats())+" (default: recognized by its content)")
	flags.StringVar(&d.options.Encoding, "dict-encoding", "",
		"character encoding of the dictionary, such as cp1252 or shift_jis (default: UTF-8)")
	flags.StringVar(&d.options.Delimiter, "dict-delimiter", "",
		"`character` between the cells of a table: tab, a comma, a semicolon or a bar (default: recognized by its rows)")
	flags.StringVar(&d.options.Sheet, "dict-sheet", "",
		"`sheet` of an Excel workbook (default: the first that has cells)")
	flags.StringVar(&d.options.Separator, "dict-separator", "",
		"`characters` between several names in one cell or name, such as \";\" (default: recognized in columns of synonyms)")
	flags.StringSliceVar(&d.columns, "dict-columns", nil,
		"what the columns of a table have, such as id=Code,name=2,synonyms=Other: `role=column` with the column's name or number, and a role of "+joined(kbfile.ColumnRoles())+" (default: by the header)")
	flags.StringVar(&d.options.Language, "language", "",
		"`languages` of the names of UMLS, SNOMED CT, OMOP, ChEBI, Orphanet, RDF and FHIR, such as ENG,GER or en,de, or * for all (default: ENG)")
	flags.StringVar(&d.options.Parents, "parents", "",
		"`file` of child and parent, or of MeSH tree numbers, one row each: the hierarchy of a dictionary without one")
	flags.StringVar(&d.options.IDs, "ids", "",
		"JSON `file` of concepts with all their ids: joins concepts that the dictionary lists separately, and adds those without a name")
}

// open reads the dictionary and applies the filters.
func (d *dictionaryFlags) open(p *program) (*ctxnorm.Dictionary, error) {
	dict, err := d.read(p)
	if err != nil {
		return nil, err
	}
	return d.filter.apply(p, dict)
}

// read reads the dictionary and logs what it skipped.
func (d *dictionaryFlags) read(p *program) (*ctxnorm.Dictionary, error) {
	if _, err := kbfile.ParseFormat(d.options.Format); err != nil {
		return nil, fmt.Errorf("--dict-format is %q, want one of %s", d.options.Format, joined(kbfile.Formats()))
	}
	var err error
	if d.options.Columns, err = kbfile.ParseColumns(d.columns); err != nil {
		return nil, fmt.Errorf("--dict-columns: %w", err)
	}
	if err := kbfile.CheckEncoding(d.options.Encoding); err != nil {
		return nil, fmt.Errorf("--dict-encoding: %w", err)
	}
	if d.options.Delimiter == "tab" {
		d.options.Delimiter = "\t"
	}
	if err := kbfile.CheckDelimiter(d.options.Delimiter); err != nil {
		return nil, fmt.Errorf("--dict-delimiter: %w", err)
	}
	if len(d.paths) == 0 {
		path, err := kbfile.Find(".")
		if err != nil {
			return nil, withHint(err, "name the dictionary with --dict FILE")
		}
		d.paths = []string{path}
	}
	d.options.Observer, _ = p.observer()
	d.options.Limits = p.limits
	d.options.OpenWorksheet = xlsx.Open
	dict, report, err := ctxnorm.ReadDictionaries(d.paths, d.options)
	if err != nil {
		return nil, dictionaryHint(err)
	}
	d.warnUnused(p, report)
	p.badRows += report.BadRows()
	d.report = report
	return dict, nil
}

// warnUnused warns of flags that say how dictionaries of other formats than those that were read are read.
func (d *dictionaryFlags) warnUnused(p *program, report *ctxnorm.DictionaryReport) {
	for _, flag := range []struct {
		name, value string
		formats     []kbfile.Format
		what        string
	}{
		{"dict-sheet", d.options.Sheet, []kbfile.Format{kbfile.XLSX}, "workbook"},
		{"language", d.options.Language, []kbfile.Format{kbfile.MRCONSO, kbfile.Orphanet, kbfile.RDF, kbfile.FHIR},
			"dictionary with languages"},
	} {
		read := func(f ctxnorm.DictionaryFile) bool {
			isLanguage := func(column kbfile.Column) bool { return column.Role == flag.name }
			return slices.Contains(flag.formats, f.Format) || slices.ContainsFunc(f.Columns, isLanguage)
		}
		if flag.value != "" && !slices.ContainsFunc(report.Files, read) {
			p.warnf("--%s %s has no effect: no %s is read", flag.name, flag.value, flag.what)
		}
	}
}

// name returns what a manifest records of the dictionary: the base names of its files.
func (d *dictionaryFlags) name() string {
	names := make([]string, len(d.paths))
	for i, path := range d.paths {
		names[i] = filepath.Base(path)
	}
	return strings.Join(names, ", ")
}

// dictionaryHint adds to an error of a dictionary file what to do about it.
func dictionaryHint(err error) error {
	var delimiter *kbfile.DelimiterError
	var row *kbfile.RowError
	var header *kbfile.HeaderError
	var on *fs.PathError
	switch {
	case errors.As(err, &on) && on.Op == "open":
		return fmt.Errorf("%s: %w", on.Path, on.Err)
	case errors.As(err, &header):
		hint := fmt.Sprintf("say what the columns have, by name or number, such as --dict-columns id=%d,name=%d",
			header.ID, header.Name)
		if next := 1 + max(header.ID, header.Name); next <= len(header.Rows[0]) {
			hint += fmt.Sprintf(",synonyms=%d", next)
		}
		return withHint(err, hint+"; one column may be that of ids and of names")
	case errors.As(err, &delimiter):
		return withHint(err, "name the delimiter with --dict-delimiter")
	case errors.As(err, &row) && strings.HasPrefix(row.Want, "UTF-8"):
		return withHint(err, "name the encoding with --dict-encoding, such as cp1252, or shift_jis for Japanese")
	}
	return err
}
