package checks

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/memory"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestMemoryLikeBuilt checks the answers of a model with its memory after random entries and undos. They must equal
// those of a model that is opened anew and gets all entries at once. Unless there are NIL examples, which a model
// cannot be built with, they must also equal those of a model built with the same names, contexts and concepts.
func TestMemoryLikeBuilt(t *testing.T) {
	must.SkipShort(t)
	for seed := range uint64(12) {
		var encoder *fixtures.BagOfWords
		if seed%2 == 1 {
			encoder = fixtures.GutEncoder()
		}
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			testMemoryLikeBuilt(t, rand.New(rand.NewPCG(seed, 1)), encoder)
		})
	}
}

func testMemoryLikeBuilt(t *testing.T, r *rand.Rand, encoder *fixtures.BagOfWords) {
	build := func(change func(*model.BuildOptions)) string {
		return modeltest.Build(t, encoder, func(o *model.BuildOptions) {
			modeltest.Ulcer(o)
			change(o)
		})
	}
	open := func(dir string) *model.Model {
		if encoder == nil {
			return modeltest.Open(t, dir, nil)
		}
		return modeltest.Open(t, dir, encoder)
	}
	dir := build(func(*model.BuildOptions) {})
	base := ctxnorm.NewModel(open(dir))
	mem := must.Get(base.Memory(""))
	settled := make([]memory.Entry, 70) // more than are added to the model one by one
	for i := range settled {
		body := fmt.Sprintf("Case %d has wheat and an acid belly.", i)
		settled[i] = memory.Entry{Kind: memory.KindNIL, Text: body, Start: strings.Index(body, "acid"), End: len(body) - 1}
	}
	_, _, err := mem.Import(t.Context(), settled[:70*r.IntN(2)], false)
	must.Succeed(t, err)
	var log []string
	for step := range 15 {
		log = append(log, changeMemory(t, r, mem, base.Dictionary(), step))
		if _, err := mem.Model(t.Context()); err != nil { // each step starts from the previous one
			t.Fatal(err)
		}
		if step%3 < 2 {
			continue
		}
		additions := mem.State().Additions(base.Dictionary(), 0)
		anew := must.Get(open(dir).Extend(t.Context(), model.Additions{Concepts: additions.Concepts, Contexts: additions.Contexts}))
		others := map[string]*model.Model{"opened anew": anew}
		if !slices.ContainsFunc(additions.Contexts, func(ex text.Exemplar) bool { return len(ex.Mention.Concepts) == 0 }) {
			others["built"] = open(build(func(o *model.BuildOptions) {
				var all []kb.Concept
				for i := range o.Dictionary.Len() {
					all = append(all, *o.Dictionary.At(i))
				}
				o.Dictionary = kb.NewDictionary(append(all, additions.Concepts...))
				o.Contexts = append(o.Contexts, additions.Contexts...)
			}))
		}
		remembering := must.Get(mem.Model(t.Context()))
		queries := []text.Query{fixtures.Query(t, "<gastric ulcer> of the child"), fixtures.Query(t, "the <aspirin belly> hurts"), fixtures.Query(t, "an <ulcer>")}
		for range 8 {
			queries = append(queries, fixtures.Query(t, "no "+memoryWord(r)+" <"+memoryWord(r)+" "+memoryWord(r)+"> and "+memoryWord(r)))
			queries = append(queries, fixtures.Query(t, "no "+memoryWord(r)+" <"+memoryWord(r)+"> and "+memoryWord(r)))
		}
		for name, other := range others {
			for _, explain := range []bool{false, true} {
				got, want := rank(t, remembering, queries, explain), rank(t, ctxnorm.NewModel(other), queries, explain)
				if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
					t.Fatalf("after\n%s\n(-%s +remembering):\n%s", strings.Join(log, "\n"), name, diff)
				}
			}
		}
	}
}

// rank returns a model's rankings for queries, without evidence.
func rank(t *testing.T, m *ctxnorm.Model, queries []text.Query, explain bool) []link.Ranking {
	t.Helper()
	linker := must.Get(m.Linker(ctxnorm.LinkOptions{Method: ctxnorm.MethodRanked, Evidence: explain}))
	rankings := must.Get(linker.Link(t.Context(), queries, 10))
	for _, ranking := range rankings {
		for i := range ranking.Candidates {
			ranking.Candidates[i].Evidence = nil
		}
	}
	return rankings
}

// memoryWord returns a word for the names and contexts of random entries.
func memoryWord(r *rand.Rand) string {
	words := strings.Fields("gastric ulcer aspirin wheat belly child cold gluten acid pain")
	return words[r.IntN(len(words))]
}

