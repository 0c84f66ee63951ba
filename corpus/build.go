package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// Build builds a corpus of the input files o.Inputs in the folder o.Dir and returns its manifest. If a build is
// stopped, by ctx or by a crash, the next call continues after the input files that were finished, and the resulting
// corpus is the same. It compares their shards with their checksums and rebuilds damaged ones. An existing corpus in
// o.Dir stays unchanged until it is replaced in one step.
//
// Build refuses a folder that holds files of others, see [CheckTarget]. If another process is writing the folder, it
// returns a [*files.LockedError], see [Options.Waiting].
//
// If input files are broken, Build reads what it can and returns the manifest together with an [*InputErrors]. With any
// other error the manifest is nil. A corpus without sentences is an error and leaves an existing corpus in o.Dir
// unchanged.
func Build(ctx context.Context, o Options) (*Manifest, error) {
	p, err := o.begin(ctx, o.Inputs, artifact.LockFolder)
	if err != nil {
		return nil, err
	}
	defer p.lock.Release()
	shards, err := p.run(ctx)
	if err != nil {
		return nil, err
	}
	sources, broken := shardSources(shards, p.tasks), inputErrors(shards, p.tasks)
	r, err := newReducer(ctx, p.settings, sources, o.Limits, p.progress.addBytes)
	if err != nil {
		return nil, err
	}
	if r.totals.Tagged == 0 {
		if err := os.RemoveAll(p.dir); err != nil {
			return nil, err
		}
		os.Remove(o.Dir) // fails if it has an earlier corpus
		return nil, r.noSentences(broken)
	}
	p.progress.begin("sampling", totalSize(p.tasks))
	sampled, _, err := r.sample(ctx) // shards have all sentences
	if err != nil {
		return nil, err
	}
	p.progress.begin("writing", totalSize(p.tasks))
	m, err := r.write(ctx, o.Dir, sampled)
	if err != nil {
		return nil, err
	}
	return m, broken
}

// BuildShards builds the shards of files, a subset of the input files o.Inputs, and leaves them in the folder o.Dir,
// where a [Build] of all o.Inputs finds them. It returns what it read from each file, in the order of files. It does
// not rebuild complete shards.
//
// Any number of processes may build shards in a folder at the same time, on any machines that share it; the corpus is
// the same to the byte. Until the last of them has ended, Build refuses the folder or waits. Errors are those of Build.
// An existing corpus in the folder stays unchanged.
func BuildShards(ctx context.Context, o Options, files []string) ([]Input, error) {
	p, err := o.begin(ctx, files, artifact.LockFolderShared)
	if err != nil {
		return nil, err
	}
	defer p.lock.Release()
	shards, err := p.run(ctx)
	if err != nil {
		return nil, err
	}
	inputs := make([]Input, len(shards))
	for i, s := range shards {
		inputs[i] = s.input
	}
	return inputs, inputErrors(shards, p.tasks)
}

// begin locks the work folder of o.Dir and returns the pipeline that builds the shards of the files at paths in it.
func (o *Options) begin(ctx context.Context, paths []string,
	lockFolder func(context.Context, string, func(*files.LockedError)) (*artifact.Lock, error)) (*pipeline, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	p := &pipeline{Options: o, progress: &progress{report: o.Progress}}
	var err error
	if p.settings, err = o.settings(); err != nil {
		return nil, err
	}
	if p.tasks, err = newTasks(o, paths); err != nil {
		return nil, err
	}
	if p.lock, err = lockFolder(ctx, o.Dir, o.Waiting); err != nil {
		return nil, err
	}
	if err = CheckTarget(o.Dir); err == nil {
		p.dir, err = shardFolder.Open(o.Dir)
	}
	if err != nil {
		p.lock.Release()
		return nil, err
	}
	return p, nil
}

