package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/papers"
	"github.com/ctxnorm/ctxnorm/papers/biosyn"
	"github.com/ctxnorm/ctxnorm/papers/bne"
	"github.com/ctxnorm/ctxnorm/papers/dilbert"
	"github.com/ctxnorm/ctxnorm/papers/sapbert"
)

// experiment is a dictionary with the gold that systems are measured on, and labeled mentions that
// they may train on.
type experiment struct {
	name, title, note string
	dict              []string // flags of the dictionary; files are below -data
	train, dev        string   // gold, below -data; train is empty without labels
	types             string   // entity types of the gold; empty for all
	ids               string   // file of --ids, below -data
	policy            string
	paperPolicy       string // how the papers count, if not by policy
	models            string // the experiment whose models its systems without labels use, with the same dictionary; empty for their own
	quick             bool
	dictFraction      string   // of --dict-fraction; empty for 1
	budget            []string // flags of training encoders, in place of the budget of each system
	systems           func() []system
}

const (
	tree      = "dict/mesh_descriptors_c_f_tree.tsv.gz"
	medic     = "dict/medic_2012.txt.gz"
	union     = "dict/medic_union.json.gz"
	half      = "dict/biocom_half.jsonl.gz"
	halfIDs   = "dict/biocom_concept_map.json.gz"
	chemicals = "dict/chemicals_mesh.tsv.gz"
	ncbiTrain = "gold/ncbi_train.pubtator.gz"
	ncbiDev   = "gold/ncbi_dev.pubtator.gz"
	cdrTrain  = "gold/bc5cdr_train.pubtator.gz"
	cdrDev    = "gold/bc5cdr_dev.pubtator.gz"
)

var experiments = []*experiment{
	{name: "ncbi", title: "NCBI Disease, MEDIC of 2012", dict: []string{medic, "--parents", tree}, train: ncbiTrain, dev: ncbiDev, policy: "strict", paperPolicy: "biosyn", systems: labeledSystems("NCBI")},
	{name: "cdr-disease", title: "BC5CDR disease, MEDIC of 2012", dict: []string{medic, "--parents", tree}, train: cdrTrain, dev: cdrDev, types: "Disease", policy: "strict", paperPolicy: "biosyn", models: "ncbi", systems: labeledSystems("CDR-D")},
	{name: "cdr-chemical", title: "BC5CDR chemical, chemicals of MeSH", dict: []string{chemicals}, train: cdrTrain, dev: cdrDev, types: "Chemical", policy: "strict", paperPolicy: "biosyn", systems: labeledSystems("CDR-C")},
	{
		name: "labels", title: "Supervised ctxnorm by the number of labeled documents", note: "NCBI Disease, MEDIC of 2012; the first documents of the training set, no encoder.",
		dict: []string{medic, "--parents", tree}, train: ncbiTrain, dev: ncbiDev, policy: "strict", systems: learningCurve,
	},
	{
		name: "half", title: "Half of MEDIC, no labels: NCBI Disease", note: "The dictionary and the concepts of the BioCoM paper.",
		dict: []string{half, "--ids", halfIDs, "--parents", tree}, dev: ncbiDev, ids: halfIDs, policy: "paper", systems: unlabeledSystems("NCBI"),
	},
	{
		name: "half-cdr", title: "Half of MEDIC, no labels: BC5CDR disease", note: "The dictionary and the concepts of the BioCoM paper.",
		dict: []string{half, "--ids", halfIDs, "--parents", tree}, dev: cdrDev, types: "Disease", ids: halfIDs, policy: "paper", models: "half", systems: unlabeledSystems("CDR-D"),
	},
	{
		name: "neighbors", title: "BioCoM's vote by the number of neighbors", note: analysisNote,
		dict: []string{half, "--ids", halfIDs, "--parents", tree}, dev: ncbiDev, ids: halfIDs, policy: "paper", systems: neighborCounts,
	},
	{
		name: "exemplars", title: "BioCoM's vote by the contexts of a concept", note: analysisNote,
		dict: []string{half, "--ids", halfIDs, "--parents", tree}, dev: ncbiDev, ids: halfIDs, policy: "paper", systems: exemplarCounts,
	},
	{
		name: "sizes", title: "The size of the dictionary", note: "NCBI Disease; shares of 83,943 names of MEDIC and MeSH for the concepts of the BioCoM paper, sampled by hash; no labels and no text.",
		dict: []string{union, "--ids", halfIDs, "--parents", tree}, dev: ncbiDev, ids: halfIDs, policy: "paper", systems: dictionarySizes,
	},
	{
		name: "quick", title: "Quick", quick: true,
		note: "Three of a hundred names of MEDIC and ten steps of training, on NCBI Disease: this shows that every system runs from end to end, and nothing of what it reaches. Mentions whose concept has no name left count as wrong.",
		dict: []string{medic, "--parents", tree}, train: ncbiTrain, dev: ncbiDev, policy: "paper", dictFraction: ".03", systems: labeledSystems("quick"),
		budget: []string{"--set", "steps=10,learning-rate=1e-4"},
	},
}

