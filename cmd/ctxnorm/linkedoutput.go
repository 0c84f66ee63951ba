package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// outputFlags are the flags for writing linked documents.
type outputFlags struct {
	formats.WriterOptions // Formula and Lost are set by open
	path, format          string
	links                 map[string]string
	onTerminal            bool // standard output is a terminal
	warnings              *outputWarnings
}

func (o *outputFlags) flags() []flag {
	o.warnings = new(outputWarnings)
	return []flag{
		{"output", &o.path, "out default=-", "`file` to write, - for standard output; a folder (for brat, or one that is there, " +
			"or a name that ends in /) gets a file for each input file"},
		{"format", &o.format, "is=@outputs", "`format` to write (default: as the extension of --output says, parquet in a " +
			"folder, pretty on a terminal, else jsonl): %s"},
		{name: "link-template", value: &o.links},
		{"code-system", &o.CodeSystem, "", "`URI` of the code system of the dictionary, such as http://snomed.info/sct, if the " +
			"identifiers have no known prefix (format fhir)"},
		{"spreadsheet-safe", &o.SpreadsheetSafe, "", "write an apostrophe before cells that a spreadsheet would compute as " +
			"formulas (formats csv and tsv)"},
	}
}

// formatsOf lists, for some flags, the output formats on which they have an effect.
var formatsOf = map[string][]formats.Format{
	"link-template": {formats.HTML}, "code-system": {formats.FHIR}, "spreadsheet-safe": {formats.CSV, formats.TSV},
}

// linkedOutput writes linked documents to a file.
type linkedOutput struct {
	formats.Writer
	commit  func(error) error
	journal *journal // nil if the output is not a file
}

// outputWarnings counts table cells that look like formulas, and losses of the output format.
type outputWarnings struct {
	count  int    // number of formulas
	first  string // first formula
	losses int    // only the first are reported
}

func (f *outputWarnings) add(cell string) {
	if f.count == 0 {
		f.first = cell
	}
	f.count++
}

// warn warns of the formulas that were written.
func (f *outputWarnings) warn(p *program) {
	if f.count > 0 {
		p.warn(fmt.Sprintf("wrote %s that begin like formulas, which spreadsheets compute, first %q",
			plural(f.count, "cell"), f.first),
			"--spreadsheet-safe writes them with an apostrophe; in xlsx all cells are text")
	}
}

// check rejects an output that cannot be written, before anything is opened.
func (o *outputFlags) check(cmd *cobra.Command) (err error) {
	format := o.parse()
	if o.Links, err = formats.ParseLinkTemplates(o.links); err != nil {
		return err
	}
	for flag, only := range formatsOf {
		if cmd.Flags().Changed(flag) && !slices.Contains(only, format) {
			return fmt.Errorf("--%s has no effect with the format %s, only with %s", flag, format,
				english.WordSeries(stringsOf(only), "and"))
		}
	}
	if format == formats.BRAT && o.path == "-" {
		return errors.New("--format brat has files for each document, want --output FOLDER")
	}
	if info, err := os.Stat(filepath.Clean(o.path)); err == nil && o.isFolder() && !info.IsDir() {
		return fmt.Errorf("--output %s: is a file, want a folder", o.path)
	}
	if !o.isFile() || o.isFolder() || format == formats.BRAT {
		return nil
	}
	return cmp.Or(o.checkExtension(), checkOutputFile("output", o.path))
}

// open opens the output, with a journal if it is a file and the run can be resumed.
func (o *outputFlags) open(p *program, resume bool) (_ *linkedOutput, err error) {
	options := o.WriterOptions
	options.Formula = o.warnings.add
	options.Lost = func(document, what string) {
		switch o.warnings.losses++; {
		case o.warnings.losses <= shownBadRecords:
			p.warnf("document %s: %s", input.Quote(document), what)
		case o.warnings.losses == shownBadRecords+1:
			p.warnf("more such warnings are not shown")
		}
	}
	out := new(linkedOutput)
	if format := o.parse(); format == formats.BRAT {
		folder, err := openBRATFolder(o.path)
		if err != nil {
			return nil, pathError("output", o.path, err)
		}
		out.Writer = formats.NewBRATWriter(folder.write, options)
		out.commit = func(err error) error { return errors.Join(err, artifact.SyncFolder(o.path)) }
	} else {
		var to io.Writer
		if to, out.commit, err = p.openOutput("output", o.path); err != nil {
			return nil, err
		}
		if out.Writer, err = outputFormats().NewWriter(to, format, options); err != nil {
			return nil, out.commit(err)
		}
	}
	if o.isFile() && resume {
		if out.journal, err = openJournal(o.journal()); err != nil {
			return nil, out.commit(pathError("output", o.journal(), err))
		}
	}
	return out, nil
}

// isFolder reports whether each input file gets an output file of its own in a folder: if the output is an existing
// folder or ends in a slash. BRAT has its own layout.
func (o *outputFlags) isFolder() bool {
	info, err := os.Stat(o.path)
	return formats.Format(o.format) != formats.BRAT &&
		(err == nil && info.IsDir() || o.path != "" && os.IsPathSeparator(o.path[len(o.path)-1]))
}

// isFile reports whether the output is a file or folder, rather than a pipe or a device.
func (o *outputFlags) isFile() bool { return !isStream(o.path) }

func (o *outputFlags) journal() string { return filepath.Clean(o.path) + journalExtension }

// lock locks an output file, or the folder of BRAT, because two processes must not share its journal. It does not lock
// other outputs: in a folder, each file has its own lock.
func (o *outputFlags) lock(ctx context.Context, waiting func(*ctxnorm.LockedError)) (*artifact.Lock, error) {
	if !o.isFile() || o.isFolder() {
		return nil, nil
	}
	lock, err := artifact.LockFolder(ctx, o.path, waiting)
	return lock, pathError("output", o.path, err)
}

