package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/papers"
)

// methodFlags choose the method of train, its settings and its labeled mentions.
type methodFlags struct {
	name    string
	recipes []contrastive.Recipe // of all methods; the flags of settings change them
	gold    []string             // files
	types   []string
	vectors string // folder of word vectors
}

// labelFlags are the flags of labeled mentions.
var labelFlags = []string{"gold", "gold-types"}

// register adds the flags, one for each setting of a recipe. Recipes whose setting has the same
// name share the flag.
func (f *methodFlags) register(flags *pflag.FlagSet) {
	f.recipes = papers.Recipes()
	var methods, labeled, vectors []string
	shared := make(map[string]*settingValue)
	var inOrder []contrastive.Setting
	for _, r := range f.recipes {
		methods = append(methods, r.Name()+" ("+r.Summary()+")")
		if r.Needs().Labels != contrastive.LabelsRefused {
			labeled = append(labeled, r.Name())
		}
		if r.Needs().WordVectors {
			vectors = append(vectors, r.Name())
		}
		for _, s := range r.Settings() {
			if shared[s.Flag] == nil {
				shared[s.Flag] = &settingValue{}
				inOrder = append(inOrder, s)
			}
			shared[s.Flag].add(r, s)
		}
	}
	f.name = f.recipes[0].Name()
	registerChoice(flags, &f.name, "recipe", papers.RecipeNames(),
		"training recipe, with the settings of its paper as defaults: "+strings.Join(methods, ", "))
	flags.StringSliceVar(&f.gold, "gold", nil, "annotated `files` to train on, joined by commas, in a format that "+
		"link reads ("+counted("recipe", labeled)+")")
	flags.StringSliceVar(&f.types, "gold-types", nil, "entity types of the annotations to use (default: all)")
	flags.StringVar(&f.vectors, "word-vectors", "", "`folder` of word vectors to start from, from word-vectors train ("+
		counted("recipe", vectors)+")")
	for _, s := range inOrder {
		value := shared[s.Flag]
		usage := s.Usage + " (" + counted("recipe", value.methods) + ")"
		if value.String() == "" {
			usage += " (default: the recipe's)"
		}
		flag := flags.VarPF(value, s.Flag, "", usage)
		if value.Type() == "bool" {
			flag.NoOptDefVal = "true"
		}
	}
}

// counted returns "method a" or "methods a, b and c".
func counted(what string, names []string) string {
	if len(names) == 1 {
		return what + " " + names[0]
	}
	return what + "s " + english.WordSeries(names, "and")
}

// settingValue is the value of a setting that recipes share.
type settingValue struct {
	methods []string
	values  []pflag.Value // of each method
}

func (v *settingValue) add(r contrastive.Recipe, s contrastive.Setting) {
	single := pflag.NewFlagSet("", pflag.ContinueOnError)
	switch value := s.Value.(type) {
	case *int:
		single.IntVar(value, s.Flag, *value, "")
	case *float64:
		single.Float64Var(value, s.Flag, *value, "")
	case *bool:
		single.BoolVar(value, s.Flag, *value, "")
	case *string:
		single.StringVar(value, s.Flag, *value, "")
	default:
		panic(fmt.Sprintf("setting %s of %s is a %T, want a pointer to an int, float64, bool or string", s.Flag,
			r.Name(), s.Value))
	}
	v.methods = append(v.methods, r.Name())
	v.values = append(v.values, single.Lookup(s.Flag).Value)
}

// Set implements [pflag.Value] for all methods that share the setting.
func (v *settingValue) Set(s string) error {
	for _, value := range v.values {
		if err := value.Set(s); err != nil {
			return err
		}
	}
	return nil
}

// String implements [pflag.Value]: it is empty if the methods have different values.
func (v *settingValue) String() string {
	if len(v.values) == 0 {
		return ""
	}
	first := v.values[0].String()
	for _, value := range v.values[1:] {
		if value.String() != first {
			return ""
		}
	}
	return first
}

