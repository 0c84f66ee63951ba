package main

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/lexical"
	"github.com/ctxnorm/ctxnorm/link"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/model"
	"github.com/ctxnorm/ctxnorm/text"
)

// voteFlags choose the linker of a model.
type voteFlags struct {
	method        string
	k             int
	temperature   float64
	nameShare     float64
	abbreviations bool
	composites    bool

	minProbability float64
	evidence       bool // comes with the candidates
}

func (v *voteFlags) register(flags *pflag.FlagSet) {
	def := link.DefaultVote()
	flags.StringVar(&v.method, "method", "ranked", "ranked (all that is known, by learnt weights), weighted (vote by similarity), count (majority, contexts only: the paper's), lexical (strings alone), tfidf (the paper's baseline) or exact")
	flags.Float64Var(&v.minProbability, "min-probability", 0, "of the first candidate; below it a mention is NIL (ranked only)")
	flags.IntVar(&v.k, "k", def.K, "exemplars that vote")
	flags.Float64Var(&v.temperature, "temperature", def.Temperature, "of the weights exp(similarity/temperature)")
	flags.Float64Var(&v.nameShare, "name-share", def.NameVoteShare, "share of the vote that bare names have, contexts the rest (count: none)")
	flags.BoolVar(&v.abbreviations, "abbreviations", true, "resolve abbreviations that the text defines, or else most of the corpus (never with count and tfidf)")
	flags.BoolVar(&v.composites, "composites", true, "link the parts of mentions like \"breast and ovarian cancer\" one by one (never with count and tfidf)")
}

// linker makes the linker that the flags choose, before which reader reads mentions.
func (v *voteFlags) linker(m *model.Model) (*link.MentionResolver, error) {
	linker, err := v.plain(m, v.method)
	if err != nil {
		return nil, err
	}
	return link.NewMentionResolver(m, linker, v.reading(v.method)), nil
}

// reading says how mentions are read for a method: as they stand in the paper's and
// in its baseline.
func (v *voteFlags) reading(method string) link.Components {
	if method == "count" || method == "tfidf" {
		return 0
	}
	return v.parts()
}

// parts are all of which the flags do not say no.
func (v *voteFlags) parts() link.Components {
	parts := link.AllComponents
	if !v.abbreviations {
		parts &^= link.ComponentDocumentAbbreviations | link.ComponentCorpusAbbreviations
	}
	if !v.composites {
		parts &^= link.ComponentComposites
	}
	return parts
}

// plain makes the linker of a method.
func (v *voteFlags) plain(m *model.Model, method string) (link.Linker, error) {
	if m.Encoder == nil && (method == "weighted" || method == "count") {
		return nil, withHint(fmt.Errorf("--method %s needs an encoder, and the model has none", method),
			"--method lexical, tfidf or exact; or train without --encoder none")
	}
	switch method {
	case "ranked":
		return link.NewRanker(m, link.RankOptions{MinProbability: v.minProbability, Evidence: v.evidence})
	case "weighted":
		return link.NewVoter(m, link.VoteOptions{
			Mode: method, K: v.k, Temperature: v.temperature,
			NameVoteShare: v.nameShare, Evidence: v.evidence,
		})
	case "count":
		paper := link.PaperVote()
		paper.K, paper.Evidence = v.k, v.evidence
		return link.NewVoter(m, paper)
	case "tfidf":
		return link.NewTFIDFLinker(m.Dictionary, lexical.PaperTFIDF())
	case "lexical":
		return link.NewSharedLexicalLinker(m.DictionaryIndexes())
	case "exact":
		return link.NewSharedExactLinker(m.DictionaryIndexes()), nil
	}
	return nil, fmt.Errorf("--method is %q, want ranked, weighted, count, lexical, tfidf or exact", method)
}