// system is a row: a model and how it links.
type system struct {
	name, title string
	model       string   // the system whose model it uses; empty for its own
	train       []string // flags of train, if it has its own model
	encoder     bool     // it trains an encoder
	budget      []string // flags of train that end the training of its encoder early
	labels      int      // documents of labeled mentions that it is given: 0, or -1 for all
	corpus      bool     // it learns from text
	vectors     bool     // it trains on word vectors, and on no base model
	given       bool     // it uses the model of -model, or with flags of train its encoder, untrained
	eval        []string // further flags of eval
	link        string   // eval --method
	own         bool     // it is ctxnorm; the last one that was run is what others are compared with
	paper       string   // the figure of its paper, on the test set
	refined     string   // the figure of its paper, on the refined test set
	differs     string   // what differs from the paper
}

// owner returns the system whose model a system uses, which may be itself, with its experiment.
func owner(e *experiment, y *system) (*experiment, *system) {
	name := y.name
	if y.model != "" {
		name = y.model
	}
	trained := e.system(name)
	if e.models != "" && trained.trains() && trained.labels == 0 {
		e = experimentNamed(e.models)
		trained = e.system(name)
	}
	return e, trained
}

// experimentNamed returns the experiment of that name, which must be there.
func experimentNamed(name string) *experiment {
	return experiments[slices.IndexFunc(experiments, func(e *experiment) bool { return e.name == name })]
}

// system returns the system of that name, which must be there.
func (e *experiment) system(name string) *system {
	systems := e.systems()
	return &systems[slices.IndexFunc(systems, func(y system) bool { return y.name == name })]
}

// trains reports whether the system, or the one whose model it uses, has a model that is trained or indexed
// for it.
func (y *system) trains() bool { return !y.given || len(y.train) > 0 }

// paperFigures are Acc@1 on the test sets: BioSyn paper, table 2, and on dev table 3; DILBERT paper, section 5.5;
// BNE paper, table 3, BNE + SG_W.
var paperFigures = map[string]map[string]string{
	"tfidf":        {"NCBI": ".876", "CDR-D": ".924", "CDR-C": ".959"},
	"bert-ranking": {"NCBI": ".891"},
	"biosyn":       {"NCBI": ".911", "CDR-D": ".932; dev .911", "CDR-C": ".966; dev .967"},
	"bne":          {"NCBI": ".854", "CDR-D": ".829", "CDR-C": ".930"},
	"dilbert":      {"CDR-D": ".936", "CDR-C": ".958"},
}

// unlabeledFigures are Acc@1 on the test sets with half of MEDIC: BioCoM paper, table 1, whose untrained
// encoder is PubMedBERT.
var unlabeledFigures = map[string]map[string]string{
	"tfidf":     {"NCBI": ".453", "CDR-D": ".599"},
	"untrained": {"NCBI": ".346", "CDR-D": ".422"},
	"sapbert":   {"NCBI": ".565", "CDR-D": ".652"},
	"biocom":    {"NCBI": ".603", "CDR-D": ".690"},
}

