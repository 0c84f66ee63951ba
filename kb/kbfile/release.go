package kbfile

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// releaseFiles describes the files of a vocabulary in the folder that its publisher distributes.
type releaseFiles struct {
	name string // in messages
	main string // the name of its first file, in messages

	// dictionaries are patterns of the files to read, in this order, and parents is the pattern of the hierarchy; see
	// releaseFile. A folder without the first file is not a release.
	dictionaries []string
	parents      string
}

// releases lists the vocabularies whose folders are known.
var releases = []*releaseFiles{
	{"SNOMED CT (RF2)", "sct2_Description_Snapshot*.txt", []string{rf2File("sct2_Description_"), rf2File("sct2_Concept_"),
		rf2File("der2_cRefset_Association"), rf2File("der2_cRefset_Language")}, rf2File("sct2_Relationship_")},
	{"UMLS", "MRCONSO.RRF", []string{`MRCONSO\.RRF`, `MRSTY\.RRF`}, `MRREL\.RRF`},
	{"RxNorm", "RXNCONSO.RRF", []string{`RXNCONSO\.RRF`, `RXNSTY\.RRF`}, ""},
	{"OMOP", "CONCEPT.csv", []string{`CONCEPT\.csv`, `CONCEPT_SYNONYM\.csv`}, `CONCEPT_RELATIONSHIP\.csv`},
	{"LOINC", "Loinc.csv", []string{`Loinc\.csv`, `MapTo\.csv`}, ""},
	{"NCBI Taxonomy", "names.dmp", []string{`names\.dmp`, `merged\.dmp`}, `nodes\.dmp`},
}

// rf2File returns the pattern of a file of SNOMED CT, with the language as its group
// (https://confluence.ihtsdotools.org/display/DOCRELFMT/3.3.2+Release+File+Naming+Convention).
func rf2File(kind string) string {
	return `x?` + kind + `[a-z]*_?Snapshot(?:-([a-z]{2})[a-z-]*)?(?:_[^.]*)?\.txt`
}

// releaseFile compiles the pattern of a file name. It ignores case and allows for compression.
func releaseFile(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)^` + pattern + `(?:\.(?:gz|bz2|xz|zst))?$`)
}

// Release is a vocabulary in the folder that its publisher distributes.
type Release struct {
	Name         string   // of the vocabulary, such as "SNOMED CT (RF2)"
	Dictionaries []string // paths of the files to read as one dictionary, in this order
	Parents      string   // path of the file for [ReadParents]; empty if there is none
	Files        int      // number of files in the folder, including those that are not read
}

// FindRelease returns the release of a vocabulary in the folder dir or below it, found by file names. It finds SNOMED
// CT (Snapshot), UMLS, RxNorm, OMOP, LOINC and NCBI Taxonomy. If files have the same name, those nearest to dir are
// used. language is the Language of [Options]: files in other languages are skipped. FindRelease returns an error if
// there is no release, or more than one.
func FindRelease(dir, language string) (*Release, error) {
	files, err := input.FilesBelow(dir, func(string) bool { return false })
	if err != nil {
		return nil, err
	}
	var found *Release
	for _, known := range releases {
		r, err := known.find(dir, files, language)
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

// find returns the release among the files below dir, or nil if its first file is missing.
func (f *releaseFiles) find(dir string, files []string, language string) (*Release, error) {
	r := &Release{Name: f.name, Files: len(files)}
	for i, kind := range f.dictionaries {
		pattern := releaseFile(kind)
		paths, err := nearest(dir, files, pattern)
		if err != nil || i == 0 && len(paths) == 0 {
			return nil, err
		}
		for _, path := range paths {
			groups := append(pattern.FindStringSubmatch(filepath.Base(path)), "") // [1] is the language in the name, or ""
			if groups[1] == "" || selectsLanguage(cmp.Or(language, defaultLanguage), groups[1]) {
				r.Dictionaries = append(r.Dictionaries, path)
			}
		}
		if i == 0 && len(r.Dictionaries) == 0 {
			return nil, fmt.Errorf("%s: %s has no names in the language asked for, but %s",
				dir, f.name, strings.Join(paths, ", "))
		}
	}
	parents, err := nearest(dir, files, releaseFile(f.parents))
	if len(parents) > 1 {
		err = fmt.Errorf("%s: want one file of the hierarchy, got %s", dir, strings.Join(parents, ", "))
	}
	if err == nil && len(parents) > 0 {
		r.Parents = parents[0]
	}
	return r, err
}

// nearest returns the files with a matching name in the folder nearest to the root. It returns an error if two folders
// are equally near.
func nearest(dir string, files []string, pattern *regexp.Regexp) (paths []string, err error) {
	depth := func(path string) int { return strings.Count(path, string(filepath.Separator)) }
	for _, path := range files {
		switch {
		case !pattern.MatchString(filepath.Base(path)):
		case len(paths) == 0 || depth(path) == depth(paths[0]):
			paths = append(paths, path)
		case depth(path) < depth(paths[0]):
			paths = []string{path}
		}
	}
	for _, path := range paths {
		if filepath.Dir(path) != filepath.Dir(paths[0]) {
			return nil, fmt.Errorf("%s: has %s and %s, want the folder of one release", dir, paths[0], path)
		}
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // reading a pipe would block
			return nil, fmt.Errorf("%s: not a file", path)
		}
	}
	slices.Sort(paths)
	return paths, nil
}
