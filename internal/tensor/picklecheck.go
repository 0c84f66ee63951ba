//go:build torch

package tensor

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path"
	"strconv"
	"strings"
)

// gotch's pickle package allocates whatever size a file states, and loops for ever on an
// empty file. So the files that it gets are checked before: they are what torch.save
// writes, and no size in them is larger than the file.
//
// Opcodes: https://github.com/python/cpython/blob/main/Lib/pickletools.py

// legacyMagic is the start of the files that torch.save wrote before PyTorch 1.6: the pickle
// of its magic number.
const legacyMagic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."

// legacyPickles is the number of pickles after it: the version, the system and the dictionary. The
// keys of the storages follow, and the bytes of these.
const legacyPickles = 3

// checkPickleFile returns an error for a file that torch.save did not write, or that states
// sizes which it does not have.
func checkPickleFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	head := make([]byte, len(legacyMagic))
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	switch head = head[:n]; {
	case strings.HasPrefix(string(head), "PK\x03\x04"):
		return checkZip(f, info.Size())
	case string(head) == legacyMagic:
		return checkLegacy(f, info.Size())
	}
	return fmt.Errorf("starts with %q, want a file that torch.save wrote", head)
}

// checkLegacy checks the rest of a file that starts with legacyMagic. After the pickles there are
// the storages in the order of their keys: the number of elements, and these.
func checkLegacy(f *os.File, size int64) error {
	p := &pickleReader{r: bufio.NewReader(f), most: size, storages: make(map[string]storage)}
	for range legacyPickles {
		if err := p.check(); err != nil {
			return err
		}
	}
	keys, err := p.checkKeys()
	if err != nil {
		return err
	}
	for _, key := range keys {
		s, ok := p.storages[key]
		if !ok {
			return fmt.Errorf("the storage %q is not in the dictionary", key)
		}
		var b [8]byte
		if _, err := io.ReadFull(p.r, b[:]); err != nil {
			return fmt.Errorf("the storage %q: %w", key, noEOF(err))
		}
		if n := binary.LittleEndian.Uint64(b[:]); n != uint64(s.elements) {
			return fmt.Errorf("the storage %q has %d elements, want %d", key, n, s.elements)
		}
		if err := p.skip(s.elements * s.width); err != nil { // elements are below the size of the file
			return fmt.Errorf("the storage %q: %w", key, err)
		}
	}
	return nil
}

// checkZip checks the zip file that torch.save writes.
func checkZip(f *os.File, size int64) error {
	archive, err := zip.NewReader(f, size)
	if err != nil {
		return err
	}
	for _, file := range archive.File {
		if file.Method != zip.Store {
			return fmt.Errorf("%s is compressed, which torch.save does not do", file.Name)
		}
		if path.Base(file.Name) != "data.pkl" {
			continue
		}
		content, err := file.Open()
		if err != nil {
			return err
		}
		err = (&pickleReader{r: bufio.NewReader(content), most: size}).check()
		if err := errors.Join(err, content.Close()); err != nil {
			return fmt.Errorf("%s: %w", file.Name, err)
		}
	}
	return nil
}

// pickleReader walks over the opcodes of pickles. It keeps what it needs to know of the values
// on the stack: a string, a class, an int64, or nil for all others.
type pickleReader struct {
	r        *bufio.Reader
	most     int64              // the largest size that a pickle may state
	storages map[string]storage // of a legacy file, by key; nil for a zip file, which has their sizes

	memo  map[int64]any
	top   any   // of the stack
	items []any // on the stack since the last mark, unless it is nil
	tuple []any // on the top of the stack, unless it is nil
}

type (
	class string
	// storage is the numbers of tensors.
	storage struct{ elements, width int64 }
)

// storageWidths are the sizes of the elements of storages, in bytes.
var storageWidths = map[class]int64{
	"torch.HalfStorage": 2, "torch.BFloat16Storage": 2, "torch.FloatStorage": 4, "torch.DoubleStorage": 8,
	"torch.CharStorage":  1,
	"torch.ShortStorage": 2, "torch.IntStorage": 4, "torch.LongStorage": 8, "torch.ByteStorage": 1,
	"torch.BoolStorage": 1,
}

// push puts a value on the stack.
func (p *pickleReader) push(value any) {
	p.top, p.tuple = value, nil
	if p.items != nil {
		p.items = append(p.items, value)
	}
}

// checkStorage checks the reference to a storage that is on the stack: a tuple of the word storage, a class,
// a key, a place, the number of elements, and None.
func (p *pickleReader) checkStorage() error {
	if p.storages == nil {
		return nil
	}
	if len(p.tuple) != 6 || p.tuple[0] != "storage" {
		return errors.New("is no reference to a storage")
	}
	kind, isClass := p.tuple[1].(class)
	key, isString := p.tuple[2].(string)
	elements, isNumber := p.tuple[4].(int64)
	width, known := storageWidths[kind]
	if !isClass || !isString || !isNumber || !known {
		return fmt.Errorf("the storage is %v, want a class, a key, a place and a number of elements", p.tuple[1:])
	}
	s := storage{elements, width}
	if other, ok := p.storages[key]; ok && other != s {
		return fmt.Errorf("the storage %q is once %v and once %v", key, other, s)
	}
	p.storages[key] = s
	return nil
}

