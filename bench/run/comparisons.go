package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// inputs are what the comparisons share.
type inputs struct {
	xml, whole, single       harness.XML    // whole has more records, for build-corpus; single has them in one file
	texts                    *harness.Input // titles and abstracts of xml
	names, inflated, anyCase *harness.Input // inflated has more names; anyCase those that build-corpus looks for in any case
	sentences, batches       *harness.Input
	vectors                  *harness.Input
}

func (s *settings) inputs() *inputs {
	in := &inputs{xml: harness.XML{Files: s.PubMed}, whole: harness.XML{Files: s.PubMed}}
	if len(s.PubMed) > 0 {
		in.single.Files = s.PubMed[:1]
	} else {
		in.xml, in.whole = s.MadeXML("xml", s.Docs, s.Files, 1), s.MadeXML("xml", s.Docs, s.Files, s.Rounds)
		in.single = s.MadeXML("xml", s.Docs, 1, s.Rounds)
	}
	in.texts = s.NewInput("texts", ".jsonl.gz", in.xml.Made, func(out string) []string {
		return append([]string{s.Subject, "xml", "--out", out}, in.xml.Files...)
	})
	in.names = s.NameDictionary("names")
	in.inflated = s.NameDictionary("names-wide", "--names", fmt.Sprint(s.Names))
	in.anyCase = s.NameDictionary("names-any-case", "--any-case")
	in.sentences = s.NewInput("sentences", ".jsonl", []*harness.Input{in.anyCase, in.texts}, func(out string) []string {
		return []string{s.Subject, "sentences", "--dict", in.anyCase.Path, "--text", in.texts.Path, "--out", out}
	})
	in.batches = s.NewInput("batches", ".jsonl", []*harness.Input{in.sentences}, func(out string) []string {
		return []string{s.Subject, "batches", "--data", in.sentences.Path, "--pairs", fmt.Sprint(s.Pairs),
			"--steps", fmt.Sprint(s.Warmup + s.Steps), "--out", out}
	})
	in.vectors = s.NewInput("vectors", "", nil, func(out string) []string {
		return []string{s.Python, s.Script("peer_knn.py"), "--dir", out, "--make", "--engine", "flat",
			"--vectors", fmt.Sprint(s.Vectors), "--dim", fmt.Sprint(s.Dim), "--queries", fmt.Sprint(s.Queries)}
	})
	return in
}

// job returns a subcommand of bench/subject.
func (s *settings) job(args ...string) side {
	return side{"ours", harness.Process{Args: append([]string{s.Subject}, args...), Threads: s.Threads, Read: harness.FirstLine}}
}

// peer returns a script of bench/peers.
func (s *settings) peer(name, script string, args ...string) side {
	args = append([]string{s.Python, s.Script(script), "--threads", fmt.Sprint(s.Threads)}, args...)
	return side{name, harness.Process{Args: args, Threads: s.Threads, Read: harness.FirstLine}}
}

// comparisons returns all that is measured. A target is what the project has set
// itself; a row without one is for information.
func (s *settings) comparisons() []*comparison {
	in := s.inputs()
	return slices.Concat(s.reading(in), s.tagging(in), s.building(in), s.searching(in), s.training(in), s.encoding(in))
}

func (s *settings) reading(in *inputs) []*comparison {
	var all []*comparison
	for _, engine := range []string{"lxml", "pubmed_parser"} {
		c := &comparison{
			name:    "xml/" + engine,
			subject: s.job(append([]string{"xml"}, in.xml.Files...)...),
			peer:    s.peer(engine, "peer_xml.py", append([]string{"--engine", engine}, in.xml.Files...)...),
			inputs:  in.xml.Made, needs: []string{engine},
			counts: append(exactly("files", "records", "with_abstract", "xml_bytes"),
				count{"text_bytes", .001, "ctxnorm leaves out superscripts that are numbers of references"}),
			rows: []row{{name: "PubMed XML, packed", field: "xml_mb_per_s", cpu: "cpu_seconds", unit: "MB/s", target: target{times, 4}}},
		}
		if engine == "pubmed_parser" {
			c.rows[0].target = target{}
			c.counts = append(exactly("files", "records", "xml_bytes"),
				count{"text_bytes", .05, "it adds the labels of sections and loses tags inside tags"})
		}
		all = append(all, c)
	}
	return all
}