// refinedFigures are Acc@1 on the refined test sets: DILBERT paper, section 5.5, whose "BioBERT ranking" is
// the untrained encoder.
var refinedFigures = map[string]map[string]string{
	"untrained": {"CDR-D": ".664", "CDR-C": ".807"},
	"biosyn":    {"CDR-D": ".741", "CDR-C": ".838"},
	"dilbert":   {"CDR-D": ".758", "CDR-C": ".833"},
}

const miniLM = "MiniLM (22.7 M parameters), not BioBERT"

// budgets are the flags that end the training of a method early, so that two cores take minutes where the
// epochs of the papers take hours. Fewer steps want a higher learning rate.
var budgets = map[string][]string{
	sapbert.Name:           {"--set", "steps=100,learning-rate=1e-4"},
	biosyn.BERTRankingName: {"--set", "steps=200,learning-rate=1e-4"},
	biosyn.Name:            {"--set", "steps=200,learning-rate=1e-4"},
	dilbert.Name:           {"--set", "steps=300"},
	bne.Name:               {"--set", "steps=1200"},
}

// bneDiffers says what differs from the BNE paper.
const bneDiffers = "word vectors of -word-vectors, not of all of PubMed; names of this dictionary, not of UMLS; no labels: with the exact matches of train the paper has .873, .905 and .954"

// published returns the system of a method of training as published, which links as its paper does, and
// has labels if it can use them.
func published(method, title, differs string, flags ...string) system {
	recipe, err := papers.RecipeOf(method)
	if err != nil {
		panic(fmt.Sprintf("system %s: %v", title, err)) // the table below is wrong
	}
	needs := recipe.Needs
	y := system{
		name: method, title: title, differs: differs, train: append([]string{"--recipe", method}, flags...), link: recipe.Linker,
		encoder: true, budget: budgets[method], corpus: needs.Contexts, vectors: needs.WordVectors,
	}
	if needs.Labels != contrastive.LabelsRefused {
		y.labels = -1
	}
	return y
}

// labeledSystems returns the systems of an experiment with labels. BioSyn and ctxnorm share an encoder.
func labeledSystems(column string) func() []system {
	return func() []system {
		// Resampling has the paper's best figures, and starts with the second epoch. With one positive name for each
		// mention, an epoch takes at most half of the steps.
		dilbert := published(dilbert.Name, "DILBERT, resampling", miniLM+"; one positive of a mention, not 30", "--set", "negative-sampling=resampling,positives=1")
		systems := []system{
			{name: "tfidf", title: "TF-IDF of characters", model: "strings", link: "tfidf", differs: "the dictionary alone: the paper adds the mentions of train, expands abbreviations and corrects spelling"},
			{name: "strings", own: true, title: "ctxnorm without labels and encoder", train: []string{"--encoder", "none", "--corpus", "none"}, link: "ranked"},
			{name: "untrained", title: "untrained encoder", train: []string{"--untrained", "--set", "pooling=mean", "--corpus", "none"}, link: "nearest", differs: "mean over the name, as MiniLM was trained"},
			published(sapbert.Name, "SapBERT", miniLM+"; names of this dictionary, not of UMLS"),
			published(biosyn.BERTRankingName, "BERT ranking", miniLM+"; the paper's figure is that of Ji et al. (2019), which reads mention and candidate together"),
			published(biosyn.Name, "BioSyn", miniLM, "--exemplars", "25"),
			dilbert,
			published(bne.Name, "BNE", bneDiffers),
			{name: "ctxnorm-strings", own: true, title: "ctxnorm with labels, without an encoder", train: []string{"--encoder", "none", "--corpus", "none"}, labels: -1, link: "ranked"},
			{name: "ctxnorm", own: true, title: "ctxnorm with labels", model: "biosyn", link: "ranked", differs: "the encoder of BioSyn; no text beside the labeled documents"},
		}
		for i := range systems {
			systems[i].paper, systems[i].refined = paperFigures[systems[i].name][column], refinedFigures[systems[i].name][column]
		}
		return systems
	}
}

