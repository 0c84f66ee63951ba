package matcher

import (
	"bytes"
	"encoding/binary"
)

// transducer is a transducer of vellum, in version 1 of its format
// (https://github.com/blevesearch/vellum/blob/master/docs/format.md). It maps each key to its rank among the sorted
// keys. Unlike the methods of vellum, those below allocate nothing.
//
// A state is the position of its last byte, or 0 if it has no transitions and ends a key. The output of a transition is
// the number of keys before those that it leads to, counted from the first key of its state.
type transducer []byte

const (
	noState        = 1
	transducerEdge = 16 // bytes of the header, and of the footer

	// Bits in the last byte of a state:
	oneTransition = 1 << 7   // and the state ends no key
	toPrevious    = 1 << 6   // with oneTransition: it leads to the previous state, without output
	endsKey       = 1 << 6   // without oneTransition
	lowBits       = 1<<6 - 1 // the label, see commonLabels, or the number of transitions
)

// commonLabels are the labels that the low bits of a state with one transition stand for, from 1.
const commonLabels = "te/oasripcnw.hlm-du012g=:bf3y5&_4v9678k%?xCDASFIBEjPTzRNM+LOqHG"

// fits reports whether the header and the footer belong to a transducer of n keys.
func (t transducer) fits(n int) bool {
	if len(t) < 2*transducerEdge || binary.LittleEndian.Uint64(t) != 1 {
		return false
	}
	keys, root := binary.LittleEndian.Uint64(t[len(t)-transducerEdge:]), uint64(t.root())
	return keys == uint64(n) && (root == 0 || root >= transducerEdge && root < uint64(len(t)-transducerEdge))
}

// root returns the state where all keys begin.
func (t transducer) root() int { return int(binary.LittleEndian.Uint64(t[len(t)-8:])) }

// ends reports whether a key ends in a state.
func (t transducer) ends(state int) bool {
	return state == 0 || t[state]&(oneTransition|endsKey) == endsKey
}

// next returns the state that a label leads to, or noState, and the output.
func (t transducer) next(state int, label byte) (to, output int) {
	switch {
	case state == 0:
		return noState, 0
	case t[state]&oneTransition == 0:
		f := t.fork(state)
		i := bytes.IndexByte(t[f.labels:f.labels+f.n], label)
		if i < 0 {
			return noState, 0
		}
		if to = t.number(f.to+i*f.toSize, f.toSize); to != 0 {
			to = f.low - to
		}
		return to, t.number(f.outputs+i*f.outputSize, f.outputSize)
	}
	only, to, output := t.single(state)
	if only != label {
		return noState, 0
	}
	return to, output
}

// goesOn reports whether keys continue from a state.
func (t transducer) goesOn(state int) bool { return state != 0 }

// single returns the transition of a state that has exactly one and ends no key.
func (t transducer) single(state int) (label byte, to, output int) {
	low := state // lowest byte read so far
	if label = t[state] & lowBits; label != 0 {
		label = commonLabels[label-1]
	} else {
		low--
		label = t[low]
	}
	if t[state]&toPrevious != 0 {
		return label, low - 1, 0
	}
	low--
	toSize, outputSize := int(t[low]>>4), int(t[low]&15)
	low -= toSize + outputSize
	if to = t.number(low+outputSize, toSize); to != 0 {
		to = low - to
	}
	return label, to, t.number(low, outputSize)
}

// fork is a state with any number of transitions in descending order of labels. It holds the positions of its lists of
// labels, targets and outputs.
type fork struct {
	n, labels, to, outputs int
	toSize, outputSize     int // bytes of a target and of an output
	low                    int // first byte of the state, to which targets are relative
}

func (t transducer) fork(state int) fork {
	low := state - 1
	n := int(t[state] & lowBits)
	if n == 0 {
		if n = int(t[low]); n == 1 {
			n = 256
		}
		low--
	}
	toSize, outputSize := int(t[low]>>4), int(t[low]&15)
	labels := low - n
	to := labels - n*toSize
	outputs := to - n*outputSize
	if low = outputs; t[state]&endsKey != 0 {
		low -= outputSize // of the key, 0
	}
	return fork{n, labels, to, outputs, toSize, outputSize, low}
}

// number returns the number of size bytes, at most 7, at a position before the footer.
func (t transducer) number(at, size int) int {
	return int(binary.LittleEndian.Uint64(t[at:]) & (1<<(8*size) - 1))
}
