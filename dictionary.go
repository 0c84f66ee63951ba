package ctxnorm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
)

// Limits bound the memory for reading a file, whatever its content. A field of 0 stands for its default.
type Limits = files.Limits

// DictionaryOptions configure how dictionary files are read. The zero value detects the format from the content. Limits
// also apply to all files together; the default memory limit grows with their size.
type DictionaryOptions struct {
	kbfile.Options
	// Parents is a file of (child, parent) rows or MeSH tree numbers, for a dictionary without a hierarchy. It may be
	// empty.
	Parents string
	// IDs is a JSON file of concepts with all their ids. Concepts that the dictionary lists separately are joined, and
	// those that it has no name for are added. It may be empty.
	IDs string
	// Cache is the folder in which [OpenDictionaries] caches the indexes of large dictionaries. If it is empty, nothing
	// is cached.
	Cache string

	Observer Observer
}

// DictionaryReport describes how dictionary files were parsed.
type DictionaryReport struct {
	Files    []DictionaryFile      `json:"files"`
	Concepts int                   `json:"concepts"` // in all files together
	Names    int                   `json:"names"`
	Retired  int                   `json:"retired,omitempty"` // concepts left out: see [kbfile.WithoutRetired]
	Edges    *kbfile.ParentsReport `json:"parents,omitempty"` // from DictionaryOptions.Parents
}

// DictionaryFile describes how one file was parsed.
type DictionaryFile struct {
	Path string `json:"path"`
	*kbfile.Report
	Join *kbfile.JoinReport `json:"join,omitempty"` // with the previous files; nil for the first
}

// BadRows returns the number of malformed rows in all files, which were skipped.
func (r *DictionaryReport) BadRows() (bad int) {
	for _, file := range r.Files {
		bad += file.Report.BadRows
	}
	return bad
}

// ReadDictionary reads a dictionary file. It logs malformed rows as file:line and skips them; badRows is their number.
func ReadDictionary(path string, o DictionaryOptions) (dict *Dictionary, badRows int, err error) {
	dict, report, err := ReadDictionaries([]string{path}, o)
	if err != nil {
		return nil, 0, err
	}
	return dict, report.BadRows(), nil
}

// ReadDictionaries reads one or more dictionary files like [ReadDictionary], and joins their concepts by id (see
// [kbfile.Join]). It leaves out concepts that one file retires (see [kbfile.WithoutRetired]). Language reference sets
// of SNOMED CT determine the preferred names (see [kbfile.ReadLanguageReferenceSet]). If a path is the folder of a
// release, it reads the files found by [kbfile.FindRelease], including the hierarchy unless o.Parents names another.
// The report is nil if there is an error.
func ReadDictionaries(paths []string, o DictionaryOptions) (*Dictionary, *DictionaryReport, error) {
	if len(paths) == 0 {
		return nil, nil, files.CheckOption(false, "paths", paths, "at least one dictionary file")
	}
	paths, parents, err := o.expand(paths)
	if err != nil {
		return nil, nil, err
	}
	return o.read(paths, parents)
}

// memoryPerByte is an upper bound on the memory in bytes for each byte of a dictionary file: 3 for text, 20 if it is
// compressed. A small file that unpacks to more than the default limit is rejected.
const memoryPerByte = 32

// allowMemory raises the default memory limit to what files of this size may need.
func (o *DictionaryOptions) allowMemory(paths []string) {
	size := int64(0)
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			size += info.Size()
		}
	}
	if o.Limits.WithDefaults().InMemory == files.DefaultLimits.InMemory {
		o.Limits.InMemory = max(files.DefaultLimits.InMemory, memoryPerByte*size)
	}
}

// read reads the files returned by expand.
func (o *DictionaryOptions) read(paths, parents []string) (*Dictionary, *DictionaryReport, error) {
	o.allowMemory(paths)
	dict, report, err := o.join(paths)
	if err != nil {
		return nil, nil, err
	}
	if dict.CountNames() == 0 {
		return nil, nil, fmt.Errorf("%s: the dictionary has no names", strings.Join(paths, ", "))
	}
	if o.IDs != "" {
		concepts, err := kbfile.ReadConceptMap(o.IDs, o.Limits)
		if err != nil {
			return nil, nil, err
		}
		dict = kbfile.WithConceptMap(dict, concepts)
	}
	if dict, err = o.withEdges(dict, report, parents); err != nil {
		return nil, nil, err
	}
	report.Concepts, report.Names = dict.Len(), dict.CountNames()
	return dict, report, nil
}

