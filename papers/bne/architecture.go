package bne

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
)

// Architecture is the form of the name encoder beside the word vectors that it reads. Vectors of
// names are as long as those of words (section 4).
type Architecture struct {
	CharacterDim int     `json:"character_dim"` // numbers of a character's vector
	Hidden       int     `json:"hidden"`        // states of each direction of both BiLSTMs
	Dropout      float64 `json:"dropout"`       // share of inputs that are left out in training, 0 to below 1
	Characters   string  `json:"characters"`    // that have a vector, each once; all others share one
	Tanh         bool    `json:"tanh"`          // f(s) is tanh(W h_s + b), not W h_s + b
}

// Bounds of an architecture: more is a slip of the keyboard, or a damaged file.
const (
	maxCharacterDim = 1 << 12
	maxHidden       = 1 << 12
)

// Validate returns an error for the first field with an invalid value.
func (a *Architecture) Validate() error {
	characters := []rune(a.Characters)
	switch {
	case a.CharacterDim < 1 || a.CharacterDim > maxCharacterDim:
		return fmt.Errorf("character_dim is %d, want 1 to %d", a.CharacterDim, maxCharacterDim)
	case a.Hidden < 1 || a.Hidden > maxHidden:
		return fmt.Errorf("hidden is %d, want 1 to %d", a.Hidden, maxHidden)
	case !(a.Dropout >= 0 && a.Dropout < 1): // true for NaN
		return fmt.Errorf("dropout is %v, want 0 to below 1", a.Dropout)
	}
	slices.Sort(characters)
	if len(slices.Compact(characters)) != len([]rune(a.Characters)) {
		return errors.New("characters has a character twice")
	}
	return nil
}

// CharactersOf returns the characters of the words of names, each once, sorted.
func CharactersOf(names []string) string {
	seen := make(map[rune]bool)
	for _, name := range names {
		for _, word := range wordvec.Words(name) {
			for _, r := range word {
				seen[r] = true
			}
		}
	}
	return string(slices.Sorted(maps.Keys(seen)))
}