// Type implements [pflag.Value].
func (v *settingValue) Type() string { return v.values[0].Type() }

// flagsOf returns the flags of a recipe that not all methods have.
func flagsOf(r contrastive.Recipe) []string {
	var names []string
	if r.Needs().Labels != contrastive.LabelsRefused {
		names = append(names, labelFlags...)
	}
	if r.Needs().WordVectors {
		names = append(names, "word-vectors")
	}
	for _, s := range r.Settings() {
		names = append(names, s.Flag)
	}
	for _, field := range r.Needs().ConfigFields {
		names = append(names, fieldFlag(field))
	}
	return names
}

// unusedFlags returns the flags that all methods have and that have no effect on a recipe.
func unusedFlags(r contrastive.Recipe) []string {
	var names []string
	for _, field := range r.Needs().UnusedFields {
		names = append(names, fieldFlag(field))
	}
	return names
}

// allFlags returns the flags of all recipes, and the one that chooses among them.
func (f *methodFlags) allFlags() []string {
	names := []string{"recipe"}
	for _, r := range f.recipes {
		names = append(names, flagsOf(r)...)
	}
	return names
}

// recipe returns the recipe that --recipe names, with the settings of the flags.
func (f *methodFlags) recipe() contrastive.Recipe {
	return f.recipes[slices.IndexFunc(f.recipes, func(r contrastive.Recipe) bool { return r.Name() == f.name })]
}

// apply sets the method, and its configuration beneath the flags that are set: see [program.isSet].
// Of those that are chosen, see [program.isChosen], it refuses the ones of other methods, and others
// that have no effect.
func (f *methodFlags) apply(flags *pflag.FlagSet, isSet, isChosen func(name string) bool,
	o *ctxnorm.TrainOptions) error {
	recipe := f.recipe()
	own := flagsOf(recipe)
	for _, name := range slices.Concat(f.allFlags()[1:], unusedFlags(recipe)) {
		if isChosen(name) && !slices.Contains(own, name) {
			return fmt.Errorf("--%s has no effect with --recipe %s", name, f.name)
		}
	}
	if recipe.Needs().WordVectors && flags.Changed("base-model") { // its variable and setting are for all models
		return fmt.Errorf("--base-model has no effect with --recipe %s", f.name)
	}
	if recipe.Needs().Labels == contrastive.LabelsRequired && len(f.gold) == 0 {
		return withHint(fmt.Errorf("--recipe %s trains on labeled mentions", f.name),
			"name annotated files with --gold FILE,…")
	}
	if recipe.Needs().WordVectors && f.vectors == "" {
		return withHint(fmt.Errorf("--recipe %s trains on word vectors", f.name),
			"make them with ctxnorm word-vectors train, and name the folder with --word-vectors")
	}
	if recipe.Needs().WordVectors {
		o.WordVectors = f.vectors
	}
	if recipe.Name() == o.Recipe.Name() {
		o.Recipe = recipe
		return nil
	}
	// The flags point into o: their values are taken before the method's replace them.
	values := make(map[string]string)
	flags.VisitAll(func(flag *pflag.Flag) {
		if isSet(flag.Name) {
			values[flag.Name] = flag.Value.String()
		}
	})
	exemplars := o.ExemplarsPerConcept
	o.UseRecipe(recipe)
	if isSet("exemplars") {
		o.ExemplarsPerConcept = exemplars
	}
	if !isSet("corpus") && !recipe.Needs().Contexts {
		o.Corpus = ""
	}
	config := pflag.NewFlagSet("", pflag.ContinueOnError)
	registerConfig(config, &o.Config)
	var err error
	config.VisitAll(func(flag *pflag.Flag) {
		if value, ok := values[flag.Name]; ok && err == nil {
			err = config.Set(flag.Name, value)
		}
	})
	return err
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
