// Command curator is what make curator starts: it simulates a curator who goes through annotated documents one
// after another and corrects the first wrong link of each, and measures what the corrections do for other documents.
//
// The first wrong link is that of the first mention with one gold concept of the dictionary that is linked to another
// concept, or to none. It is corrected by a context: the mention in its text, with the gold concept. The next
// document is linked by what the memory says then. After each number of documents the memory is measured on
// the documents of -dev, as it is and with the weights of the ranking learned again (ctxnorm calibrate --memory).
//
// The model is copied: neither it nor its memory is changed.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/link/calibrate"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/plot"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/memory"
	"github.com/ctxnorm/ctxnorm/text"
)

type settings struct {
	Model       string `flag:"model" default:"model" usage:"folder of the model"`
	Train       string `flag:"train" usage:"annotated files that the curator goes through, joined by commas"`
	Dev         string `flag:"dev" usage:"annotated files to measure on, joined by commas"`
	Types       string `flag:"types" usage:"entity types of the annotations to use, joined by commas (default: all)"`
	IDs         string `flag:"ids" usage:"JSON file of concepts with all their ids, which the annotations may use"`
	Documents   string `flag:"documents" default:"50,100,200" usage:"numbers of documents after which to measure"`
	Names       bool   `flag:"names" usage:"add the wording of each corrected mention as a name, too, unless it looks like a short form"`
	Recalibrate bool   `flag:"recalibrate" usage:"measure also with the weights learned again"`
	Corrected   string `flag:"corrected" usage:"file to write the documents with the corrected mentions to, for train --gold"`
	Plot        string `flag:"plot" usage:"file to write a plot to, .png"`
}

func main() {
	var s settings
	harness.AddFlags(flag.CommandLine, &s)
	flag.Parse()
	if err := run(context.Background(), &s, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "curator:", err)
		os.Exit(2)
	}
}

// session is a curator's work with a model.
type session struct {
	settings *settings
	ids      *eval.ConceptSet
	own      map[kb.ConceptID]kb.ConceptID // concept of the gold -> that of the model
	model    *ctxnorm.Model
	memory   *ctxnorm.Memory
	dir      string // copy of the model
	train    [][]eval.GoldMention
	dev      *eval.Gold

	corrected []correctedDocument
}

// correctedDocument is a document with its corrected mention, as a line of JSON that train --gold reads.
type correctedDocument struct {
	ID       string             `json:"id"`
	Text     string             `json:"text"`
	Mentions []correctedMention `json:"mentions"`
}

type correctedMention struct {
	Start int      `json:"start"` // in code points
	End   int      `json:"end"`
	IDs   []string `json:"ids"`
}

// measurement is a row of the table.
type measurement struct {
	documents, corrections int
	asIs, recalibrated     eval.Metric
}

func run(ctx context.Context, s *settings, w io.Writer) (err error) {
	counts, err := parseCounts(s.Documents)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "ctxnorm-curator-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	c := &session{settings: s, dir: filepath.Join(work, "model")}
	if err := os.CopyFS(c.dir, os.DirFS(s.Model)); err != nil {
		return fmt.Errorf("-model: %w", err)
	}
	if c.model, err = ctxnorm.Open(ctx, c.dir, ctxnorm.OpenOptions{}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.model.Close()) }()
	if c.memory, err = c.model.Memory(nil); err != nil {
		return err
	}
	if err := c.readGold(); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "curator: %d documents to correct, %d mentions to measure on\n", len(c.train), len(c.dev.Mentions))
	rows, err := c.curve(ctx, counts)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, table(rows, s.Recalibrate)); err != nil {
		return err
	}
	if s.Corrected != "" {
		write := func(w io.Writer) error {
			encoder := json.NewEncoder(w)
			for _, doc := range c.corrected {
				if err := encoder.Encode(doc); err != nil {
					return err
				}
			}
			return nil
		}
		if err := artifact.Write(s.Corrected, write); err != nil {
			return err
		}
	}
	if s.Plot == "" {
		return nil
	}
	return artifact.Write(s.Plot, func(w io.Writer) error { return writePlot(w, rows, s.Recalibrate) })
}

func parseCounts(list string) ([]int, error) {
	counts := []int{0}
	for field := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n <= counts[len(counts)-1] {
			return nil, fmt.Errorf("-documents is %q, want growing numbers above 0", list)
		}
		counts = append(counts, n)
	}
	return counts, nil
}

