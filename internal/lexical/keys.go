package lexical

import (
	"context"
	"fmt"
	"hash/crc32"
	"iter"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
)

// keyTable finds the rows with a given key by its hash. Callers compare the keys of the rows found, since hashes may
// collide.
type keyTable struct {
	hashes []uint32 // ascending
	rows   []int32  // ascending where hashes are equal
}

// newKeyTable returns a table of n rows, given the hash of each row's key. Rows with the hash 0 are left out, and so are
// others if ctx ends early. hash is called concurrently.
func newKeyTable(ctx context.Context, n int, hash func(row int) uint32) keyTable {
	all := make([]uint64, n) // hash<<32 | row
	_ = parallel.For(ctx, n, 0, func(row int) { all[row] = uint64(hash(row))<<32 | uint64(row) })
	all = slices.DeleteFunc(all, func(pair uint64) bool { return pair>>32 == 0 })
	slices.Sort(all)
	t := keyTable{make([]uint32, len(all)), make([]int32, len(all))}
	for i, pair := range all {
		t.hashes[i], t.rows[i] = uint32(pair>>32), int32(uint32(pair))
	}
	return t
}

// find returns the rows that may have a key with this hash.
func (t *keyTable) find(hash uint32) []int32 {
	start, _ := slices.BinarySearch(t.hashes, hash)
	end := start
	for end < len(t.hashes) && t.hashes[end] == hash {
		end++
	}
	return t.rows[start:end]
}

// Fields returns the arrays of a table as fields of a file.
func (t *keyTable) Fields() []safetensors.Field {
	return []safetensors.Field{{Name: "hashes", Data: &t.hashes}, {Name: "rows", Data: &t.rows}}
}

// Check returns an error if the lengths of the arrays in a file do not match.
func (t *keyTable) Check() error {
	if len(t.hashes) != len(t.rows) {
		return fmt.Errorf("%d hashes for %d rows", len(t.hashes), len(t.rows))
	}
	return nil
}

// KeyIndex finds the names of a dictionary with a given key, such as a normal form. It takes 8 bytes a name and is safe
// for concurrent use.
type KeyIndex struct {
	dict     *kb.Dictionary
	keyOf    func(name string) string
	keyTable // by row of [kb.Dictionary.NameAt]
}

// UnreadKeyIndex returns an index of names by key whose fields still have to be read from a file.
func UnreadKeyIndex(d *kb.Dictionary, keyOf func(name string) string) *KeyIndex {
	return &KeyIndex{dict: d, keyOf: keyOf}
}

// NewKeyIndex returns an index of the names by their keys. Names with an empty key are left out. keyOf is called
// concurrently. If ctx ends early, the index is incomplete.
func NewKeyIndex(ctx context.Context, d *kb.Dictionary, keyOf func(name string) string) *KeyIndex {
	return &KeyIndex{d, keyOf, newKeyTable(ctx, d.NameRows(), func(row int) uint32 {
		name, _ := d.NameAt(row)
		return hashOf(keyOf(name))
	})}
}

// NewExact returns an index of the names by normal form, see [normalize.Normal].
func NewExact(d *kb.Dictionary) *KeyIndex {
	return NewKeyIndex(context.Background(), d, normalize.Normal)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// hashOf returns the hash of a key, which is 0 only for "".
func hashOf(key string) uint32 {
	return max(crc32.Checksum([]byte(key), castagnoli), uint32(min(1, len(key))))
}

// Find yields the names with a given key, each with the position of its concept, in the order of concepts and of their
// names.
func (x *KeyIndex) Find(key string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, row := range x.find(hashOf(key)) {
			name, concept := x.dict.NameAt(int(row))
			if x.keyOf(name) == key && !yield(name, concept) {
				return
			}
		}
	}
}

// Lookup returns the concepts that have a name with the same key as name, ordered by ID, or nil if there are none.
func (x *KeyIndex) Lookup(name string) (ids []kb.ConceptID) {
	last := -1
	for _, concept := range x.Find(x.keyOf(name)) {
		if concept != last {
			ids = append(ids, x.dict.ID(concept))
			last = concept
		}
	}
	return ids
}
