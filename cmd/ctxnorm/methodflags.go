package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/papers"
)

// methodFlags choose the method of train, its settings and its labeled mentions.
type methodFlags struct {
	name    string
	recipes []*contrastive.Recipe // of all methods; the flags of settings change them
	gold    []string              // files
	types   []string
	vectors string // folder of word vectors
}

// flags are those of the method, and one for each setting of a recipe. Recipes whose setting has the same name share
// the flag.
func (f *methodFlags) flags() []flag {
	f.recipes = papers.Recipes()
	var methods, labeled, vectors []string
	var rows []flag
	sharing := make(map[string][]string) // the recipes of a flag
	for _, r := range f.recipes {
		methods = append(methods, r.Name+" ("+r.Summary+")")
		if r.Needs.Labels != contrastive.LabelsRefused {
			labeled = append(labeled, r.Name)
		}
		if r.Needs.WordVectors {
			vectors = append(vectors, r.Name)
		}
		for _, s := range r.Settings {
			if sharing[s.Flag] == nil {
				rows = append(rows, flag{s.Flag, s.Value, "", s.Usage})
			}
			sharing[s.Flag] = append(sharing[s.Flag], r.Name)
		}
	}
	for i, row := range rows {
		rows[i].usage += " (" + counted("recipe", sharing[row.name]) + ")"
		if len(sharing[row.name]) > 1 {
			rows[i].value = &sharedSetting{Value: valueOf(row.value, nil)}
			rows[i].usage += " (default: the recipe's)"
		}
	}
	f.name = f.recipes[0].Name
	return append([]flag{
		{"recipe", &f.name, "is=@recipes", "training recipe, with the settings of its paper as defaults: " +
			strings.Join(methods, ", ")},
		{"gold", &f.gold, "in=folder", "annotated `files` to train on, joined by commas, in a format that link reads (" +
			counted("recipe", labeled) + ")"},
		{"gold-types", &f.types, "", "entity types of the annotations to use (default: all)"},
		{"word-vectors", &f.vectors, "", "`folder` of word vectors to start from, from word-vectors train (" +
			counted("recipe", vectors) + ")"},
	}, rows...)
}

// sharedSetting is the value of a setting that recipes share, which has no default of its own.
type sharedSetting struct {
	pflag.Value
	given string
}

// Set implements [pflag.Value].
func (s *sharedSetting) Set(value string) error {
	s.given = value
	return s.Value.Set(value)
}

func (s *sharedSetting) String() string { return s.given }

// flagsOf returns the flags of a recipe that not all methods have, and those that all have and that have no effect on
// it.
func flagsOf(r *contrastive.Recipe) (own, unused []string) {
	needs := r.Needs
	if needs.Labels != contrastive.LabelsRefused {
		own = append(own, "gold", "gold-types")
	}
	if needs.WordVectors {
		own = append(own, "word-vectors")
	}
	for _, s := range r.Settings {
		own = append(own, s.Flag)
	}
	for _, field := range needs.ConfigFields {
		own = append(own, fieldFlag(field))
	}
	for _, field := range needs.UnusedFields {
		unused = append(unused, fieldFlag(field))
	}
	return own, unused
}

// allFlags returns the flags of all recipes, and the one that chooses among them.
func (f *methodFlags) allFlags() []string {
	names := []string{"recipe"}
	for _, r := range f.recipes {
		own, _ := flagsOf(r)
		names = append(names, own...)
	}
	return names
}

// recipe returns the recipe that --recipe names.
func (f *methodFlags) recipe() *contrastive.Recipe {
	return f.recipes[slices.IndexFunc(f.recipes, func(r *contrastive.Recipe) bool { return r.Name == f.name })]
}

// apply sets the method, and its configuration beneath the flags that are set: see [program.isSet].
// Of those that are chosen, see [program.isChosen], it refuses the ones of other methods, and others
// that have no effect.
func (f *methodFlags) apply(flags *pflag.FlagSet, isSet, isChosen func(name string) bool,
	o *ctxnorm.TrainOptions) error {
	recipe := f.recipe()
	needs := recipe.Needs
	own, unused := flagsOf(recipe)
	for _, name := range slices.Concat(f.allFlags()[1:], unused) {
		if isChosen(name) && !slices.Contains(own, name) {
			return fmt.Errorf("--%s has no effect with --recipe %s", name, f.name)
		}
	}
	switch {
	case needs.WordVectors && flags.Changed("base-model"): // its variable and setting are for all models
		return fmt.Errorf("--base-model has no effect with --recipe %s", f.name)
	case needs.Labels == contrastive.LabelsRequired && len(f.gold) == 0:
		return withHint(fmt.Errorf("--recipe %s trains on labeled mentions", f.name),
			"name annotated files with --gold FILE,…")
	case needs.WordVectors && f.vectors == "":
		return withHint(fmt.Errorf("--recipe %s trains on word vectors", f.name),
			"make them with ctxnorm word-vectors train, and name the folder with --word-vectors")
	case needs.WordVectors:
		o.WordVectors = f.vectors
	}
	given := make(map[string]string) // by flags that are set, which the method's values must not replace
	flags.VisitAll(func(flag *pflag.Flag) {
		if isSet(flag.Name) {
			given[flag.Name] = flag.Value.String()
		}
	})
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
	rows := configFlags(&o.Config)
	for _, s := range recipe.Settings {
		rows = append(rows, flag{name: s.Flag, value: s.Value})
	}
	for _, row := range rows {
		if value, ok := given[row.name]; ok {
			if err := valueOf(row.value, nil).Set(value); err != nil {
				return err
			}
		}
	}
	return nil
}

// readGold reads the labeled mentions, with the concepts of the dictionary.
func (f *methodFlags) readGold(p *program, o *ctxnorm.TrainOptions) error {
	if len(f.gold) == 0 {
		return nil
	}
	gold, err := eval.ReadGold(f.gold, f.types, eval.DictionaryConceptSet(o.Dictionary), p.limits)
	if err != nil {
		return err
	}
	p.warnGold(gold)
	for _, malformed := range gold.Malformed {
		p.logf("%v; skipped", malformed)
	}
	o.Labeled = gold.Exemplars()
	p.logf("%d of %d annotated mentions name concepts of the dictionary", len(o.Labeled), len(gold.Mentions))
	if len(o.Labeled) == 0 {
		return fmt.Errorf("--gold: none of %d annotated mentions names a concept of the dictionary", len(gold.Mentions))
	}
	return nil
}
