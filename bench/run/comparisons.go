package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ctxnorm/bench/measure"
)

// comparisons are all that is measured. A target is what the project has set
// itself; a row without one is there to be seen.
func (s *settings) comparisons() []*comparison {
	in := s.inputs()
	var all []*comparison
	all = append(all, s.readingXML(in)...)
	all = append(all, s.tagging(in)...)
	all = append(all, s.building(in)...)
	all = append(all, s.searching(in)...)
	all = append(all, s.training(in)...)
	return append(all, s.encoding(in)...)
}

// job is our side of a comparison, a subcommand of bench/ours.
func (s *settings) job(args ...string) side {
	return side{name: "ours", command: append([]string{s.ours}, args...), threads: s.threads}
}

// torchJob is one that needs libtorch.
func (s *settings) torchJob(args ...string) side {
	side := s.job(args...)
	side.command[0] = s.torch
	return side
}

// peer is the peer's side of a comparison, a script of bench/peers.
func (s *settings) peer(name, script string, args ...string) side {
	command := []string{s.python, s.script(script), "--threads", fmt.Sprint(s.threads)}
	return side{name: name, command: append(command, args...), threads: s.threads}
}

func (s *settings) readingXML(in *inputs) []*comparison {
	compare := func(engine, module string, goal target) *comparison {
		c := &comparison{
			name:   "xml/" + engine,
			ours:   s.job(append([]string{"xml"}, in.xml.files...)...),
			peer:   s.peer(engine, "peer_xml.py", append([]string{"--engine", engine}, in.xml.files...)...),
			inputs: in.xml.made(), needs: []string{module},
			equal: []string{"files", "records", "with_abstract", "xml_bytes", "text_bytes"},
			rows:  []row{{name: "PubMed XML, packed", field: "xml_mb_per_s", cpu: "cpu_seconds", unit: "MB/s", target: goal}},
		}
		if engine == "pubmed_parser" {
			c.equal = []string{"files", "records", "xml_bytes"}
			c.near = []nearness{{"text_bytes", .05, "it adds the labels of sections and loses tags inside tags"}}
		}
		return c
	}
	return []*comparison{
		compare("lxml", "lxml", target{ratio: 4}),
		compare("pubmed_parser", "pubmed_parser", target{}),
	}
}

func (s *settings) tagging(in *inputs) []*comparison {
	compare := func(name, engine, module string, names *measure.Input, rowName string, goal target) *comparison {
		return &comparison{
			name:   "tag/" + name,
			ours:   s.job("tag", "--dict", names.Path, "--text", in.texts.Path),
			peer:   s.peer(module, "peer_tag.py", "--engine", engine, "--dict", names.Path, "--text", in.texts.Path),
			inputs: []*measure.Input{names, in.texts}, needs: []string{module},
			equal: []string{"names", "docs", "text_bytes"},
			near: []nearness{{"mentions", .05, "accents, hyphens and spaces are one to us and not to the peer, " +
				"which loses names inside a longer match"}},
			rows: []row{
				{name: "tagging, " + rowName, field: "mb_per_s", cpu: "cpu_seconds", unit: "MB/s", target: goal},
				{name: "the same: build", field: "build_seconds", unit: "s", lowerIsBetter: true},
			},
		}
	}
	wide := fmt.Sprintf("%d k names", s.names/1000)
	return []*comparison{
		compare("ahocorasick", "ahocorasick", "ahocorasick", in.names, "the dictionary's names", target{ratio: 5}),
		compare("ahocorasick-wide", "ahocorasick", "ahocorasick", in.wide, wide, target{ratio: 5}),
		compare("flashtext", "flashtext", "flashtext", in.names, "the dictionary's names", target{}),
		compare("spacy", "spacy", "spacy", in.names, "the dictionary's names", target{}),
	}
}

