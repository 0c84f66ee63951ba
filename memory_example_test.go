package ctxnorm_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/memory"
)

// Correct a model: a name takes effect without training, and can be undone.
func ExampleMemory() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "ctxnorm-example-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	dir := filepath.Join(folder, "model") // the memory is beside it, in model.memory
	if err := os.CopyFS(dir, os.DirFS(exampleModel())); err != nil {
		log.Fatal(err)
	}
	m, err := ctxnorm.Open(ctx, dir, ctxnorm.OpenOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	corrections, err := m.Memory(nil)
	if err != nil {
		log.Fatal(err)
	}
	entry, err := corrections.Add(ctx, ctxnorm.MemoryEntry{Kind: memory.KindName, Concept: "EX:034", Name: "big toe trouble", By: "ann"}, false)
	if err != nil {
		log.Fatal(err)
	}
	corrected, err := corrections.Model(ctx)
	if err != nil {
		log.Fatal(err)
	}
	linked, err := corrected.LinkText(ctx, "His [ENT] big toe trouble [/ENT] is back.", ctxnorm.LinkOptions{})
	if err != nil {
		log.Fatal(err)
	}
	best := linked.Mentions[0].Candidates[0]
	fmt.Println(best.Concept, corrected.Name(best.Concept))
	if _, err := corrections.Undo(ctx, entry.Number, "ann"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(corrections.State().Active()), "entries in force")
	// Output:
	// EX:034 gout
	// 0 entries in force
}