// leaveOut returns a function that reports and logs whether an input path is written by this run: the output, its
// journal, its lock or its temporary file.
func (o *outputFlags) leaveOut(p *program) func(path string) bool {
	return func(path string) bool {
		if !o.isFile() {
			return false
		}
		writes := isSame(path, o.path) || isSame(artifact.WithoutTemporary(filepath.ToSlash(path)), o.path)
		if !writes && !o.isFolder() {
			lock, err := artifact.LockPath(o.path)
			writes = isSame(path, o.journal()) || err == nil && isSame(path, lock)
		}
		if writes {
			p.logf("%s is left out of the input: this run writes it", path)
		}
		return writes
	}
}

// finish ends the output after a run that ended with err. If err is nil, the output is moved into place. Otherwise the
// journal stays, from which the run can resume.
func (o *linkedOutput) finish(err error) error {
	if err == nil {
		err = o.Close()
	}
	err = o.commit(err)
	if o.journal != nil {
		if failed := o.journal.close(err == nil); err == nil {
			err = failed
		}
	}
	return err
}

// hidesTies reports whether the format contains only the first candidate of a mention.
func (o *outputFlags) hidesTies() bool {
	format := o.parse()
	return format != formats.JSONL && format != formats.HTML
}

// parse returns the output format.
func (o *outputFlags) parse() formats.Format {
	format := formats.Format(o.format)
	switch {
	case o.isFolder():
		return cmp.Or(format, formats.Parquet)
	case o.path == "-" && o.onTerminal:
		return cmp.Or(format, pretty.Name)
	}
	return cmp.Or(format, outputFormats().OfPath(o.path), formats.JSONL)
}

// writtenAs maps a format to the formats whose files may have its extension.
var writtenAs = map[formats.Format][]formats.Format{
	formats.TSV: {formats.SSSOM, formats.CoNLL, formats.PubTator},
	formats.CSV: {formats.OMOP, formats.Usagi},
}

// checkExtension rejects a file name whose extension stands for another format than the one to be written.
func (o *outputFlags) checkExtension() error {
	extension := filepath.Ext(o.path)
	format := formats.Format(o.format)
	of := outputFormats().OfPath(o.path)
	switch {
	case input.TrimCompression(strings.ToLower(o.path)) != strings.ToLower(o.path):
		plain := strings.TrimSuffix(o.path, extension)
		return withHint(fmt.Errorf("--output %s: link compresses no file, want a name without %s", o.path, extension),
			"--output "+plain+", and then compress "+plain)
	case format != "" && of != "" && format != of && !slices.Contains(writtenAs[of], format):
		return withHint(fmt.Errorf("--output %s: %s is the extension of %s, and --format is %s", o.path, extension, of,
			format), "leave --format out, or give the file another name")
	case o.format != "", extension == "", of != "":
		return nil
	case strings.EqualFold(extension, ".json"):
		return withHint(fmt.Errorf("--output %s: %s may be bioc-json or jsonl", o.path, extension),
			"--format bioc-json or --format jsonl says which")
	}
	return withHint(fmt.Errorf("--output %s: no format has the extension %s, want %s or --format", o.path, extension,
		strings.Join(outputFormats().Extensions(), ", ")),
		"--format jsonl writes a line a document to a file of any name")
}

// openOutput opens the file of a flag, which is written atomically: it is moved into place when finish is called with
// nil. "-" is standard output. A device or a named pipe is written directly.
func (p *program) openOutput(flag, path string) (w io.Writer, finish func(error) error, err error) {
	if path == "-" {
		return p.stdout, func(err error) error { return err }, nil
	}
	if isStream(path) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0) // appends to the file that /dev/stdout may lead to
		if err != nil {
			return nil, nil, pathError(flag, path, err)
		}
		return f, func(err error) error { return errors.Join(err, f.Close()) }, nil
	}
	if real, err := filepath.EvalSymlinks(path); err == nil { // replaces the target of a link, and keeps the link
		path = real
	}
	_ = artifact.RemoveStale(path) // left by killed runs; files that cannot be removed do no harm
	f, err := artifact.Create(path)
	if err != nil {
		return nil, nil, pathError(flag, path, err)
	}
	return f, func(err error) error {
		defer f.Discard()
		if err != nil {
			return err
		}
		return errors.Join(err, f.Commit())
	}, nil
}

// writeOutput writes the file of a flag, opened by openOutput.
func (p *program) writeOutput(flag, path string, write func(io.Writer) error) error {
	to, finish, err := p.openOutput(flag, path)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(to, 1<<16)
	err = write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	return finish(err)
}

// tieCheck counts the mentions for which several concepts fit equally well, because most formats contain only the
// first.
type tieCheck struct {
	count int
	first string
}

func (c *tieCheck) add(doc *ctxnorm.LinkedDocument) {
	for i := range doc.Mentions {
		m := &doc.Mentions[i]
		for _, l := range m.Links() {
			tied := l.Tied()
			if len(tied) == 0 || m.Corrected != nil {
				continue
			}
			if c.count++; c.count == 1 {
				c.first = fmt.Sprintf("%s is %s and %s", input.Quote(m.Text), l.Best().Concept, tied[0].Concept)
			}
		}
	}
}

func (c *tieCheck) warn(p *program) {
	if c.count > 0 {
		p.warn(fmt.Sprintf("several concepts fit equally well in %s, of which the first is written: %s",
			plural(c.count, "mention"), c.first), "--format jsonl has them all, --top 5 adds them to tables")
	}
}