// learningCurve returns ctxnorm with the labels of ever more documents.
func learningCurve() []system {
	none := []string{"--encoder", "none", "--corpus", "none"}
	systems := []system{{name: "documents-0", title: "0 documents", train: none, link: "ranked"}}
	for _, n := range []int{10, 30, 100, 300} {
		systems = append(systems, system{name: "documents-" + strconv.Itoa(n), title: strconv.Itoa(n) + " documents", train: none, labels: n, link: "ranked"})
	}
	return append(systems, system{name: "ctxnorm", own: true, title: "all documents", train: none, labels: -1, link: "ranked"})
}

// analysisNote says what the analyses of one trained model are of.
const analysisNote = "NCBI Disease, half of MEDIC, no labels. One trained model (`-model`), whose settings are not all those of the paper."

// neighborCounts returns the vote of the paper by the number of neighbors, which is 15 there (figure 4).
func neighborCounts() []system {
	var systems []system
	for _, k := range []int{1, 5, 10, 15, 20, 25, 30} { // section 5.2
		n := strconv.Itoa(k)
		systems = append(systems, system{name: "k-" + n, title: "k = " + n, given: true, link: "count", eval: []string{"--k", n}})
	}
	return systems
}

// exemplarCounts returns the vote of the paper by the number of contexts of a concept in the index, which
// is 25 there (figure 5).
func exemplarCounts() []system {
	var systems []system
	add := func(count int, y system) {
		n := strconv.Itoa(count)
		y.name, y.title, y.given, y.link = "exemplars-"+n, n+" of a concept", true, "count"
		systems = append(systems, y)
	}
	for _, count := range []int{1, 5} {
		add(count, system{corpus: true, train: []string{"--untrained", "--exemplars", strconv.Itoa(count)}})
	}
	add(25, system{differs: "the model of `-model`, which has the default of `--exemplars`"})
	return systems
}

// dictionarySizes returns systems without labels and text by the share of names that they are given.
func dictionarySizes() []system {
	var systems []system
	for _, percent := range []int{25, 50, 75, 100} {
		n := strconv.Itoa(percent)
		share := []string{"--dict-fraction", strconv.FormatFloat(float64(percent)/100, 'g', -1, 64)}
		add := func(name, title string, y system) {
			y.name, y.title = name+"-"+n, title+", "+n+" %"
			systems = append(systems, y)
		}
		add("tfidf", "TF-IDF of characters", system{model: "strings-" + n, link: "tfidf"})
		add("untrained", "untrained encoder", system{train: append([]string{"--untrained", "--set", "pooling=mean", "--corpus", "none"}, share...), link: "nearest"})
		add("strings", "ctxnorm without an encoder", system{own: true, train: append([]string{"--encoder", "none", "--corpus", "none"}, share...), link: "ranked"})
	}
	return systems
}

// unlabeledSystems returns the systems of table 1 of the BioCoM paper, and ctxnorm.
func unlabeledSystems(column string) func() []system {
	return func() []system {
		fewer := []string{"--set", "steps=300", "--exemplars", "5"} // of the two analyses
		systems := []system{
			{name: "tfidf", title: "TF-IDF of characters", model: "strings", link: "tfidf"},
			{name: "strings", own: true, title: "ctxnorm without an encoder and text", train: []string{"--encoder", "none", "--corpus", "none"}, link: "ranked"},
			{name: "untrained", title: "untrained encoder", train: []string{"--untrained", "--set", "pooling=mean", "--corpus", "none"}, link: "nearest", differs: "mean over the name, as MiniLM was trained"},
			published(sapbert.Name, "SapBERT", "MiniLM, not PubMedBERT; names of this dictionary"),
			biocom("biocom", "BioCoM, lambda 1 as in the paper", []string{"--set", "steps=1000"}),
			biocom("biocom-program", "BioCoM, lambda .5 as in its authors' program", fewer, authorsLambda...),
			biocom("biocom-one", "the same, only the mention itself is marked", fewer, append([]string{"--set", "mark-all=false"}, authorsLambda...)...),
			{name: "ctxnorm", own: true, title: "ctxnorm", given: true, link: "ranked", differs: "the model of -model"},
		}
		for i := range systems {
			systems[i].paper = unlabeledFigures[systems[i].name][column]
		}
		return systems
	}
}

