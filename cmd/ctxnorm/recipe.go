package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/papers"
)

// recipeFlags returns the flags that choose the recipe, its settings and its labeled mentions.
func (f *trainFlags) recipeFlags() []flag {
	f.recipes = papers.Recipes()
	var methods, labeled, vectors []string
	for _, r := range f.recipes {
		methods = append(methods, r.Name+" ("+r.Summary+")")
		if r.Needs.Labels != contrastive.LabelsRefused {
			labeled = append(labeled, r.Name)
		}
		if r.Needs.WordVectors {
			vectors = append(vectors, r.Name)
		}
	}
	f.recipeName = f.recipes[0].Name
	return []flag{
		{"recipe", &f.recipeName, "is=@recipes", "training recipe, with the settings of its paper as defaults: " +
			strings.Join(methods, ", ")},
		{"set", &f.set, "like=@settings", "settings of training, `name=value`, joined by commas or given several times; " +
			"the list is above"},
		{"gold", &f.gold, "in=folder", "annotated `files` to train on, joined by commas, in a format that link reads (" +
			counted("recipe", labeled) + ")"},
		{"gold-types", &f.goldTypes, "needs=gold", ""},
		{"word-vectors", &f.options.WordVectors, "", "`folder` of word vectors to start from, from word-vectors train (" +
			counted("recipe", vectors) + ")"},
	}
}

// setting is a training setting.
type setting struct {
	name  string
	value any // points to the field that it sets
	usage string
}

// settingsOf returns the settings of a recipe: those in a configuration that it uses, and its own.
func settingsOf(r *contrastive.Recipe, c *contrastive.Config) []setting {
	unused := slices.Clone(r.Needs.UnusedFields)
	for _, other := range papers.Recipes() {
		if other.Name != r.Name {
			unused = append(unused, other.Needs.ConfigFields...)
		}
	}
	all := slices.DeleteFunc(configSettings(c), func(s setting) bool {
		return slices.ContainsFunc(unused, func(field string) bool { return fieldFlag(field) == s.name })
	})
	for _, s := range r.Settings {
		all = append(all, setting{s.Flag, s.Value, s.Usage})
	}
	return all
}

// recipesBySetting returns the settings of all recipes, each as in the first recipe that has it, and the names of the
// recipes that have it.
func recipesBySetting() (all []setting, having map[string][]string) {
	having = make(map[string][]string)
	for _, r := range papers.Recipes() {
		for _, s := range settingsOf(r, &r.Config) {
			if having[s.name] == nil {
				all = append(all, s)
			}
			having[s.name] = append(having[s.name], r.Name)
		}
	}
	return all, having
}

// describeSettings lists the settings of all recipes for the help, one a line, each with the default of the first
// recipe that has it.
func describeSettings() string {
	var b strings.Builder
	t := newTable(&b)
	all, having := recipesBySetting()
	for _, s := range all {
		of := ""
		if len(having[s.name]) < len(papers.Recipes()) {
			of = "; " + counted("recipe", having[s.name])
		}
		fmt.Fprintf(t, "  %s\t%s (default %v%s)\n", s.name, s.usage, valueOf(s.value, nil), of)
	}
	_ = t.Flush() // to memory
	return strings.TrimRight(b.String(), "\n")
}

// recipe returns the recipe named by --recipe.
func (f *trainFlags) recipe() *contrastive.Recipe {
	return f.recipes[slices.IndexFunc(f.recipes, func(r *contrastive.Recipe) bool { return r.Name == f.recipeName })]
}

// applyRecipe sets the recipe and its configuration, which --set overrides. isSet is [program.isSet].
func (f *trainFlags) applyRecipe(flags *pflag.FlagSet, isSet func(name string) bool) error {
	o, recipe := &f.options, f.recipe()
	needs := recipe.Needs
	switch {
	case needs.WordVectors && flags.Changed("base-model"): // its variable and setting apply to all models
		return fmt.Errorf("--base-model has no effect with --recipe %s", f.recipeName)
	case !needs.WordVectors && flags.Changed("word-vectors"):
		return fmt.Errorf("--word-vectors has no effect with --recipe %s", f.recipeName)
	case needs.Labels == contrastive.LabelsRefused && len(f.gold) > 0:
		return fmt.Errorf("--gold has no effect with --recipe %s", f.recipeName)
	case needs.Labels == contrastive.LabelsRequired && len(f.gold) == 0:
		return withHint(fmt.Errorf("--recipe %s trains on labeled mentions", f.recipeName),
			"name annotated files with --gold FILE,…")
	case needs.WordVectors && o.WordVectors == "":
		return withHint(fmt.Errorf("--recipe %s trains on word vectors", f.recipeName),
			"make them with ctxnorm word-vectors train, and name the folder with --word-vectors")
	case !needs.WordVectors:
		o.WordVectors = "" // a variable or setting named them for other recipes
	}
	if recipe.Name != o.Recipe.Name {
		exemplars := o.ExemplarsPerConcept
		o.UseRecipe(recipe)
		if isSet("exemplars") {
			o.ExemplarsPerConcept = exemplars
		}
		if !isSet("corpus") && !needs.Contexts {
			o.Corpus = ""
		}
	}
	o.Recipe = recipe
	return f.setConfig(&o.Config)
}

