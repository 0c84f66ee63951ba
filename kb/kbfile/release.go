package kbfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// releaseFiles are the files of a vocabulary in the folder that its publisher distributes.
type releaseFiles struct {
	name string // in messages
	main string // the name of its first file, in messages

	// dictionaries match the names of the files to read, in this order, and parents that of the hierarchy; see
	// releaseFile. A folder without the first is no release.
	dictionaries []string
	parents      string
}

// releases are the vocabularies whose folders are known.
var releases = []*releaseFiles{
	{"SNOMED CT (RF2)", "sct2_Description_Snapshot*.txt", []string{rf2File("sct2_Description_"), rf2File("sct2_Concept_"),
		rf2File("der2_cRefset_Association"), rf2File("der2_cRefset_Language")}, rf2File("sct2_Relationship_")},
	{"UMLS", "MRCONSO.RRF", []string{`MRCONSO\.RRF`, `MRSTY\.RRF`}, `MRREL\.RRF`},
	{"RxNorm", "RXNCONSO.RRF", []string{`RXNCONSO\.RRF`, `RXNSTY\.RRF`}, ""},
	{"OMOP", "CONCEPT.csv", []string{`CONCEPT\.csv`, `CONCEPT_SYNONYM\.csv`}, `CONCEPT_RELATIONSHIP\.csv`},
	{"LOINC", "Loinc.csv", []string{`Loinc\.csv`, `MapTo\.csv`}, ""},
	{"NCBI Taxonomy", "names.dmp", []string{`names\.dmp`, `merged\.dmp`}, `nodes\.dmp`},
}

// rf2File returns the pattern of a file of SNOMED CT, whose group is its language
// (https://confluence.ihtsdotools.org/display/DOCRELFMT/3.3.2+Release+File+Naming+Convention).
func rf2File(kind string) string {
	return `x?` + kind + `[a-z]*_?Snapshot(?:-([a-z]{2})[a-z-]*)?(?:_[^.]*)?\.txt`
}

// releaseFile compiles the pattern of the name of a file, in any case, which may be compressed.
func releaseFile(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)^` + pattern + `(?:\.(?:gz|bz2|xz|zst))?$`)
}

// A Release is a vocabulary in the folder that its publisher distributes.
type Release struct {
	Name         string   // of the vocabulary, such as "SNOMED CT (RF2)"
	Dictionaries []string // paths of the files to read as one dictionary, in this order
	Parents      string   // path of the file for [ReadParents]; empty for none
	Files        int      // number of files in the folder, those that are not read among them
}

// FindRelease returns the release of a vocabulary in the folder dir and those below it, found by the names of its
// files. It is one of SNOMED CT (Snapshot), UMLS, RxNorm, OMOP, LOINC and NCBI Taxonomy. Of files with the same name it
// has those that are nearest to dir. language is that of [Options]: files in other languages are left out. It is an
// error if there is no release, or more than one.
func FindRelease(dir, language string) (*Release, error) {
	named, err := filesBelow(dir)
	if err != nil {
		return nil, err
	}
	var found *Release
	for _, known := range releases {
		r, err := known.find(dir, named, language)
		if err != nil {
			return nil, err
		}
		if r == nil {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("%s: has releases of %s and %s, want the folder of one", dir, found.Name, r.Name)
		}
		found = r
	}
	if found == nil {
		var mains []string
		for _, known := range releases {
			mains = append(mains, fmt.Sprintf("%s (%s)", known.main, known.name))
		}
		return nil, fmt.Errorf("%s: is a folder without %s; want a file, or the folder of such a release",
			dir, strings.Join(mains, ", "))
	}
	return found, nil
}

// filesBelow returns the slash-separated paths of the files below dir, without those that are hidden.
func filesBelow(dir string) (named []string, err error) {
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
				err = pathErr.Err
			}
			return fmt.Errorf("%s: %w", filepath.Join(dir, filepath.FromSlash(name)), err)
		case name != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir():
			named = append(named, name)
		}
		return nil
	})
	return named, err
}

// find returns the release among files below dir, or nil if its first file is not there.
func (f *releaseFiles) find(dir string, named []string, language string) (*Release, error) {
	r := &Release{Name: f.name, Files: len(named)}
	inDir := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for i, kind := range f.dictionaries {
		pattern := releaseFile(kind)
		paths, err := nearest(dir, named, pattern)
		if err != nil || i == 0 && len(paths) == 0 {
			return nil, err
		}
		for _, name := range paths {
			groups := append(pattern.FindStringSubmatch(path.Base(name)), "") // perhaps the language that the name has
			if groups[1] == "" || selectsLanguage(cmp.Or(language, defaultLanguage), groups[1]) {
				r.Dictionaries = append(r.Dictionaries, inDir(name))
			}
		}
		if i == 0 && len(r.Dictionaries) == 0 {
			return nil, fmt.Errorf("%s: %s has no names in the language asked for, but %s",
				dir, f.name, strings.Join(paths, ", "))
		}
	}
	parents, err := nearest(dir, named, releaseFile(f.parents))
	if len(parents) > 1 {
		err = fmt.Errorf("%s: want one file of the hierarchy, got %s", dir, strings.Join(parents, ", "))
	}
	if err == nil && len(parents) > 0 {
		r.Parents = inDir(parents[0])
	}
	return r, err
}

// nearest returns the files with a name that matches, in the folder that is nearest to the root. It is an error if two
// folders are equally near.
func nearest(dir string, named []string, pattern *regexp.Regexp) (paths []string, err error) {
	depth := func(name string) int { return strings.Count(name, "/") }
	for _, name := range named {
		switch {
		case !pattern.MatchString(path.Base(name)):
		case len(paths) == 0 || depth(name) == depth(paths[0]):
			paths = append(paths, name)
		case depth(name) < depth(paths[0]):
			paths = []string{name}
		}
	}
	for _, name := range paths {
		if first := path.Dir(paths[0]); path.Dir(name) != first {
			return nil, fmt.Errorf("%s: has %s in %s and in %s, want the folder of one release",
				dir, path.Base(name), first, path.Dir(name))
		}
		at := filepath.Join(dir, filepath.FromSlash(name))
		if info, err := os.Stat(at); err == nil && !info.Mode().IsRegular() { // a pipe would be waited for
			return nil, fmt.Errorf("%s: is no file", at)
		}
	}
	slices.Sort(paths)
	return paths, nil
}