// authorsLambda are the flags of the loss as the program of BioCoM's authors computes it: their library's
// default for lambda, where the paper says 1.
var authorsLambda = []string{"--set", "context-lambda=.5"}

// biocom returns the system of the BioCoM paper with its settings (section 4.2, appendix A.2), and those of an
// analysis.
func biocom(name, title string, budget []string, analysis ...string) system {
	return system{
		name: name, title: title, encoder: true, budget: budget, corpus: true, link: "count", differs: "MiniLM, not PubMedBERT; the corpus of -corpus",
		train: append([]string{
			"--set", "concepts-per-batch=16,context-alpha=2,context-beta=50,context-lambda=1,name-batch-ratio=0,pooling=ent",
			"--set", "weight-decay=0,warmup-ratio=0,clip-norm=0,freeze-embeddings=false,synonym-replace-prob=0,weight-interpolation=0",
		}, analysis...),
	}
}

// trainArgs returns the arguments of ctxnorm train, given the file of labeled mentions.
func (s *settings) trainArgs(e *experiment, y *system, labels string) []string {
	args := []string{"train", "--dict", filepath.Join(s.Data, e.dict[0])}
	for i := 1; i < len(e.dict); i += 2 {
		args = append(args, e.dict[i], filepath.Join(s.Data, e.dict[i+1]))
	}
	if e.dictFraction != "" {
		args = append(args, "--dict-fraction", e.dictFraction)
	}
	args = append(args, y.train...)
	if y.labels != 0 {
		args = append(args, "--gold", labels)
		if e.types != "" {
			args = append(args, "--gold-types", e.types)
		}
	}
	if y.corpus {
		args = append(args, "--corpus", s.Corpus)
	}
	if y.given {
		args = append(args, "--base-model", filepath.Join(s.Model, "encoder"))
	} else if y.vectors {
		args = append(args, "--word-vectors", s.Vectors)
	} else if s.Base != "" && (len(y.train) == 0 || y.train[0] != "--encoder") { // not --encoder none
		args = append(args, "--base-model", s.Base)
	}
	if y.encoder {
		for _, budget := range [][]string{strings.Fields(s.Train), e.budget, y.budget} {
			if len(budget) > 0 {
				args = append(args, budget...)
				break
			}
		}
	}
	args = append(args, "--seed", strconv.Itoa(s.Seed))
	return append(append(args, strings.Fields(s.Both)...), "--model", filepath.Join(s.folder(e, y.name), "model"))
}

// evalArgs returns the arguments of ctxnorm eval, which writes the answers to a file.
func (s *settings) evalArgs(e *experiment, y *system, answers string) []string {
	folder := s.Model
	if y.trains() {
		of, trained := owner(e, y)
		folder = filepath.Join(s.folder(of, trained.name), "model")
	}
	args := []string{"eval", "--model", folder, "--gold", filepath.Join(s.Data, e.dev), "--policy", e.policy, "--method", y.link}
	if e.types != "" {
		args = append(args, "--gold-types", e.types)
	}
	if e.ids != "" {
		args = append(args, "--ids", filepath.Join(s.Data, e.ids))
	}
	return append(append(append(args, y.eval...), strings.Fields(s.Both)...), "--answers", answers)
}
