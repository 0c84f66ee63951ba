package matcher

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// checkTransducer returns an error unless vellum can walk all of data, a transducer of version 1
// of its format, without leaving it and without end. It is our own because vellum v1.2.1 trusts
// what it reads: an address outside of the data panics, and a state that leads to itself
// never ends.
//
// A file is a header of 16 bytes, the states, and a footer of the number of keys and the address of the
// root, 8 bytes each. The address of a state is that of its last byte, from which it is read
// downward; a state is written after those that it leads to:
//
//	one transition    [output] [distance] [sizes] [label] 1 next label6    next: leads to the state before it
//	others            [final output] outputs distances labels sizes [count] 0 final count6
//
// Label6 stands for one of the 63 most frequent bytes, and count6 for the number of transitions; 0 for a
// byte of its own before it. Sizes are the numbers of bytes of a distance and of an output. Distance 0 leads to the
// final state without transitions, and others from the first byte of the state down.
//
// INVARIANT of a transducer that passes: every transition leads to a lower address, so that
// every path ends; it ends in a final state, so that no walk takes longer than the names
// that it yields are; and the labels of a state ascend, so that the names do.
func checkTransducer(data []byte) error {
	if len(data) < transducerHeader+transducerFooter {
		return fmt.Errorf("has %d bytes, want at least %d", len(data), transducerHeader+transducerFooter)
	}
	if version := binary.LittleEndian.Uint64(data); version != 1 {
		return fmt.Errorf("transducer has version %d, want 1", version)
	}
	states := data[:len(data)-transducerFooter]
	footer := data[len(states):]
	keys, root := binary.LittleEndian.Uint64(footer), binary.LittleEndian.Uint64(footer[8:])
	if root == finalState && keys == 1 { // the empty name alone
		return nil
	}
	if root < transducerHeader || root >= uint64(len(states)) {
		return fmt.Errorf("root is at byte %d, want %d to %d", root, transducerHeader, len(states)-1)
	}
	c := transducerCheck{states: states, seen: make([]bool, len(states)), next: []int{int(root)}}
	c.seen[root] = true
	for len(c.next) > 0 {
		at := c.next[len(c.next)-1]
		c.next = c.next[:len(c.next)-1]
		if err := c.state(at, keys == 0); err != nil {
			return fmt.Errorf("state at byte %d: %w", at, err)
		}
	}
	return nil
}

const (
	transducerHeader = 16 // bytes
	transducerFooter = 16 // bytes
	finalState       = 0  // address of the final state without transitions

	oneTransition = 1 << 7 // bits of a state's last byte
	nextState     = 1 << 6 // with oneTransition
	isFinal       = 1 << 6 // without oneTransition
	low6          = 1<<6 - 1
)

// transducerCheck visits every state once.
type transducerCheck struct {
	states []byte // the file up to its footer
	seen   []bool // by address
	next   []int  // states to visit
}

// state checks the state at an address that lies within the states. mayBeDead says that it may
// be neither final nor have a transition: the root of no names.
func (c *transducerCheck) state(at int, mayBeDead bool) error {
	last := c.states[at]
	rest := c.states[transducerHeader:at] // the bytes before the last one
	if last&oneTransition != 0 {
		return c.single(last, rest)
	}
	count := int(last & low6)
	if count == 0 {
		b, err := takeLast(&rest, 1)
		if err != nil {
			return err
		}
		if count = int(b[0]); count == 1 {
			count = 256
		}
	}
	if count == 0 && last&isFinal == 0 && !mayBeDead {
		return errors.New("is not final and has no transition")
	}
	distanceSize, outputSize, err := takeSizes(&rest)
	if err != nil {
		return err
	}
	labels, err := takeLast(&rest, count) // in descending order
	if err != nil {
		return err
	}
	for i := 1; i < count; i++ {
		if labels[i] >= labels[i-1] {
			return fmt.Errorf("labels are % x, want them to descend", labels)
		}
	}
	distances, err := takeLast(&rest, count*distanceSize)
	if err != nil {
		return err
	}
	outputs := count
	if last&isFinal != 0 {
		outputs++
	}
	if _, err := takeLast(&rest, outputs*outputSize); err != nil {
		return err
	}
	for i := range count {
		if err := c.follow(len(rest), littleEndian(distances[i*distanceSize:(i+1)*distanceSize])); err != nil {
			return err
		}
	}
	return nil
}

// single checks a state of one transition: its last byte and those before it.
func (c *transducerCheck) single(last byte, rest []byte) error {
	if last&low6 == 0 {
		if _, err := takeLast(&rest, 1); err != nil {
			return err
		}
	}
	if last&nextState != 0 {
		return c.follow(len(rest), 1)
	}
	distanceSize, outputSize, err := takeSizes(&rest)
	if err != nil {
		return err
	}
	distance, err := takeLast(&rest, distanceSize)
	if err != nil {
		return err
	}
	if _, err := takeLast(&rest, outputSize); err != nil {
		return err
	}
	return c.follow(len(rest), littleEndian(distance))
}

// follow marks the state that lies distance bytes before the state whose first byte is number
// start after the header.
func (c *transducerCheck) follow(start int, distance uint64) error {
	if distance == 0 {
		return nil // the final state without transitions
	}
	if distance > uint64(start) {
		return fmt.Errorf("leads %d bytes down, want at most %d", distance, start)
	}
	if at := transducerHeader + start - int(distance); !c.seen[at] {
		c.seen[at] = true
		c.next = append(c.next, at)
	}
	return nil
}

// takeSizes cuts the sizes of distances and outputs off the end of rest.
func takeSizes(rest *[]byte) (distance, output int, err error) {
	b, err := takeLast(rest, 1)
	if err != nil {
		return 0, 0, err
	}
	distance, output = int(b[0]>>4), int(b[0]&15)
	if distance > 8 || output > 8 {
		return 0, 0, fmt.Errorf("distances have %d bytes and outputs %d, want at most 8", distance, output)
	}
	return distance, output, nil
}

// takeLast cuts n bytes off the end of rest and returns them.
func takeLast(rest *[]byte, n int) ([]byte, error) {
	all := *rest
	if n > len(all) {
		return nil, fmt.Errorf("goes %d bytes into the header", n-len(all))
	}
	*rest = all[:len(all)-n]
	return all[len(all)-n:], nil
}

func littleEndian(b []byte) (n uint64) {
	for i, x := range b {
		n |= uint64(x) << (8 * i)
	}
	return n
}