const (
	minKept      = 5_000   // names: fewer are read and indexed in .2 s
	maxCacheSize = 4 << 30 // bytes; a million names take a third of a GB
)

// OpenDictionaries returns the model for dictionary files, as from [ReadDictionaries] and [NewDictionaryModel]. It must
// be closed. With [DictionaryOptions].Cache, the model of a large dictionary is cached there, and the next call with
// the same program, files, by content and path, and options maps it into memory. A damaged cached model is made again.
// When all of them together take more than 4 GB, the least recently used ones are removed.
func OpenDictionaries(ctx context.Context, paths []string, o DictionaryOptions) (*Model, *DictionaryReport, error) {
	var names []string
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	source := strings.Join(names, ", ")
	paths, parents, err := o.expand(paths)
	if err != nil {
		return nil, nil, err
	}
	var k keptDictionary
	place := o.place(source, paths, parents)
	if m, err := k.open(place); err == nil {
		for _, s := range k.Said {
			s.tell(&o.Observer)
		}
		return m, k.Report, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		o.Observer.logf("%v: it is made again", err)
	}
	k = keptDictionary{}
	hear := func(s said) {
		k.Said = append(k.Said, s)
		s.tell(&o.Observer)
	}
	reading := o
	reading.Observer = Observer{Log: func(line string) { hear(said{Log: line}) }, Error: func(err error) {
		row, _ := errors.AsType[*kbfile.RowError](err)
		hear(said{row, err.Error(), ""})
	}}
	dict, report, err := reading.read(paths, parents)
	if err != nil {
		return nil, nil, err
	}
	// unless the files were changed in the meantime
	if place != "" && dict.CountNames() >= minKept && o.place(source, paths, parents) == place {
		k.Report = report
		m, err := k.keep(ctx, place, source, dict, &o.Observer)
		if err == nil || ctx.Err() != nil {
			return m, report, err
		}
		o.Observer.logf("the next run reads the dictionary again: %v (see DictionaryOptions.Cache)", err)
	}
	return NewDictionaryModel(dict, source), report, nil
}

// keptDictionary is cached with the model of a dictionary: the report and messages from reading it.
type keptDictionary struct {
	Report *DictionaryReport
	Said   []said
}

// said is a message to an [Observer]: a malformed row, another error, or a line.
type said struct {
	Row      *kbfile.RowError `json:",omitempty"`
	Err, Log string           `json:",omitempty"`
}

func (s *said) tell(o *Observer) {
	switch {
	case s.Row != nil:
		o.error(s.Row)
	case s.Err != "":
		o.error(errors.New(s.Err))
	default:
		o.logf("%s", s.Log)
	}
}

// place returns the folder of a dictionary in the cache, determined by everything that its content depends on. It is
// empty if there is no cache, or a file cannot be read twice or is larger than the cache.
func (o *DictionaryOptions) place(source string, paths, parents []string) string {
	program, _ := os.Executable()
	about, err := os.Stat(program)
	if err != nil || o.Cache == "" {
		return ""
	}
	build, _ := debug.ReadBuildInfo()
	h := sha256.New()
	if json.NewEncoder(h).Encode([]any{program, about.Size(), about.ModTime(), fmt.Sprint(build), source, paths, parents,
		o.IDs, o.Options}) != nil {
		return ""
	}
	read := slices.Concat(paths, parents)
	if o.IDs != "" {
		read = append(read, o.IDs)
	}
	for _, path := range read {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxCacheSize || path == "-" {
			return ""
		}
		digest, err := artifact.DigestFile(path)
		if err != nil {
			return ""
		}
		fmt.Fprintln(h, digest.SHA256)
	}
	return filepath.Join(o.Cache, hex.EncodeToString(h.Sum(nil)))
}