func (s *settings) building(in *inputs) []*comparison {
	corpus := filepath.Join(s.work, "corpus")
	ours := func(xml *xmlInput, threads int) side {
		return side{
			name:    "ours",
			command: append([]string{s.ctxnorm, "build-corpus", "--dict", in.anyCase.Path, "--corpus", corpus}, xml.files...),
			threads: threads, fresh: corpus,
			read: func([]byte) ([]measure.Line, error) { return countsOfCorpus(corpus) },
		}
	}
	time := row{field: "wall_seconds", cpu: "process_cpu_seconds", unit: "s", lowerIsBetter: true}
	memory := row{name: "the same: peak memory", field: "peak_mb", unit: "MB", lowerIsBetter: true, target: target{atMost: 1500}}

	out := filepath.Join(s.work, "peer-corpus.jsonl.gz")
	peer := s.peer("lxml, pyahocorasick", "peer_build.py",
		append([]string{"--dict", in.anyCase.Path, "--out", out}, in.whole.files...)...)
	peer.fresh = out
	eight := time
	eight.name, eight.target.ratio = "build-corpus, "+counted(len(in.whole.files), "file"), 8
	chain := &comparison{
		name: "build/chain", ours: ours(in.whole, s.threads), peer: peer,
		inputs: append(in.whole.made(), in.anyCase), needs: []string{"lxml", "ahocorasick"},
		equal: []string{"records"},
		near: []nearness{
			{"sentences", .1, "the peer cuts at full stops by one pattern"},
			{"mentions", .1, "as tagging"},
		},
		rows: []row{eight, memory},
	}
	cores := func(name string, xml *xmlInput) *comparison {
		half := ours(xml, s.threads)
		half.name = "ours, half the cores"
		twice := time
		twice.cpu = "" // more cores are not less work
		twice.name = fmt.Sprintf("build-corpus, %s, %d cores against %d", counted(len(xml.files), "file"), 2*s.threads, s.threads)
		twice.target.ratio = 1.9
		return &comparison{
			name: name, ours: ours(xml, 2*s.threads), peer: half, inputs: append(xml.made(), in.anyCase), cores: 2 * s.threads,
			equal: []string{"records", "sentences", "mentions", "sampled"},
			rows:  []row{twice, memory},
		}
	}
	return []*comparison{chain, cores("build/cores", in.whole), cores("build/cores-one-file", in.single)}
}