// setConfig applies --set to a configuration and to the recipe.
func (f *trainFlags) setConfig(c *contrastive.Config) error {
	settings := settingsOf(f.recipe(), c)
	for _, name := range slices.Sorted(maps.Keys(f.set)) {
		at := slices.IndexFunc(settings, func(s setting) bool { return s.name == name })
		if at < 0 {
			return withHint(fmt.Errorf("--set %s: the recipe %s has no such setting", name, f.recipeName),
				"ctxnorm train --help lists the settings")
		}
		if value := valueOf(settings[at].value, nil); value.Set(f.set[name]) != nil {
			return fmt.Errorf("--set %s is %q, want %s", name, f.set[name], valuesWanted(value))
		}
	}
	return nil
}

// readGold reads the labeled mentions, with the concepts of the dictionary.
func (f *trainFlags) readGold(p *program) error {
	o := &f.options
	if len(f.gold) == 0 {
		return nil
	}
	gold, err := p.readGold(f.gold, f.goldTypes, eval.DictionaryConceptSet(o.Dictionary), &badRecords{program: p})
	if err != nil {
		return err
	}
	o.Labeled, o.Annotated = gold.Exemplars(), gold.Annotated()
	p.logf("%d of %d annotated mentions name concepts of the dictionary", len(o.Labeled), len(gold.Mentions))
	if len(o.Labeled) == 0 {
		return fmt.Errorf("--gold: none of %d annotated mentions names a concept of the dictionary", len(gold.Mentions))
	}
	return nil
}

// configSettings returns the training settings that do not belong to a single recipe.
func configSettings(c *contrastive.Config) []setting {
	loss, of := &c.ContextLoss, "Multi-Similarity loss on batches of contexts: "
	return []setting{
		{"steps", &c.Steps, "number of batches to train on; 0 derives it from the number of exemplars"},
		{"concepts-per-batch", &c.ConceptsPerBatch, "number of concepts in a batch, with two exemplars each"},
		{"name-batch-ratio", &c.NameBatchRatio, "share of the batches that hold bare names, 0 to 1; the others hold contexts"},
		{"learning-rate", &c.LearningRate, "peak learning rate, after the warm-up"},
		{"weight-decay", &c.WeightDecay, "weight decay of AdamW on the weight matrices, 0 or more"},
		{"warmup-ratio", &c.WarmupRatio, "share of the steps in which the learning rate rises, 0 to below 1"},
		{"clip-norm", &c.ClipNorm, "largest norm of the gradient; 0 turns clipping off"},
		{"max-tokens", &c.MaxTokens, "largest number of tokens of an input, at least 8"},
		{"pooling", (*string)(&c.Pooling), "pooling of a mention: span (mean over the mention's tokens), ent " +
			"(state at its [ENT] marker), or without its sentence: cls (state at [CLS]) or mean"},
		{"mark-all", &c.MarkAll, "mark every mention of a sentence, and not only the one that is encoded"},
		{"synonym-replace-prob", &c.SynonymReplaceProb, "probability that the second mention of a pair is replaced by another " +
			"name of its concept, 0 to 1"},
		{"weight-interpolation", &c.WeightInterpolation, "weight of the base model in the average with the trained weights, 0 " +
			"to below 1"},
		{"freeze-embeddings", &c.FreezeEmbeddings, "keep the embedding tables of the base model unchanged"},
		{"validate-every", &c.ValidateEvery, "number of steps between validations; 0 validates twenty times, -1 never"},
		{"checkpoint-every", &c.CheckpointEvery, "number of steps between checkpoints; -1 writes none"},
		{"context-alpha", &loss.Alpha, of + "alpha, the scale of the positive term"},
		{"context-beta", &loss.Beta, of + "beta, the scale of the negative term"},
		{"context-lambda", &loss.Lambda, of + "lambda, the cosine that similarities are compared with, -1 to 1"},
	}
}