// open opens the model written by [keptDictionary.keep]. If there is none, it returns [fs.ErrNotExist].
func (k *keptDictionary) open(place string) (*Model, error) {
	if _, err := os.Stat(place); err != nil {
		return nil, fs.ErrNotExist
	}
	stored, report, err := model.OpenOfDictionary(place)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(report, k); err != nil {
		return nil, errors.Join(artifact.Damaged(place, "has no report: %v", err), stored.Close())
	}
	artifact.Touch(place)
	m := NewModel(stored)
	m.dictionaryOnly = true
	return m, nil
}

// keep writes the model of a dictionary, unless another process has done so in the meantime, and opens it.
func (k *keptDictionary) keep(ctx context.Context, place, source string, dict *Dictionary, o *Observer) (*Model, error) {
	lock, err := artifact.LockFolder(ctx, place, func(held *LockedError) { o.logf("waiting: %v", held) })
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	if m, err := k.open(place); err == nil {
		return m, nil
	}
	if err := artifact.RemoveFolder(place); err != nil { // a damaged folder may no longer look like a model
		return nil, err
	}
	ctx = o.indexing(ctx, dict.CountNames())
	tagger, _, err := NewTagger(ctx, dict, Observer{})
	if err != nil {
		return nil, err
	}
	report, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	if _, err := model.Build(ctx, model.BuildOptions{Dir: place, Dictionary: dict, Tagger: tagger,
		DictionaryInfo: model.DictionaryInfo{Source: source, Fraction: 1, Report: report}}); err != nil {
		return nil, err
	}
	m, err := k.open(place)
	if err == nil {
		o.logf("kept for the next run, which starts at once: %s, %s (see DictionaryOptions.Cache)", place,
			humanize.Bytes(artifact.Prune(place, maxCacheSize)))
	}
	return m, err
}

// withEdges returns the dictionary with the hierarchy from files. For OMOP, it keeps only standard concepts.
func (o *DictionaryOptions) withEdges(dict *Dictionary, report *DictionaryReport, parents []string) (*Dictionary, error) {
	var edges, targets []kbfile.Edge
	for _, path := range parents {
		more, mapped, err := kbfile.ReadParents(path, o.Limits)
		if errors.Is(err, kbfile.ErrNoParents) && o.Parents == "" { // a release may have none
			err = nil
		}
		if err != nil {
			return nil, err
		}
		edges, targets = append(edges, more...), append(targets, mapped...)
	}
	if len(parents) > 0 {
		files := strings.Join(parents, ", ")
		var found kbfile.ParentsReport
		if dict, found = kbfile.WithParents(dict, edges); found.Edges == 0 {
			o.Observer.logf("%s: has no hierarchy", files)
		} else {
			report.Edges = &found
			o.Observer.logf("%s: %d of %d parents are in the dictionary; it lacks the child of %d, and the parent of %d (%d different)",
				files, found.Kept, found.Edges, found.UnknownChild, found.UnknownParent, found.MissingParents)
		}
	}
	sources := make(map[ConceptID]bool)
	for _, file := range report.Files {
		maps.Copy(sources, file.Sources)
	}
	if len(sources) > 0 {
		var moved, leftOut int
		if dict, moved, leftOut = kbfile.WithTargets(dict, sources, targets); moved+leftOut == 0 {
			o.Observer.logf("no concept is a standard concept of OMOP: mentions are linked to those that are there")
		} else {
			o.Observer.logf("of the concepts that are no standard concepts of OMOP, %d are read as names of the one that they map "+
				"to, and %d are left out", moved, leftOut)
		}
	}
	return dict, nil
}

// expand replaces the folder of a release by its files, and returns the files of the hierarchy: those of the options,
// or else those of the releases.
func (o *DictionaryOptions) expand(paths []string) (expanded, parents []string, err error) {
	for _, path := range paths {
		if info, err := os.Stat(path); path == "-" || err != nil || !info.IsDir() {
			expanded = append(expanded, path) // reading it reports the error
			continue
		}
		release, err := kbfile.FindRelease(path, o.Language)
		if err != nil {
			return nil, nil, err
		}
		expanded = append(expanded, release.Dictionaries...)
		read := slices.Clone(release.Dictionaries)
		if release.Parents != "" && o.Parents == "" {
			parents = append(parents, release.Parents)
			read = append(read, release.Parents)
		}
		o.Observer.logf("%s: release of %s: reading %s; %d other files are not read",
			path, release.Name, strings.Join(read, ", "), release.Files-len(read))
	}
	if o.Parents != "" {
		parents = []string{o.Parents}
	}
	return expanded, parents, nil
}