func (s *settings) tagging(in *inputs) []*comparison {
	var all []*comparison
	for _, v := range []struct {
		name, module string
		names        *harness.Input
		rowName      string
		goal         target
	}{
		{"ahocorasick", "ahocorasick", in.names, "the dictionary's names", target{times, 5}},
		{"ahocorasick-wide", "ahocorasick", in.inflated, fmt.Sprintf("%d k names", s.Names/1000), target{times, 5}},
		{"flashtext", "flashtext", in.names, "the dictionary's names", target{}},
		{"spacy", "spacy", in.names, "the dictionary's names", target{}},
	} {
		files := []string{"--dict", v.names.Path, "--text", in.texts.Path}
		all = append(all, &comparison{
			name:    "tag/" + v.name,
			subject: s.job(append([]string{"tag"}, files...)...),
			peer:    s.peer(v.module, "peer_tag.py", append([]string{"--engine", v.module}, files...)...),
			inputs:  []*harness.Input{v.names, in.texts}, needs: []string{v.module},
			counts: append(exactly("names", "docs", "text_bytes"), count{"mentions", .05,
				"ctxnorm does not distinguish accents, hyphens and spaces; the peer does, and loses names inside a longer match"}),
			rows: []row{
				{name: "tagging, " + v.rowName, field: "mb_per_s", cpu: "cpu_seconds", unit: "MB/s", target: v.goal},
				{name: "the same: build", field: "build_seconds", unit: "s", lowerIsBetter: true},
			},
		})
	}
	return all
}

func (s *settings) building(in *inputs) []*comparison {
	corpus := filepath.Join(s.Work, "corpus")
	build := func(xml harness.XML, threads int) side {
		args := append([]string{s.Ctxnorm, "build-corpus", "--dict", in.anyCase.Path, "--corpus", corpus}, xml.Files...)
		return side{"ours", harness.Process{Args: args, Threads: threads, Fresh: corpus,
			Read: func([]byte) (harness.Line, error) { return corpusTotals(corpus) }}}
	}
	files := func(xml harness.XML) string {
		if len(xml.Files) == 1 {
			return "1 file"
		}
		return fmt.Sprintf("%d files", len(xml.Files))
	}
	memory := row{name: "the same: peak memory", field: "peak_mb", unit: "MB", lowerIsBetter: true, target: target{atMost, 1500}}

	out := filepath.Join(s.Work, "peer-corpus.jsonl.gz")
	chain := func(name, peer, rowName string, goal target, flags ...string) *comparison {
		c := &comparison{
			name: name, subject: build(in.whole, s.Threads),
			peer: s.peer(peer, "peer_build.py",
				slices.Concat([]string{"--dict", in.anyCase.Path, "--out", out}, flags, in.whole.Files)...),
			inputs: append(slices.Clone(in.whole.Made), in.anyCase), needs: []string{"lxml", "ahocorasick"},
			counts: append(exactly("records"),
				count{"sentences", .1, "the peer splits at full stops by one pattern"}, count{"names_found", .1, "as in tagging"}),
			rows: []row{{name: rowName + files(in.whole), field: "wall_seconds", cpu: "process_cpu_seconds", unit: "s",
				lowerIsBetter: true, target: goal}, memory},
		}
		c.peer.Fresh = out
		return c
	}
	same := chain("build/same-work", "lxml, pyahocorasick, abbreviations", "build-corpus, ", target{times, 6}, "--definitions")
	same.needs = append(same.needs, "abbreviations")
	same.counts = append(same.counts, count{"defined", .3, "the peer looks for definitions in round brackets alone"})
	all := []*comparison{same,
		chain("build/names-alone", "lxml, pyahocorasick", "build-corpus, by a peer without definitions, ", target{})}
	for _, cores := range []struct {
		name string
		xml  harness.XML
	}{{"build/cores", in.whole}, {"build/cores-one-file", in.single}} {
		xml := cores.xml
		half := build(xml, s.Threads)
		half.name = "ours, half the cores"
		all = append(all, &comparison{
			name: cores.name, subject: build(xml, 2*s.Threads), peer: half,
			inputs: append(slices.Clone(xml.Made), in.anyCase), cores: 2 * s.Threads,
			counts: exactly("records", "sentences", "mentions", "sampled"),
			// More cores are not less work, so there is no ratio by processor time.
			rows: []row{{name: fmt.Sprintf("build-corpus, %s, %d cores against %d", files(xml), 2*s.Threads, s.Threads),
				field: "wall_seconds", unit: "s", lowerIsBetter: true, target: target{times, 1.9}}, memory},
		})
	}
	return all
}