// counted is a number of things in words: "1 file", "8 files".
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// countsOfCorpus makes a line of the totals in a corpus's manifest.
func countsOfCorpus(dir string) ([]measure.Line, error) {
	path := filepath.Join(dir, "manifest.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var manifest struct{ Totals measure.Line }
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return []measure.Line{manifest.Totals}, nil
}

func (s *settings) searching(in *inputs) []*comparison {
	dir := in.vectors.Path
	same := []string{"vectors", "dim", "queries", "k"}
	from := []*measure.Input{in.vectors}
	flat := &comparison{
		name:   "knn/flat",
		ours:   s.job("knn", "--dir", dir, "--engine", "flat"),
		peer:   s.peer("FAISS Flat", "peer_knn.py", "--dir", dir, "--engine", "flat"),
		inputs: from, needs: []string{"faiss", "numpy"}, equal: same,
		rows: []row{
			{name: "exact search, batched", field: "batched_ms_per_query", unit: "ms", lowerIsBetter: true, target: target{ratio: 1}},
			{name: "exact search, one query", field: "single_ms_median", unit: "ms", lowerIsBetter: true, target: target{ratio: 3}},
			{name: "exact search, recall@15", field: "recall", target: target{atLeast: .999}},
		},
	}
	widths := []string{"50", "75", "100", "150", "200", "300", "400"}
	// Both sides are taken at the narrowest search that finds enough: speed at
	// unequal recall compares nothing.
	const enough = .995
	reaching := func(lines []measure.Line) measure.Line { return firstReaching(lines, "recall", enough) }
	graph := s.job("knn", "--dir", dir, "--engine", "hnsw", "--ef", strings.Join(widths, ","))
	graph.pick = reaching
	against := func(name, engine, module string, rows ...row) *comparison {
		args := append([]string{"--dir", dir, "--engine", engine, "--ef"}, widths...)
		peer := s.peer(name, "peer_knn.py", args...)
		peer.pick = reaching
		return &comparison{
			name: "knn/" + engine, ours: graph, peer: peer, inputs: from, needs: []string{module, "faiss", "numpy"},
			equal: append([]string{"M", "efc"}, same...), rows: rows,
		}
	}
	query := row{name: "HNSW, one query", field: "single_ms_median", unit: "ms", lowerIsBetter: true}
	build := row{name: "HNSW, build", field: "build_seconds", unit: "s", lowerIsBetter: true}
	found := row{name: "HNSW, recall@15", field: "recall", target: target{atLeast: enough}}
	memory := row{name: "HNSW, memory over the vectors", field: "overhead_mb", unit: "MB", lowerIsBetter: true,
		target: target{atMost: .25 * float64(4*s.vectors*s.dim) / (1 << 20)}}
	asGood := func(r row) row { r.target.ratio = 1; return r }
	coder := s.job("knn", "--dir", dir, "--engine", "coder-hnsw", "--ef", strings.Join(widths, ","))
	coder.name, coder.pick = "coder/hnsw", reaching
	return []*comparison{
		flat,
		against("hnswlib", "hnswlib", "hnswlib", asGood(query), asGood(build), found, memory),
		against("FAISS HNSW", "faiss-hnsw", "faiss", query, build, found),
		// One round: it does not find enough at any width, so its time says little.
		{name: "knn/coder-hnsw", ours: graph, peer: coder, inputs: from, needs: []string{"faiss", "numpy"},
			equal: same, rows: []row{query, build, found}, maxRounds: 1},
	}
}

func (s *settings) training(in *inputs) []*comparison {
	compare := func(name string, oursMore, peerMore []string, rowName string, goal target) *comparison {
		ours := []string{"train", "--model", s.model, "--data", in.sentences.Path, "--pairs", fmt.Sprint(s.pairs),
			"--steps", fmt.Sprint(s.steps), "--warmup", fmt.Sprint(s.warmup)}
		// Our model has no dropout, so that the peer's is switched off: the same
		// arithmetic on both sides.
		peer := []string{"--model", s.model, "--batches", in.batches.Path, "--dropout", "0",
			"--steps", fmt.Sprint(s.steps), "--warmup", fmt.Sprint(s.warmup)}
		return &comparison{
			name: "train/" + name, ours: s.torchJob(append(ours, oursMore...)...),
			peer:   s.peer("transformers", "peer_train.py", append(peer, peerMore...)...),
			inputs: []*measure.Input{in.sentences, in.batches}, needsModel: true,
			needs: []string{"torch", "transformers", "pytorch_metric_learning"},
			equal: []string{"batch", "steps", "sentences", "real_tokens", "max_tokens"},
			// The loss before any weight has changed: it is the same model, loss and batch.
			near: []nearness{{"first_loss", .1, "each draws the rows of the two markers at random"}},
			rows: []row{{name: rowName, field: "sentences_per_s", cpu: "cpu_seconds", unit: "/s", target: goal}},
		}
	}
	bf16 := []string{"--bf16"}
	return []*comparison{
		compare("float32", nil, nil, "training, float32", target{ratio: 1}),
		compare("bfloat16", bf16, bf16, "training, bfloat16", target{ratio: 1.2}),
		compare("default", bf16, nil, "training, bfloat16 against float32", target{ratio: 2.5}),
		compare("frozen", []string{"--bf16", "--freeze-embeddings"}, nil,
			"training as the program does, tables frozen, against float32", target{}),
	}
}

func (s *settings) encoding(in *inputs) []*comparison {
	compare := func(name string, oursMore, peerMore []string, rowName string, goal target) *comparison {
		both := []string{"--model", s.model, "--data", in.sentences.Path, "--sentences", fmt.Sprint(s.sentences),
			"--index", filepath.Join(in.vectors.Path, "vectors.f32"), "--labels", filepath.Join(in.vectors.Path, "labels.i32")}
		return &comparison{
			name: "encode/" + name, ours: s.torchJob(append(append([]string{"encode"}, both...), oursMore...)...),
			peer:   s.peer("transformers, FAISS", "peer_link.py", append(both, peerMore...)...),
			inputs: []*measure.Input{in.sentences, in.vectors}, needsModel: true, needs: []string{"torch", "transformers", "faiss"},
			equal: []string{"sentences", "real_tokens", "max_tokens", "vectors", "dim", "k"},
			rows: []row{
				{name: "encoding, " + rowName, field: "encode_per_s", unit: "/s", target: goal},
				{name: "encode, search and vote, " + rowName, field: "together_per_s", cpu: "cpu_seconds", unit: "/s"},
				{name: "start to first answer, " + rowName, field: "startup_seconds", unit: "s", lowerIsBetter: true},
			},
		}
	}
	bf16 := []string{"--bf16"}
	return []*comparison{
		compare("float32", nil, nil, "float32", target{}),
		compare("bfloat16", bf16, bf16, "bfloat16", target{ratio: 1.3}),
		compare("default", bf16, nil, "bfloat16 against float32", target{ratio: 4}),
	}
}