// Opcodes with arguments of a fixed number of bytes: those that push a value and take none, and all
// others; with lines; and with a length and as many bytes.
var (
	pushes = map[byte]int64{'N': 0, 0x88: 0, 0x89: 0, 'G': 8}
	others = map[byte]int64{
		'.': 0, '(': 0, '0': 0, '1': 0, 'Q': 0, 'R': 0, 'a': 0, 'b': 0, 'd': 0, '}': 0, 'e': 0, 'l': 0, ']': 0,
		'o': 0, 's': 0, 't': 0, ')': 0, 'u': 0, 0x81: 0, 0x85: 0, 0x86: 0, 0x87: 0, 0x8f: 0, 0x90: 0, 0x91: 0,
		0x92: 0, 0x93: 0, 0x97: 0, 0x98: 0, 0x80: 1, 0x82: 1, 0x83: 2, 0x84: 4,
	}
	lineArguments   = map[byte]int{'F': 1, 'P': 1, 'S': 1, 'V': 1, 'c': 2, 'i': 2}
	lengthArguments = map[byte]int{'T': 4, 'U': 1, 'X': 4, 'B': 4, 'C': 1, 0x8c: 1, 0x8d: 8, 0x8e: 8, 0x96: 8}
	keyArguments    = map[byte]int{'h': 1, 'j': 4, 'q': 1, 'r': 4} // keys of the memo
)

// check reads one pickle to its end. Its error names the opcode.
func (p *pickleReader) check() error {
	p.memo, p.top, p.items, p.tuple = make(map[int64]any), nil, nil, nil
	for {
		opcode, err := p.r.ReadByte()
		if err != nil {
			return fmt.Errorf("pickle has no end: %w", noEOF(err))
		}
		if err := p.checkOpcode(opcode); err != nil {
			return fmt.Errorf("opcode 0x%02x of a pickle: %w", opcode, err)
		}
		if opcode == '.' {
			return nil
		}
	}
}

func (p *pickleReader) checkOpcode(opcode byte) error {
	if n, ok := pushes[opcode]; ok {
		p.push(nil)
		return p.skip(n)
	}
	if width, ok := lengthArguments[opcode]; ok {
		text, err := p.bytes(width)
		p.push(text)
		return err
	}
	if lines, ok := lineArguments[opcode]; ok {
		return p.checkLines(opcode, lines)
	}
	if width, ok := keyArguments[opcode]; ok {
		key, err := p.unsigned(width)
		if err != nil {
			return err
		}
		p.useMemo(key, opcode == 'h' || opcode == 'j')
		return nil
	}
	switch opcode {
	case '2':
		p.push(p.top)
		return nil
	case 0x94: // memoize
		p.useMemo(int64(len(p.memo)), false)
		return nil
	case 'g', 'p': // refer, memoize
		text, err := p.line()
		if err != nil {
			return err
		}
		key, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return err
		}
		p.useMemo(key, opcode == 'g')
		return nil
	case 0x95: // the length of a frame, whose opcodes follow
		if p.storages != nil { // where it ended would decide where the next pickle starts
			return errors.New("is not of this kind of file")
		}
		_, err := p.length(8)
		return err
	case 'K', 'M', 'J', 0x8a, 0x8b, 'I', 'L':
		return p.checkInteger(opcode)
	}
	return p.checkOther(opcode)
}

// useMemo pushes what the memo has by a key, or memoizes the top by it.
func (p *pickleReader) useMemo(key int64, pushes bool) {
	if pushes {
		p.push(p.memo[key])
	} else {
		p.memo[key] = p.top
	}
}

// checkInteger reads the argument of an opcode that is an integer.
func (p *pickleReader) checkInteger(opcode byte) error {
	switch opcode {
	case 'K', 'M': // of one byte or two
		n, err := p.unsigned(map[byte]int{'K': 1, 'M': 2}[opcode])
		p.push(n)
		return err
	case 'J':
		n, err := p.size(4)
		p.push(n)
		return err
	case 'I', 'L': // in decimal; true and false are 01 and 00
		text, err := p.line()
		if err != nil {
			return err
		}
		n, ok := new(big.Int).SetString(strings.TrimSuffix(text, "L"), 10)
		if !ok || n.CmpAbs(big.NewInt(p.most)) > 0 {
			return fmt.Errorf("the integer %.40q, want one below the %d bytes of the file", text, p.most)
		}
		p.push(nil)
		return nil
	}
	return p.checkLong(opcode) // of any length
}

