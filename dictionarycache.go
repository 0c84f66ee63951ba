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
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/matcher"
)

const (
	minKept      = 5_000   // names: fewer are read and indexed in .2 s
	maxCacheSize = 4 << 30 // bytes; a million names take a third of a GB
)

// OpenDictionaries returns the model of dictionary files, as [ReadDictionaries] and [NewDictionaryModel] make it. It is
// to be closed. With [DictionaryOptions].Cache the model of a large dictionary is kept there for the next call, which
// maps it: of the same program, files, by content and path, and options. A kept model that is damaged is made again.
// Those that were used longest ago are removed when all take more than 4 GB.
func OpenDictionaries(ctx context.Context, paths []string, o DictionaryOptions) (*Model, *DictionaryReport, error) {
	var names []string
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	paths, parents, err := o.expand(paths)
	if err != nil {
		return nil, nil, err
	}
	k := keptDictionary{DictionaryOptions: o, source: strings.Join(names, ", "), paths: paths, parents: parents}
	place := k.place()
	if m, err := k.open(place); err == nil {
		for i := range k.Said {
			k.Said[i].tell(&o.Observer)
		}
		return m, k.Report, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		o.Observer.logf("%v: it is made again", err)
	}
	reading := o
	reading.Observer = Observer{Log: func(message string) { k.hear(said{Log: message}) }, Error: func(err error) {
		row, _ := errors.AsType[*kbfile.RowError](err)
		k.hear(said{err.Error(), row, ""})
	}}
	dict, report, err := reading.read(paths, parents)
	if k.Report = report; err != nil {
		return nil, nil, err
	}
	if place != "" && dict.CountNames() >= minKept && k.place() == place { // the files were not changed meanwhile
		m, err := k.keep(ctx, place, dict)
		if err == nil || ctx.Err() != nil {
			return m, report, err
		}
		o.Observer.logf("the next run reads the dictionary again: %v (see DictionaryOptions.Cache)", err)
	}
	m, err := NewDictionaryModel(dict, k.source)
	return m, report, err
}

// keptDictionary is a dictionary that is kept, and what reading it said.
type keptDictionary struct {
	DictionaryOptions `json:"-"`
	source            string   // for the manifest
	paths, parents    []string // see [DictionaryOptions.expand]

	Report  *DictionaryReport
	Said    []said
	Tagging *matcher.FilterReport
}

// said is what an [Observer] was told.
type said struct {
	Err string           `json:",omitempty"`
	Row *kbfile.RowError `json:",omitempty"` // if that is the error
	Log string           `json:",omitempty"`
}

// hear tells the observer a message, and notes it.
func (k *keptDictionary) hear(message said) {
	k.Said = append(k.Said, message)
	message.tell(&k.Observer)
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

// place returns the folder of the dictionary in the cache, by all that its content depends on. It is empty without a
// cache, and if a file cannot be read twice.
func (k *keptDictionary) place() string {
	program, err := os.Executable()
	if err != nil || k.Cache == "" {
		return ""
	}
	about, err := os.Stat(program)
	if err != nil {
		return ""
	}
	build, _ := debug.ReadBuildInfo()
	h := sha256.New()
	err = json.NewEncoder(h).Encode([]any{program, about.Size(), about.ModTime(), fmt.Sprint(build), k.source, k.paths,
		k.parents, k.IDs, k.Options})
	for _, path := range slices.Concat(k.paths, k.parents, []string{k.IDs}) {
		if path == "" {
			continue
		}
		var digest artifact.Digest
		info, failed := os.Stat(path)
		if failed == nil && info.Mode().IsRegular() && path != "-" {
			digest, failed = artifact.DigestFile(path)
		}
		if err != nil || failed != nil || digest.SHA256 == "" {
			return ""
		}
		fmt.Fprintln(h, digest.SHA256)
	}
	return filepath.Join(k.Cache, hex.EncodeToString(h.Sum(nil)))
}

// open opens what [keptDictionary.keep] wrote. If there is nothing the error is [fs.ErrNotExist].
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
	m.dictionaryOnly, m.tagging = true, k.Tagging
	return m, nil
}

// keep writes the model of a dictionary, unless another process has done so meanwhile, and opens it.
func (k *keptDictionary) keep(ctx context.Context, place string, dict *Dictionary) (*Model, error) {
	lock, err := artifact.LockFolder(ctx, place, k.Observer.waiting(true))
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	if m, err := k.open(place); err == nil {
		return m, nil
	}
	if err := artifact.RemoveFolder(place); err != nil { // what is damaged may not look like a model any more
		return nil, err
	}
	ctx = k.Observer.indexing(ctx, dict.CountNames())
	tagger, filtered, err := newTagger(ctx, dict, Observer{})
	if err != nil {
		return nil, err
	}
	k.Tagging = filtered
	report, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	if _, err := model.Build(ctx, model.BuildOptions{Dir: place, Dictionary: dict, Tagger: tagger,
		DictionaryInfo: model.DictionaryInfo{Source: k.source, Fraction: 1, Report: report}}); err != nil {
		return nil, err
	}
	m, err := k.open(place)
	if err == nil {
		k.Observer.logf("kept for the next run, which starts at once: %s, %s (see DictionaryOptions.Cache)", place,
			humanize.Bytes(pruneCache(place, maxCacheSize)))
	}
	return m, err
}

// pruneCache removes what was used longest ago in the cache until the rest takes at most limit bytes, and what killed
// processes left, but for the folder kept, whose size it returns. What cannot be removed stays.
func pruneCache(kept string, limit uint64) (size uint64) {
	sizes, used := make(map[string]uint64), make(map[string]time.Time)
	cache := filepath.Dir(kept)
	_ = filepath.WalkDir(cache, func(path string, _ fs.DirEntry, err error) error {
		name, _, isBelow := strings.Cut(strings.TrimPrefix(path, cache+string(filepath.Separator)), string(filepath.Separator))
		info, failed := os.Stat(path)
		switch place := filepath.Join(cache, artifact.WithoutTemporary(name)); {
		case err != nil || failed != nil || len(filepath.Base(place)) != hex.EncodedLen(sha256.Size): // of others
		case place != filepath.Join(cache, name):
			_ = artifact.RemoveStale(place)
		case isBelow:
			sizes[place] += uint64(info.Size())
		default:
			used[place] = info.ModTime()
		}
		return nil
	})
	total := sizes[kept]
	delete(used, kept)
	for _, place := range slices.SortedFunc(maps.Keys(used), func(a, b string) int { return used[b].Compare(used[a]) }) {
		if total += sizes[place]; total > limit {
			_ = artifact.RemoveFolder(place)
		}
	}
	return sizes[kept]
}
