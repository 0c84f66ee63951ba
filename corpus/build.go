package corpus

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Build makes a corpus of PubMed files. A build that was stopped, by ctx or by
// force, goes on from the input files that were finished when it is called
// again, and the corpus is the same as if nothing had happened.
//
// Where input files are broken, the rest of them is read, and the manifest comes
// with an error of type [*InputErrors]. With any other error there is no
// manifest.
func Build(ctx context.Context, o Options) (*Manifest, error) {
	return build(ctx, o, func(path string) (io.ReadCloser, error) { return os.Open(path) })
}

func build(ctx context.Context, o Options, open func(string) (io.ReadCloser, error)) (*Manifest, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	settings, err := o.settings()
	if err != nil {
		return nil, err
	}
	parts := filepath.Join(o.Dir, partsName)
	if err := os.MkdirAll(parts, 0o755); err != nil {
		return nil, err
	}
	t := &tagging{
		dir:          parts,
		settings:     &settings,
		exclude:      o.Exclude,
		tagger:       o.Tagger,
		miner:        o.Miner,
		workers:      o.Workers,
		pieceRecords: o.pieceRecords,
		progress:     &progress{tell: o.Progress},
		open:         open,
	}
	tasks, err := newTasks(o.Inputs)
	if err != nil {
		return nil, err
	}
	made, err := t.stage(ctx, Reading, tasks)
	if err != nil {
		return nil, err
	}
	sources, paths := partSources(made, tasks, &settings)
	c, err := combine(ctx, settings, sources)
	if err != nil {
		return nil, err
	}
	done := func(p piece) { t.progress.read(p.bytes) }
	t.progress.begin(Drawing, totalSize(tasks))
	drawn, short, err := c.sample(ctx, done)
	if err != nil {
		return nil, err
	}
	if len(short) > 0 {
		if err := t.repair(ctx, c, paths); err != nil {
			return nil, err
		}
		t.progress.begin(Drawing, totalSize(tasks))
		if drawn, short, err = c.sample(ctx, done); err != nil {
			return nil, err
		}
		if len(short) > 0 {
			return nil, fmt.Errorf("%s: parts are incomplete (of the name %q); remove the folder", parts, short[0])
		}
	}
	t.progress.begin(Writing, totalSize(tasks))
	m, err := c.write(ctx, o.Dir, drawn, done)
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(parts); err != nil {
		return nil, err
	}
	return m, problems(sources, paths)
}

// stage makes parts and reports their progress.
func (t *tagging) stage(ctx context.Context, stage Stage, tasks []task) ([]*part, error) {
	t.progress.begin(stage, totalSize(tasks))
	return t.run(ctx, tasks)
}

// repair makes the parts again that hold sentences of records that do not
// count, without those records.
func (t *tagging) repair(ctx context.Context, c *combination, paths map[string]string) error {
	var tasks []task
	var sources []*source
	for _, s := range c.sources {
		if !c.touches(c.union, s) {
			continue
		}
		in := s.inputs[0]
		tasks = append(tasks, task{path: paths[in.SHA256], size: in.Bytes, skip: c.losers[c.union.index[in.SHA256]]})
		sources = append(sources, s)
	}
	parts, err := t.stage(ctx, Repairing, tasks)
	if err != nil {
		return err
	}
	for i, s := range sources {
		if hash := parts[i].input.SHA256; hash != s.inputs[0].SHA256 {
			return fmt.Errorf("%s: changed while it was read", tasks[i].path)
		}
		s.pieces = parts[i].pieces()
	}
	return nil
}

// newTasks is one task for each input file.
func newTasks(inputs []string) ([]task, error) {
	tasks := make([]task, len(inputs))
	for i, path := range inputs {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		tasks[i] = task{path: path, size: info.Size()}
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

// partSources gives the parts as sources, equal files once, and where the file
// of each hash is.
func partSources(parts []*part, tasks []task, settings *Settings) ([]*source, map[string]string) {
	var sources []*source
	paths := make(map[string]string)
	first := make(map[string]*source)
	for i, p := range parts {
		hash := p.input.SHA256
		if s := first[hash]; s != nil {
			s.inputs[0].Name = min(s.inputs[0].Name, p.input.Name)
			continue
		}
		s := &source{
			pieces:  p.pieces(),
			perName: spareSize(settings.PerName),
			part:    true,
			inputs:  []Input{p.input},
			lists:   [][]list{p.lists()},
		}
		first[hash] = s
		paths[hash] = tasks[i].path
		sources = append(sources, s)
	}
	return sources, paths
}

// problems is the *InputErrors of the sources, or nil.
func problems(sources []*source, paths map[string]string) error {
	var e InputErrors
	for _, s := range sources {
		if in := s.inputs[0]; in.Broken > 0 {
			e.Files = append(e.Files, FileProblems{Path: paths[in.SHA256], Broken: in.Broken, First: in.Problems})
		}
	}
	if len(e.Files) == 0 {
		return nil
	}
	return &e
}