func (c *session) readGold() error {
	dict := c.model.Stored().Dictionary
	c.ids = eval.DictionaryConceptSet(dict)
	if c.settings.IDs != "" {
		concepts, err := kbfile.ReadConceptMap(c.settings.IDs, ctxnorm.Limits{})
		if err != nil {
			return err
		}
		c.ids = eval.NewConceptSet(concepts)
	}
	c.own = make(map[kb.ConceptID]kb.ConceptID)
	for i := range dict.Len() {
		id := dict.At(i).ID
		if canonical := c.ids.Canonical(id); c.own[canonical] == "" {
			c.own[canonical] = id
		}
	}
	read := func(files string) (*eval.Gold, error) {
		var types []string
		if c.settings.Types != "" {
			types = strings.Split(c.settings.Types, ",")
		}
		return eval.ReadGold(strings.Split(files, ","), types, c.ids, ctxnorm.Limits{})
	}
	train, err := read(c.settings.Train)
	if err != nil {
		return fmt.Errorf("-train: %w", err)
	}
	var last *text.Document
	for i := range train.Mentions {
		m := &train.Mentions[i]
		if m.Query.Document != last {
			last = m.Query.Document
			c.train = append(c.train, nil)
		}
		c.train[len(c.train)-1] = append(c.train[len(c.train)-1], *m)
	}
	if c.dev, err = read(c.settings.Dev); err != nil {
		return fmt.Errorf("-dev: %w", err)
	}
	return nil
}

// curve measures after each number of corrected documents.
func (c *session) curve(ctx context.Context, counts []int) ([]measurement, error) {
	var rows []measurement
	var now measurement
	var took time.Duration // of linking and correcting
	for _, count := range counts {
		if count > len(c.train) {
			return nil, fmt.Errorf("-documents has %d, and -train has %d documents", count, len(c.train))
		}
		for ; now.documents < count; now.documents++ {
			start := time.Now()
			corrected, err := c.correct(ctx, c.train[now.documents])
			if err != nil {
				return nil, err
			}
			took += time.Since(start)
			if corrected {
				now.corrections++
			}
		}
		remembering, err := c.memory.Model(ctx)
		if err != nil {
			return nil, err
		}
		if now.asIs, err = c.measure(ctx, remembering); err != nil {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "curator: %d documents, %d corrections in %v: Acc@1 %.4f\n", now.documents, now.corrections, took.Round(time.Second), now.asIs.Value)
		if c.settings.Recalibrate {
			start := time.Now()
			if now.recalibrated, err = c.recalibrated(ctx, count); err != nil {
				return nil, err
			}
			fmt.Fprintf(os.Stderr, "curator: recalibrated in %v: Acc@1 %.4f\n", time.Since(start).Round(time.Second), now.recalibrated.Value)
		}
		rows = append(rows, now)
	}
	return rows, nil
}

// linkOptions always answer, so that Acc@1 compares with that of ctxnorm eval.
var linkOptions = ctxnorm.LinkOptions{MinProbability: ctxnorm.AlwaysAnswer}

// correct links a document and corrects its first wrong link.
func (c *session) correct(ctx context.Context, mentions []eval.GoldMention) (bool, error) {
	m, err := c.memory.Model(ctx)
	if err != nil {
		return false, err
	}
	linker, err := m.Linker(linkOptions)
	if err != nil {
		return false, err
	}
	predictions, err := eval.Predict(ctx, linker, mentions, c.ids, nil)
	if err != nil {
		return false, err
	}
	for i := range predictions {
		p := &predictions[i]
		gold := p.Mention.Gold
		if len(gold) != 1 || c.own[gold[0]] == "" || len(p.Ranked) > 0 && p.Ranked[0].Concept == gold[0] {
			continue
		}
		q := &p.Mention.Query
		offsets := text.NewOffsets(q.Text)
		start, end := offsets.CodePoint(q.Mention.Start), offsets.CodePoint(q.Mention.End)
		_, err := c.memory.Add(ctx, memory.Entry{
			Kind: memory.KindContext, By: "simulated curator", Concept: c.own[gold[0]], Document: q.ID,
			Text: q.Text, Start: start, End: end,
		}, false)
		if conflict := (*memory.ConflictError)(nil); errors.As(err, &conflict) {
			continue // the same words are annotated in two ways
		}
		if err == nil && c.settings.Names && !normalize.LooksLikeShortForm(q.Surface()) {
			_, err = c.memory.Add(ctx, memory.Entry{Kind: memory.KindName, By: "simulated curator", Concept: c.own[gold[0]], Name: q.Surface()}, false)
			if conflict := (*memory.ConflictError)(nil); errors.As(err, &conflict) {
				err = nil // it is a name of another concept
			}
		}
		if err == nil {
			c.corrected = append(c.corrected, correctedDocument{q.ID, q.Text, []correctedMention{{start, end, []string{string(c.own[gold[0]])}}}})
		}
		return err == nil, err
	}
	return false, nil
}