// newTasks returns one task per file; all must be input files. It recognizes their formats before anything is written,
// so an unsuitable file never causes a corpus to be replaced.
func newTasks(o *Options, files []string) ([]task, error) {
	names := make(map[string]string, len(o.Inputs)) // by path
	for i, name := range formats.ShortNames(o.Inputs) {
		names[o.Inputs[i]] = name
	}
	tasks := make([]task, len(files))
	for i, path := range files {
		name, ok := names[path]
		if !ok {
			return nil, fmt.Errorf("%s: is not one of the %d input files", path, len(o.Inputs))
		}
		info, err := os.Stat(path)
		if err == nil && info.IsDir() {
			err = fmt.Errorf("%s: is a folder, want a file", path)
		}
		if err != nil {
			return nil, err
		}
		format, err := recognize(path, o)
		if err != nil {
			return nil, err
		}
		tasks[i] = task{o, path, info.Size(), format, name}
	}
	return tasks, nil
}

func totalSize(tasks []task) int64 {
	total := int64(0)
	for i := range tasks {
		total += tasks[i].size
	}
	return total
}

// shardSources returns the shards as sources. Input files with equal content become one source, under the name that
// sorts first.
func shardSources(shards []*shard, tasks []task) (sources []*source) {
	first := make(map[string]int) // content hash -> its shard
	for i, sh := range shards {
		t, hash := &tasks[i], sh.input.SHA256
		at, again := first[hash]
		if !again || cmp.Or(strings.Compare(t.name, tasks[at].name), strings.Compare(t.path, tasks[at].path)) < 0 {
			first[hash] = i
		}
	}
	for i, sh := range shards {
		if first[sh.input.SHA256] == i {
			sources = append(sources, &source{chunks: sh.chunks(), isShard: true, inputs: []Input{sh.input},
				records: [][]recordRange{sh.recordRanges()}})
		}
	}
	return sources
}

// maxProblems is the number of problems of an input file that are kept with their reason. Others are only counted.
const maxProblems = 20

// InputErrors reports which input files are broken. The corpus lacks only what could not be read.
type InputErrors struct {
	Files []Input // the broken files; Name is the path
}

// Error returns one line per problem: "path: byte offset: reason".
func (e *InputErrors) Error() string {
	var lines []string
	for _, f := range e.Files {
		for _, p := range f.Problems {
			switch {
			case p.Line > 0:
				lines = append(lines, fmt.Sprintf("%s:%d: %s", f.Name, p.Line, p.Reason))
			case p.Offset < 0:
				lines = append(lines, fmt.Sprintf("%s: %s", f.Name, p.Reason))
			default:
				lines = append(lines, fmt.Sprintf("%s: byte %d: %s", f.Name, p.Offset, p.Reason))
			}
		}
		if more := f.Broken - len(f.Problems); more > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d more", f.Name, more))
		}
	}
	return strings.Join(lines, "\n")
}

// noSentences returns the error for input files in which no sentence contains a name of the dictionary, so there is
// nothing to learn from. The problems of the files come first, if there are any.
func (r *reducer) noSentences(broken error) error {
	message := fmt.Sprintf("no sentence contains a name of the dictionary: read %s in %s",
		english.Plural(r.totals.Sentences, "sentence", ""), english.Plural(r.totals.Records, "record", ""))
	if r.dropped.Excluded > 0 {
		message += fmt.Sprintf("; excluded: %s", english.Plural(r.dropped.Excluded, "record", ""))
	}
	if broken != nil {
		message = broken.Error() + "\n" + message
	}
	return errors.New(message)
}

// inputErrors returns the *InputErrors of the shards of tasks, or nil if no input file is broken.
func inputErrors(shards []*shard, tasks []task) error {
	var e InputErrors
	for i, s := range shards {
		if in := s.input; in.Broken > 0 {
			in.Name = tasks[i].path
			e.Files = append(e.Files, in)
		}
	}
	if e.Files == nil {
		return nil
	}
	return &e
}