// checkOther reads the argument of an opcode after which the top is not known.
func (p *pickleReader) checkOther(opcode byte) error {
	n, ok := others[opcode]
	if !ok {
		return errors.New("is not known")
	}
	if opcode == 'Q' {
		if err := p.checkStorage(); err != nil {
			return err
		}
	}
	p.top, p.tuple, p.items = nil, p.items, nil
	switch opcode {
	case '(':
		p.tuple, p.items = nil, []any{}
	case 't': // a tuple of the items
	default:
		p.tuple = nil
	}
	return p.skip(n)
}

// checkLines reads the lines of an opcode, of which those of a class are its module and its name.
func (p *pickleReader) checkLines(opcode byte, lines int) error {
	var texts []string
	for range lines {
		text, err := p.line()
		if err != nil {
			return err
		}
		texts = append(texts, text)
	}
	if opcode == 'c' {
		p.push(class(strings.Join(texts, ".")))
	} else if opcode == 'i' { // an object
		p.top, p.tuple, p.items = nil, nil, nil
	} else {
		p.push(nil)
	}
	return nil
}

func (p *pickleReader) checkLong(opcode byte) error {
	width := 1
	if opcode == 0x8b {
		width = 4
	}
	length, err := p.length(width)
	if err != nil {
		return err
	}
	if length > 8 {
		return fmt.Errorf("an integer of %d bytes, want at most 8", length)
	}
	n, err := p.size(int(length))
	p.push(n)
	return err
}

// checkKeys reads the pickle of a list of strings, and returns these.
func (p *pickleReader) checkKeys() (keys []string, err error) {
	open, waiting, started := false, 0, false // after a mark; strings that are not in the list; the list is there
	for {
		opcode, err := p.r.ReadByte()
		if err != nil {
			return nil, fmt.Errorf("the pickle of the keys has no end: %w", noEOF(err))
		}
		switch {
		case opcode == 0x80 && !started:
			err = p.skip(1)
		case opcode == ']' && !started:
			started = true
		case opcode == 'q' && started:
			err = p.skip(1)
		case opcode == 'r' && started:
			err = p.skip(4)
		case (opcode == 'X' || opcode == 'U') && started && (open || waiting == 0):
			var key string
			key, err = p.bytes(lengthArguments[opcode])
			keys = append(keys, key)
			waiting++
		case opcode == '(' && started && !open && waiting == 0:
			open = true
		case opcode == 'e' && open, opcode == 'a' && !open && waiting == 1:
			open, waiting = false, 0
		case opcode == '.' && started && !open && waiting == 0:
			return keys, nil
		default:
			err = errors.New("want a list of strings")
		}
		if err != nil {
			return nil, fmt.Errorf("opcode 0x%02x of the pickle of the keys: %w", opcode, err)
		}
	}
}

// bytes reads a length and as many bytes.
func (p *pickleReader) bytes(width int) (string, error) {
	length, err := p.length(width)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	_, err = io.CopyN(&text, p.r, length) // the length is below the size of the file
	return text.String(), noEOF(err)
}

// length reads a length, which is below the size of the file.
func (p *pickleReader) length(width int) (int64, error) {
	n, err := p.unsigned(width)
	if err == nil && (n < 0 || n > p.most) {
		err = fmt.Errorf("the length %d, want one below the %d bytes of the file", uint64(n), p.most)
	}
	return n, err
}

// unsigned reads a little-endian number.
func (p *pickleReader) unsigned(width int) (int64, error) {
	var b [8]byte
	if _, err := io.ReadFull(p.r, b[:width]); err != nil {
		return 0, noEOF(err)
	}
	return int64(binary.LittleEndian.Uint64(b[:])), nil
}

// size reads a little-endian number. One beyond the size of the file is an error, if it is
// not negative.
func (p *pickleReader) size(width int) (int64, error) {
	var b [8]byte
	if _, err := io.ReadFull(p.r, b[:width]); err != nil {
		return 0, noEOF(err)
	}
	n := binary.LittleEndian.Uint64(b[:])
	switch {
	case n <= uint64(p.most):
		return int64(n), nil
	case width == 4 && int32(n) < 0 && int32(n) >= -1<<16, width == 8 && int64(n) < 0 && int64(n) >= -1<<16:
		return 0, nil // a small negative integer
	}
	return 0, fmt.Errorf("the number %s, want one below the %d bytes of the file", strconv.FormatUint(n, 10), p.most)
}

func (p *pickleReader) skip(n int64) error {
	_, err := io.CopyN(io.Discard, p.r, n)
	return noEOF(err)
}

// line reads the rest of a line of at most 64 KiB.
func (p *pickleReader) line() (string, error) {
	line, err := p.r.ReadSlice('\n')
	var text strings.Builder
	for err == bufio.ErrBufferFull && text.Len() < 64<<10 {
		text.Write(line)
		line, err = p.r.ReadSlice('\n')
	}
	text.Write(line)
	return strings.TrimSuffix(text.String(), "\n"), noEOF(err)
}

// noEOF turns the end of the file into an error.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