// measure returns Acc@1 on the documents of -dev, of the mentions whose concept the dictionary has.
func (c *session) measure(ctx context.Context, m *ctxnorm.Model) (eval.Metric, error) {
	linker, err := m.Linker(linkOptions)
	if err != nil {
		return eval.Metric{}, err
	}
	predictions, err := eval.Predict(ctx, linker, c.dev.Mentions, c.ids, nil)
	if err != nil {
		return eval.Metric{}, err
	}
	policy, err := eval.PolicyByName("paper")
	if err != nil {
		return eval.Metric{}, err
	}
	return eval.NewResult("memory", predictions, policy, nil, 1).Metrics[0], nil
}

// recalibrated measures a copy of the model whose weights are learned again with the memory.
func (c *session) recalibrated(ctx context.Context, count int) (_ eval.Metric, err error) {
	dir := fmt.Sprintf("%s-%d", c.dir, count)
	if err := errors.Join(os.CopyFS(dir, os.DirFS(c.dir)), copyMemory(dir, c.dir)); err != nil {
		return eval.Metric{}, err
	}
	extend := func(ctx context.Context, m *model.Model) (*model.Model, error) {
		mem, err := ctxnorm.NewModel(m).Memory(nil)
		if err != nil {
			return nil, err
		}
		extended, err := mem.Model(ctx)
		if err != nil {
			return nil, err
		}
		return extended.Stored(), nil
	}
	open, err := ctxnorm.OpenOptions{}.EncoderOpener()
	if err != nil {
		return eval.Metric{}, err
	}
	if _, err := calibrate.Recalibrate(ctx, dir, open, extend, nil, nil); err != nil {
		return eval.Metric{}, err
	}
	m, err := ctxnorm.Open(ctx, dir, ctxnorm.OpenOptions{})
	if err != nil {
		return eval.Metric{}, err
	}
	defer func() { err = errors.Join(err, m.Close(), os.RemoveAll(dir)) }()
	return c.measure(ctx, m)
}

// copyMemory copies the memory of a model folder, which may have none.
func copyMemory(to, from string) error {
	if _, err := os.Stat(memory.Dir(from)); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return os.CopyFS(memory.Dir(to), os.DirFS(memory.Dir(from)))
}

// table returns the measurements as Markdown.
func table(rows []measurement, recalibrated bool) string {
	head := []string{"documents", "corrections", "Acc@1 on dev", "95 %"}
	if recalibrated {
		head = append(head, "recalibrated", "95 %")
	}
	var cells [][]string
	for _, r := range rows {
		row := append([]string{strconv.Itoa(r.documents), strconv.Itoa(r.corrections)}, metricCells(&r.asIs)...)
		if recalibrated {
			row = append(row, metricCells(&r.recalibrated)...)
		}
		cells = append(cells, row)
	}
	return harness.Table(head, 0, cells)
}

func metricCells(m *eval.Metric) []string {
	return []string{fmt.Sprintf("%.4f (%.0f of %d)", m.Value, m.Numerator, m.Denominator), fmt.Sprintf("%.3f–%.3f", m.Low, m.High)}
}

func writePlot(w io.Writer, rows []measurement, recalibrated bool) error {
	p := plot.New("Acc@1 by corrections")
	p.X.Label.Text, p.Y.Label.Text = "documents that the curator went through", "Acc@1 on other documents"
	p.X.Max = float64(rows[len(rows)-1].documents)
	p.X.Tick.Marker = plot.NumberTicks{}
	add := func(name string, c color.RGBA, metric func(*measurement) *eval.Metric) error {
		points := make(plotter.XYs, len(rows))
		for i := range rows {
			points[i] = plotter.XY{X: float64(rows[i].documents), Y: metric(&rows[i]).Value}
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return err
		}
		line.Color, marks.Color = c, c
		p.Add(line, marks)
		p.Legend.Add(name, line, marks)
		return nil
	}
	if err := add("with the memory", plot.LineColors[0], func(m *measurement) *eval.Metric { return &m.asIs }); err != nil {
		return err
	}
	if recalibrated {
		if err := add("and recalibrated", plot.LineColors[1], func(m *measurement) *eval.Metric { return &m.recalibrated }); err != nil {
			return err
		}
	}
	plot.LegendTopLeft(p)
	highest := slices.MaxFunc(rows, func(a, b measurement) int { return cmp.Compare(a.asIs.Value, b.asIs.Value) })
	p.Y.Min, p.Y.Max = rows[0].asIs.Value-.02, max(highest.asIs.Value, highest.recalibrated.Value)+.02
	return plot.Write(w, plot.PNG, []*plot.Plot{p}, []vg.Length{4 * vg.Inch})
}