// join reads the files and joins their concepts by id.
func (o *DictionaryOptions) join(paths []string) (dict *Dictionary, report *DictionaryReport, err error) {
	options := o.Options
	if paths, err = o.preferredDescriptions(paths, &options); err != nil {
		return nil, nil, err
	}
	report = new(DictionaryReport)
	retired := make(map[ConceptID]bool)
	for _, path := range paths {
		next, read, err := kbfile.Read(path, options)
		if err != nil {
			return nil, nil, err
		}
		options.Memory = read.Memory
		file := DictionaryFile{Path: path, Report: read}
		o.Observer.logDictionary(path, read)
		if dict == nil {
			dict = next
		} else {
			var joined kbfile.JoinReport
			dict, joined = kbfile.Join(dict, next)
			file.Join = &joined
			o.Observer.logf("%s: %s joined by id with those before, %d new; %s", path,
				english.Plural(joined.Joined, "concept", ""), joined.Added, english.Plural(joined.Names, "new name", ""))
		}
		maps.Copy(retired, read.Retired)
		report.Files = append(report.Files, file)
	}
	if len(paths) > 1 && len(retired) > 0 {
		if dict, report.Retired = kbfile.WithoutRetired(dict, retired); report.Retired > 0 {
			o.Observer.logf("left out %s that one file retires and another names",
				english.Plural(report.Retired, "concept", ""))
		}
	}
	return dict, report, nil
}

// preferredDescriptions reads the language reference sets of SNOMED CT among several files, and returns the other
// files.
func (o *DictionaryOptions) preferredDescriptions(paths []string, options *kbfile.Options) ([]string, error) {
	if len(paths) == 1 {
		return paths, nil
	}
	var others []string
	for _, path := range paths {
		var preferred map[string]bool
		var err error
		if path != "-" {
			preferred, err = kbfile.ReadLanguageReferenceSet(path, o.Limits)
		}
		if err != nil {
			return nil, err
		}
		if preferred == nil {
			others = append(others, path)
			continue
		}
		o.Observer.logf("%s: language reference set of SNOMED CT, %d preferred descriptions", path, len(preferred))
		if options.PreferredDescriptions == nil {
			options.PreferredDescriptions = preferred
		} else {
			maps.Copy(options.PreferredDescriptions, preferred)
		}
	}
	if len(others) == 0 {
		return paths, nil // reading the first one fails
	}
	return others, nil
}

// logDictionary logs how a dictionary file was parsed.
func (o *Observer) logDictionary(path string, r *kbfile.Report) {
	o.logf("%s: %s", path, r)
	if columns := describeColumns(r); columns != "" {
		o.logf("%s: %s", path, columns)
	}
	for _, note := range r.Notes {
		o.logf("%s: %s", path, note)
	}
	for _, bad := range r.Errors {
		o.error(bad)
	}
	if r.BadRows > len(r.Errors) {
		o.error(fmt.Errorf("%s: %s", path, english.Plural(r.BadRows-len(r.Errors), "more malformed row", "")))
	}
}

// describeColumns describes the role of each column of a table, or returns "".
func describeColumns(r *kbfile.Report) string {
	var used, unused []string
	for i, column := range r.Columns {
		name := fmt.Sprintf("column %d", i+1)
		if column.Name != "" {
			name = fmt.Sprintf("%q", column.Name)
		}
		switch {
		case column.Role == "":
			unused = append(unused, name)
		case column.Separator != "":
			used = append(used, fmt.Sprintf("%s is %s, separated by %q", name, column.Role, column.Separator))
		case column.Role == "synonyms":
			used = append(used, name+" is synonyms, one a cell")
		default:
			used = append(used, fmt.Sprintf("%s is %s", name, column.Role))
		}
	}
	if used == nil {
		return ""
	}
	said := "columns"
	if r.Delimiter != "" {
		said += fmt.Sprintf(", separated by %q", r.Delimiter)
	}
	said += ": " + strings.Join(used, "; ")
	if unused != nil {
		said += "; not used: " + strings.Join(unused, ", ")
	}
	return said
}
