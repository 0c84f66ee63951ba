package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
)

// dictionaryFlags name the user's dictionaries, and select concepts and names from them.
type dictionaryFlags struct {
	paths   []string
	options ctxnorm.DictionaryOptions
	report  *ctxnorm.DictionaryReport // set by open
	noCache bool

	filter        kb.Filter
	only, without []string // identifiers, for filter
	stopNames     string   // file, for filter
}

// flags returns the flags for a command that reads dictionaries.
func (d *dictionaryFlags) flags() []flag {
	return slices.Concat(d.pathFlags("dictionary `file`, or the folder of a release, also several times: the concepts are "+
		"joined by id (default: the file called dictionary.* in the current folder)", ""),
		d.filterFlags(), []flag{{name: "strict", value: &d.options.Strict}})
}

// withoutModel returns the flags for a dictionary that replaces a model.
func (d *dictionaryFlags) withoutModel() []flag {
	return append(d.pathFlags("link to a dictionary `file` without a model, by strings; also several times: the concepts are "+
		"joined by id", "needs=dict"), flag{"no-cache", &d.noCache, "needs=dict", ""})
}

// pathFlags returns --dict with a usage, and the flags for reading the files, which get the given rule.
func (d *dictionaryFlags) pathFlags(usage, rule string) []flag {
	return append([]flag{{"dict", &d.paths, "each in=folder", usage}}, d.readFlags(rule)...)
}

// readFlags returns the flags for reading the files.
func (d *dictionaryFlags) readFlags(rule string) []flag {
	o := &d.options
	return []flag{
		{"dict-format", (*string)(&o.Format), "is=@dicts " + rule, "format of the dictionary: %s (default: recognized by its content)"},
		{"dict-encoding", &o.Encoding, rule, "character encoding of the dictionary, such as cp1252 or shift_jis (default: UTF-8)"},
		{"dict-delimiter", &o.Delimiter, "like=tab|,|; " + rule,
			"`character` between the cells of a table: tab, a comma, a semicolon or a bar (default: recognized by its rows)"},
		{"dict-sheet", &o.Sheet, rule, "`sheet` of an Excel workbook (default: the first that has cells)"},
		{"dict-separator", &o.Separator, rule, "`characters` between several names in one cell or name, such as \";\" " +
			"(default: recognized in columns of synonyms)"},
		{"dict-columns", &d.options.Columns, "like=@dictcolumns " + rule, "what the columns of a table have, such as " +
			"id=Code,name=2,synonyms=Other: `role=column` with the column's name or number, and a role of %s (default: by the header)"},
		{"language", &o.Language, rule, "`languages` of the names of UMLS, SNOMED CT, OMOP, ChEBI, Orphanet, RDF and FHIR, " +
			"such as ENG,GER or en,de, or * for all (default: ENG)"},
		{"parents", &o.Parents, "in " + rule, "`file` of child and parent, or of MeSH tree numbers, one row each: the " +
			"hierarchy of a dictionary without one"},
		{"ids", &o.IDs, "in " + rule, "JSON `file` of concepts with all their ids: joins concepts that the dictionary lists " +
			"separately, and adds those without a name"},
	}
}

// filterFlags returns the flags that select concepts and names.
func (d *dictionaryFlags) filterFlags() []flag {
	return []flag{
		{"types", &d.filter.Types, "", "keep only concepts with one of these semantic `types`, such as T047,T191"},
		{"only-ids", &d.only, "", "keep only the concepts with these `ids` and those below them"},
		{"without-ids", &d.without, "", "leave out the concepts with these `ids` and those below them"},
		{"stop-names", &d.stopNames, "in", "`file` of names to leave out of the dictionary, one a line, in any case"},
	}
}

// open reads the dictionary and applies the filters.
func (d *dictionaryFlags) open(ctx context.Context, p *program) (*ctxnorm.Dictionary, error) {
	dict, err := readDictionary(ctx, d, p, ctxnorm.ReadDictionaries)
	if err != nil {
		return nil, err
	}
	if err := d.completeFilter(p); d.filter.Empty() || err != nil {
		return dict, err
	}
	filtered, report := d.filter.Apply(dict)
	return filtered, p.logFilter(&report, filtered)
}

// filterModel applies the filters to a model.
func (d *dictionaryFlags) filterModel(p *program, m *ctxnorm.Model) (*ctxnorm.Model, error) {
	if err := d.completeFilter(p); d.filter.Empty() || err != nil {
		return m, err
	}
	filtered, report, err := m.Filter(d.filter)
	if err != nil {
		return nil, err
	}
	return filtered, p.logFilter(&report, filtered.Dictionary())
}

// completeFilter sets the fields of the filter that flags cannot point to directly.
func (d *dictionaryFlags) completeFilter(p *program) error {
	d.filter.Only, d.filter.Without = converted[ctxnorm.ConceptID](d.only), converted[ctxnorm.ConceptID](d.without)
	if d.stopNames == "" {
		return nil
	}
	names, err := p.readLines(d.stopNames)
	d.filter.StopNames = slices.Sorted(maps.Keys(names))
	return err
}