// sayThreshold says what the least probability of the ranking comes to.
func (p *program) sayThreshold(m *model.Model, v *voteFlags) {
	if v.minProbability == 0 || v.method != "ranked" {
		return
	}
	a := m.Calibration.Abstention
	if a == nil {
		p.say("--min-probability %g: how many mentions that answers was not measured for this model", v.minProbability)
		p.say("hint: ctxnorm calibrate measures it")
		return
	}
	row := a.At(v.minProbability)
	p.say("--min-probability %g: of %d mentions that the model was calibrated with, %d of them with no right answer, %s are answered at %g, and %s of the answers are right",
		v.minProbability, a.Queries, a.NIL, percent(row.Answered, a.Queries), row.MinProbability, percent(row.Correct, row.Answered))
}

func percent(n, of int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(1, of)))
}

// openModel opens a model and says what to do where that cannot be.
func openModel(dir string, run encoderFlags) (*model.Model, error) {
	if err := run.check(); err != nil {
		return nil, err
	}
	m, err := model.Open(dir, openEncoder(run))
	if err != nil {
		return nil, hintModel(err, dir)
	}
	return m, nil
}

// hintModel adds to an error of the model in dir what to do about it.
func hintModel(err error, dir string) error {
	if errors.Is(err, model.ErrNoEncoder) {
		return errNoTorch
	}
	if _, unread := model.ReadManifest(dir); unread != nil {
		return withHint(err, makeModel)
	}
	var file *artifact.DamagedError
	if errors.As(err, &file) {
		return withHint(err, "ctxnorm verify --model "+dir+" lists every file that is not as it was written")
	}
	return err
}

// makeModel is the hint where there is no model.
const makeModel = "make a model with ctxnorm train, or name one with --model FOLDER"

func (p *program) linkCommand() *cobra.Command {
	var (
		input  string
		output string
		model  string
		top    int
		batch  int
		tag    bool
		strict bool
		vote   voteFlags
		run    encoderFlags
	)
	cmd := &cobra.Command{
		Use:   "link",
		Short: "Link the mentions of a text to concepts",
		Long: `Reads documents and gives every mention its candidates, the best first, as one
line of JSON a document. The input is JSON, one {"id","text","mentions":[{"start",
"end"}]} a line with offsets in code points; or text with [ENT] … [/ENT] around its
mentions; or, with --tag, bare text in which the dictionary's names are found.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if top < 1 {
				return fmt.Errorf("--top is %d, want at least 1", top)
			}
			if batch < 1 {
				return fmt.Errorf("--batch is %d, want at least 1", batch)
			}
			m, err := openModel(model, run)
			if err != nil {
				return err
			}
			defer m.Close()
			var tagger *matcher.Tagger
			if tag {
				if tagger, err = m.Tagger(); err != nil {
					return hintModel(err, model)
				}
			}
			reading, err := vote.linker(m)
			if err != nil {
				return err
			}
			p.sayThreshold(m, &vote)
			out, finish, err := p.openOutput(output)
			if err != nil {
				return err
			}
			w := &recordWriter{out: bufio.NewWriter(out), reading: reading, dict: m.Dictionary, top: top}
			err = p.eachBatch(cmd.Context(), input, batch, strict, func(docs []*text.Document) error {
				if tag {
					for i, doc := range docs {
						docs[i] = link.TagDocument(doc, tagger)
					}
				}
				return w.write(cmd.Context(), docs)
			})
			if w.documents > 0 && w.mentions == 0 {
				p.say("no mention in %d documents", w.documents)
				p.say("hint: mark mentions with [ENT] … [/ENT] or list their offsets, or find the dictionary's names with --tag")
			}
			return finish(err)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&input, "input", "-", "`file` of documents")
	flags.StringVar(&output, "output", "-", "`file` to write")
	flags.StringVar(&model, "model", "model", "model `folder`")
	flags.IntVar(&top, "top", 5, "candidates for a mention, at most")
	flags.IntVar(&batch, "batch", 64, "documents linked together, at most; 1 answers each as it comes")
	flags.BoolVar(&vote.evidence, "explain", false, "add the exemplars that voted")
	flags.BoolVar(&tag, "tag", false, "find the dictionary's names in the text first")
	flags.BoolVar(&strict, "strict", false, "stop at the first bad record")
	vote.register(flags)
	run.register(flags)
	return cmd
}