// changeMemory adds a random entry, or undoes one, and returns a description.
func changeMemory(t *testing.T, r *rand.Rand, mem *ctxnorm.Memory, dict *kb.Dictionary, step int) string {
	t.Helper()
	concepts := []kb.ConceptID{"G1", "G2", "G4"}
	for _, e := range mem.State().Active() {
		if e.Kind == memory.KindConcept {
			concepts = append(concepts, e.ID)
		}
	}
	concept := concepts[r.IntN(len(concepts))]
	if dict.Lookup(concept) == nil && !strings.HasPrefix(string(concept), "N") {
		t.Fatalf("the dictionary has no concept %s", concept)
	}
	wording := memoryWord(r) + " " + memoryWord(r)
	sentence := fmt.Sprintf("Case %d has %s with %s.", step, wording, memoryWord(r))
	start := strings.Index(sentence, wording)
	e := memory.Entry{By: "ann"}
	switch kind := r.IntN(5); kind {
	case 0:
		e.Kind, e.Concept, e.Name = memory.KindName, concept, wording
	case 1:
		e.Kind, e.ID, e.Name, e.Synonyms, e.Parents = memory.KindConcept, kb.ConceptID(fmt.Sprint("N", step)), wording+" disease", []string{memoryWord(r) + " trouble"}, []kb.ConceptID{concept}
	case 2:
		active := mem.State().Active()
		if len(active) == 0 {
			return "nothing to undo"
		}
		number := active[r.IntN(len(active))].Number
		if _, err := mem.Undo(t.Context(), number, "ann"); err != nil && !errors.Is(err, memory.ErrNeeded) {
			t.Fatal(err)
		}
		return fmt.Sprint("undo ", number)
	default:
		e.Kind, e.Text, e.Start, e.End = memory.KindNIL, sentence, start, start+len(wording)
		if kind == 3 {
			e.Kind, e.Concept = memory.KindContext, concept
		}
	}
	if _, err := mem.Add(t.Context(), e, true); err != nil {
		if fault, ok := errors.AsType[*memory.EntryError](err); ok && fault.Field == "name" {
			return "the name is there"
		}
		t.Fatal(err)
	}
	return fmt.Sprintf("%+v", e)
}

// TestMemorySharesNames checks that a context does not rebuild the index of names, which can take seconds.
func TestMemorySharesNames(t *testing.T) {
	base := ctxnorm.NewModel(modeltest.Open(t, modeltest.Build(t, nil, modeltest.Ulcer), nil))
	mem := must.Get(base.Memory(""))
	add := func(e memory.Entry) *model.DictionaryIndexes {
		must.Get(mem.Add(t.Context(), e, false))
		m := must.Get(mem.Model(t.Context()))
		return m.Stored().DictionaryIndexes()
	}
	named := add(memory.Entry{Kind: memory.KindName, Concept: "G4", Name: "wheat ulcer"})
	if add(memory.Entry{Kind: memory.KindNIL, Text: "A cold wind.", Start: 2, End: 6}) != named {
		t.Error("a NIL example makes the indexes of names anew")
	}
	if got := add(memory.Entry{Kind: memory.KindName, Concept: "G4", Name: "grain ulcer"}); got == named || !slices.Equal(got.Exact().Lookup("grain ulcer"), []kb.ConceptID{"G4"}) {
		t.Error("the indexes of names lack a name that was added")
	}
}

// TestMemoryModelIsLinear checks that a model with many names for one concept allocates in proportion: eight times as
// much for eight times as many.
func TestMemoryModelIsLinear(t *testing.T) {
	must.SkipShort(t)
	allocated := func(n int) float64 {
		m := ctxnorm.NewModel(modeltest.Open(t, modeltest.Build(t, nil, modeltest.Ulcer), nil))
		mem := must.Get(m.Memory(""))
		names := make([]memory.Entry, n)
		for i := range names {
			names[i] = memory.Entry{Kind: memory.KindName, Concept: "G1", Name: fmt.Sprint("name ", i)}
		}
		_, _, err := mem.Import(t.Context(), names, false)
		must.Succeed(t, err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		extended := must.Get(mem.Model(t.Context()))
		must.Get(extended.Annotate(t.Context(), "a name 7 of it", ctxnorm.LinkOptions{}))
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if few, many := allocated(500), allocated(4000); many > 16*few {
		t.Errorf("500 names allocate %.0f bytes and 4,000 %.0f, want less than 16 times as much", few, many)
	}
}