// corpusTotals reads the totals of a corpus's manifest. Of them names_found leaves out the short forms that a record
// defines, which no peer looks for.
func corpusTotals(dir string) (harness.Line, error) {
	path := filepath.Join(dir, "manifest.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var manifest struct{ Totals harness.Line }
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	all, ok := manifest.Totals["mentions"].(float64)
	defined, okDefined := manifest.Totals["defined"].(float64)
	if !ok || !okDefined {
		return nil, fmt.Errorf("%s: totals have no mentions, or none of them defined", path)
	}
	manifest.Totals["names_found"] = all - defined
	return manifest.Totals, nil
}

func (s *settings) searching(in *inputs) []*comparison {
	dir := []string{"--dir", in.vectors.Path, "--engine"}
	same := exactly("vectors", "dim", "queries", "k")
	from := []*harness.Input{in.vectors}
	// Each side is taken at the narrowest search that finds enough: speed at unequal
	// recall compares nothing.
	const enough = .995
	widths := []string{"50", "75", "100", "150", "200", "300", "400"} // ef
	recallReached := func(out []byte) (harness.Line, error) { return firstReaching(out, "recall", enough) }
	subject := func(name, engine string) side {
		side := s.job(append(append([]string{"knn"}, dir...), engine, "--ef", strings.Join(widths, ","))...)
		side.name, side.Read = name, recallReached
		return side
	}
	peer := func(name, engine string) side {
		side := s.peer(name, "peer_knn.py", append(append(slices.Clone(dir), engine, "--ef"), widths...)...)
		side.Read = recallReached
		return side
	}
	graph := append(exactly("M", "efc"), same...)
	query := row{name: "HNSW, one query", field: "single_ms_median", unit: "ms", lowerIsBetter: true}
	build := row{name: "HNSW, build", field: "build_seconds", unit: "s", lowerIsBetter: true}
	recall := row{name: "HNSW, recall@15", field: "recall", target: target{atLeast, enough}}
	memory := row{name: "HNSW, memory over the vectors", field: "overhead_mb", unit: "MB", lowerIsBetter: true,
		target: target{atMost, .25 * float64(4*s.Vectors*s.Dim) / (1 << 20)}} // a quarter of the vectors
	asFast := func(r row) row { r.target = target{times, 1}; return r }
	return []*comparison{
		{name: "knn/flat", subject: s.job(append(append([]string{"knn"}, dir...), "flat")...),
			peer:   s.peer("FAISS Flat", "peer_knn.py", append(slices.Clone(dir), "flat")...),
			inputs: from, needs: []string{"faiss", "numpy"}, counts: same,
			rows: []row{
				{name: "exact search, batched", field: "batched_ms_per_query", unit: "ms", lowerIsBetter: true, target: target{times, 1}},
				{name: "exact search, one query", field: "single_ms_median", unit: "ms", lowerIsBetter: true, target: target{times, 3}},
				{name: "exact search, recall@15", field: "recall", target: target{atLeast, .999}},
			}},
		{name: "knn/hnswlib", subject: subject("ours", "hnsw"), peer: peer("hnswlib", "hnswlib"), inputs: from,
			needs: []string{"hnswlib", "faiss", "numpy"}, counts: graph, rows: []row{asFast(query), asFast(build), recall, memory}},
		{name: "knn/faiss-hnsw", subject: subject("ours", "hnsw"), peer: peer("FAISS HNSW", "faiss-hnsw"), inputs: from,
			needs: []string{"faiss", "numpy"}, counts: graph, rows: []row{query, build, recall}},
		// One round: coder/hnsw does not find enough at any width, so its time says little.
		{name: "knn/coder-hnsw", subject: subject("ours", "hnsw"), peer: subject("coder/hnsw", "coder-hnsw"), inputs: from,
			needs: []string{"faiss", "numpy"}, counts: same, rows: []row{query, build, recall}, maxRounds: 1},
	}
}

// precisions are the variants of training: flags of each side, and how the rows call them.
var precisions = []struct {
	name, rowName string
	subject, peer []string
	target        target
}{
	{"float32", "float32", nil, nil, target{times, 1}},
	{"bfloat16", "bfloat16", []string{"--precision", "bfloat16"}, []string{"--bf16"}, target{times, 1.2}},
	{"default", "bfloat16 against float32", []string{"--precision", "bfloat16"}, nil, target{times, 2.5}},
	{"frozen", "bfloat16, embedding tables frozen, against float32",
		[]string{"--precision", "bfloat16", "--freeze-embeddings"}, nil, target{}},
}

func (s *settings) training(in *inputs) []*comparison {
	var all []*comparison
	for _, p := range precisions {
		steps := []string{"--model", s.Model, "--steps", fmt.Sprint(s.Steps), "--warmup", fmt.Sprint(s.Warmup)}
		subject := slices.Concat([]string{"train", "--data", in.sentences.Path, "--pairs", fmt.Sprint(s.Pairs)}, steps, p.subject)
		// Our model has no dropout, so the peer's is off: both do the same arithmetic.
		peer := slices.Concat([]string{"--batches", in.batches.Path, "--dropout", "0"}, steps, p.peer)
		all = append(all, &comparison{
			name: "train/" + p.name, subject: s.torchJob(subject...), peer: s.peer("transformers", "peer_train.py", peer...),
			inputs: []*harness.Input{in.sentences, in.batches}, needsModel: true,
			needs: []string{"torch", "transformers", "pytorch_metric_learning"},
			counts: append(exactly("batch", "steps", "sentences", "real_tokens", "max_tokens"),
				// The loss before any weight has changed: the same model, loss and batch.
				count{"first_loss", .1, "each side initializes the embeddings of the two markers at random"}),
			rows: []row{{name: "training, " + p.rowName, field: "sentences_per_s", cpu: "cpu_seconds", unit: "/s", target: p.target}},
		})
	}
	return all
}

func (s *settings) encoding(in *inputs) []*comparison {
	var all []*comparison
	for _, p := range []struct {
		engine, module, precision string
		flags                     []string
		goal                      target
	}{
		{"transformers", "transformers", "float32", nil, target{times, 1}},
		{"transformers", "transformers", "bfloat16", []string{"--bf16"}, target{times, 1.3}},
		{"onnxruntime", "onnxruntime", "float32", nil, target{times, 1}},
		{"onnxruntime", "onnxruntime", "int8", []string{"--int8"}, target{times, 1.4}},
		{"openvino", "openvino", "float32", nil, target{times, 1}},
		{"openvino", "openvino", "bfloat16", []string{"--bf16"}, target{times, 1}},
	} {
		both := []string{"--model", s.Model, "--data", in.sentences.Path, "--sentences", fmt.Sprint(s.Sentences),
			"--index", filepath.Join(in.vectors.Path, "vectors.f32"), "--labels", filepath.Join(in.vectors.Path, "labels.i32")}
		all = append(all, &comparison{
			name:    "encode/" + p.engine + "-" + p.precision,
			subject: s.job(slices.Concat([]string{"encode", "--precision", p.precision}, both)...),
			peer:    s.peer(p.engine+", FAISS", "peer_link.py", slices.Concat([]string{"--encoder", p.engine}, both, p.flags)...),
			inputs:  []*harness.Input{in.sentences, in.vectors}, needsModel: true,
			needs:  []string{"torch", "transformers", "faiss", p.module},
			counts: exactly("sentences", "real_tokens", "max_tokens", "vectors", "dim", "k"),
			rows: []row{
				{name: "encoding, " + p.precision, field: "encode_per_s", cpu: "encode_cpu_seconds", unit: "/s", target: p.goal},
				{name: "encode, search and vote, " + p.precision, field: "together_per_s", cpu: "cpu_seconds", unit: "/s"},
				{name: "start to first answer, " + p.precision, field: "startup_seconds", unit: "s", lowerIsBetter: true},
			},
		})
	}
	return all
}

// torchJob returns a subcommand of bench/subject that needs libtorch.
func (s *settings) torchJob(args ...string) side {
	side := s.job(args...)
	side.Args[0] = s.Torch
	return side
}