// logFilter logs what a filter left out of a dictionary, and values of the filter that match nothing. It returns an
// error if no name is left.
func (p *program) logFilter(report *kb.FilterReport, filtered *ctxnorm.Dictionary) error {
	p.logf("filters leave %d of %s, without %s of --stop-names", report.Concepts,
		plural(report.Concepts+report.Dropped, "concept"), plural(report.Names, "name"))
	if len(report.UnknownTypes) > 0 {
		p.warnf("--types: the dictionary has no concept of type %q", report.UnknownTypes)
	}
	if len(report.UnknownIDs) > 0 {
		p.warnf("--only-ids, --without-ids: the dictionary has no %q", report.UnknownIDs)
	}
	if n := len(report.UnknownNames); n > 0 {
		p.warnf("--stop-names: %s not in the dictionary: %q", plural(n, "name"), report.UnknownNames[:min(n, 5)])
	}
	if filtered.CountNames() == 0 {
		return errors.New("the filters leave no name of the dictionary")
	}
	return nil
}

// openModel reads the dictionary, or its cached indexes. It does not filter. The model must be closed.
func (d *dictionaryFlags) openModel(ctx context.Context, p *program) (*ctxnorm.Model, error) {
	if folder, err := os.UserCacheDir(); err == nil && !d.noCache {
		d.options.Cache = filepath.Join(folder, "ctxnorm", "dictionaries")
	}
	return readDictionary(ctx, d, p, func(paths []string, o ctxnorm.DictionaryOptions) (*ctxnorm.Model,
		*ctxnorm.DictionaryReport, error) {
		return ctxnorm.OpenDictionaries(ctx, paths, o)
	})
}

// readDictionary reads the dictionary, stores and logs the report, and warns of flags that had no effect.
func readDictionary[T any](ctx context.Context, d *dictionaryFlags, p *program,
	read func([]string, ctxnorm.DictionaryOptions) (T, *ctxnorm.DictionaryReport, error)) (dict T, err error) {
	if err := d.complete(p); err != nil {
		return dict, err
	}
	observer, finish := p.observer()
	o := d.options
	o.Observer = observer
	var report *ctxnorm.DictionaryReport
	dict, err = untilDone(ctx, func() (dict T, err error) {
		dict, report, err = read(d.paths, o)
		return dict, err
	})
	finish()
	if err != nil {
		return dict, err
	}
	d.report = report
	d.warnUnused(p, report)
	p.skipped.rows += report.BadRows()
	return dict, nil
}

// complete sets the options that flags cannot point to directly.
func (d *dictionaryFlags) complete(p *program) error {
	o := &d.options
	if o.Delimiter == "tab" {
		o.Delimiter = "\t"
	}
	if len(d.paths) == 0 {
		path, err := kbfile.Find(".")
		if err != nil {
			return withHint(err, "name the dictionary with --dict FILE")
		}
		d.paths = []string{path}
	}
	o.Limits = p.limits
	return nil
}

// warnUnused warns of flags that only affect formats other than those that were read.
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

// name returns the dictionary's name for manifests: the base names of its files.
func (d *dictionaryFlags) name() string {
	names := make([]string, len(d.paths))
	for i, path := range d.paths {
		names[i] = filepath.Base(path)
	}
	return strings.Join(names, ", ")
}

// modelFlags name the target of linking: a model, or a dictionary without one.
type modelFlags struct {
	dir     string
	encoder ctxnorm.EncoderOptions
	dict    dictionaryFlags
}

func (m *modelFlags) flags() []flag {
	return slices.Concat([]flag{{name: "model", value: &m.dir}}, encoderFlags(&m.encoder), m.dict.withoutModel())
}

// fromDictionary reports whether mentions are linked to a dictionary. A dictionary named by a variable or a setting
// yields to a model named on the command line.
func (m *modelFlags) fromDictionary(cmd *cobra.Command) bool {
	return cmd.Flags().Lookup("model") == nil || len(m.dict.paths) > 0 && (cmd.Flags().Changed("dict") || !cmd.Flags().Changed("model"))
}

// open opens the model or reads the dictionary, and applies the filters.
func (m *modelFlags) open(p *program, cmd *cobra.Command) (opened *ctxnorm.Model, err error) {
	if m.fromDictionary(cmd) {
		if cmd.Flags().Changed("model") {
			return nil, errors.New("--dict and --model exclude each other")
		}
		opened, err = m.dict.openModel(cmd.Context(), p)
	} else {
		opened, err = ctxnorm.Open(cmd.Context(), m.dir, ctxnorm.OpenOptions{Encoder: m.encoder})
	}
	if err != nil {
		return nil, err
	}
	p.models = append(p.models, opened)
	return m.dict.filterModel(p, opened)
}

// encoderFlags returns the flags that configure how an encoder computes.
func encoderFlags(o *ctxnorm.EncoderOptions) []flag {
	return []flag{
		{"device", &o.Device, "is=cpu|cuda default=cpu", "device that the encoder runs on: cpu, or cuda in a build for GPUs"},
		{"precision", (*string)(&o.Precision), "is=auto|float32|bfloat16|int8 default=auto", "precision of the encoder's " +
			"matrix products: float32, bfloat16, auto for the faster of these on this processor, or int8, faster and less " +
			"exact, which train refuses"},
		{"workers", &o.Workers, "min=0", "number of cores to use (default: all cores)"},
	}
}
