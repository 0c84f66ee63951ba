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

// legacyPickles is the number of pickles after it and before the tensors' bytes: the version,
// the system, the dictionary and the keys of its storages.
const legacyPickles = 4

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
		r := pickleReader{bufio.NewReader(f), info.Size()}
		for range legacyPickles {
			if err := r.check(); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("starts with %q, want a file that torch.save wrote", head)
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
		err = (&pickleReader{bufio.NewReader(content), size}).check()
		if err := errors.Join(err, content.Close()); err != nil {
			return fmt.Errorf("%s: %w", file.Name, err)
		}
	}
	return nil
}

// pickleReader walks over the opcodes of pickles.
type pickleReader struct {
	r    *bufio.Reader
	most int64 // the largest size that a pickle may state
}

// The arguments of opcodes: fixed numbers of bytes, numbers of lines, and lengths of the
// bytes that follow.
var (
	fixedArguments = map[byte]int64{
		'.': 0, '(': 0, '0': 0, '1': 0, '2': 0, 'N': 0, 'Q': 0, 'R': 0, 'a': 0, 'b': 0, 'd': 0, '}': 0, 'e': 0, 'l': 0, ']': 0,
		'o': 0, 's': 0, 't': 0, ')': 0, 'u': 0, 0x81: 0, 0x85: 0, 0x86: 0, 0x87: 0, 0x88: 0, 0x89: 0, 0x8f: 0, 0x90: 0, 0x91: 0,
		0x92: 0, 0x93: 0, 0x94: 0, 0x97: 0, 0x98: 0,
		'K': 1, 'h': 1, 'q': 1, 0x80: 1, 0x82: 1, 'M': 2, 0x83: 2, 0x84: 4, 'G': 8, 'j': 4, 'r': 4, // 'j', 'r': keys of the memo
	}
	lineArguments   = map[byte]int{'F': 1, 'P': 1, 'S': 1, 'V': 1, 'g': 1, 'p': 1, 'c': 2, 'i': 2}
	lengthArguments = map[byte]int{'T': 4, 'U': 1, 'X': 4, 'B': 4, 'C': 1, 0x8c: 1, 0x8d: 8, 0x8e: 8, 0x96: 8}
)

// check reads one pickle to its end. Its error names the opcode.
func (p *pickleReader) check() error {
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
	if n, ok := fixedArguments[opcode]; ok {
		return p.skip(n)
	}
	if width, ok := lengthArguments[opcode]; ok {
		length, err := p.size(width)
		if err != nil {
			return err
		}
		return p.skip(length)
	}
	if lines, ok := lineArguments[opcode]; ok {
		for range lines {
			if _, err := p.line(); err != nil {
				return err
			}
		}
		return nil
	}
	switch opcode {
	case 'J', 0x95: // an integer; the length of a frame, whose opcodes follow
		width := 4
		if opcode == 0x95 {
			width = 8
		}
		_, err := p.size(width)
		return err
	case 0x8a, 0x8b: // an integer of any length
		width := 1
		if opcode == 0x8b {
			width = 4
		}
		length, err := p.size(width)
		if err != nil {
			return err
		}
		if length > 8 {
			return fmt.Errorf("an integer of %d bytes, want at most 8", length)
		}
		_, err = p.size(int(length))
		return err
	case 'I', 'L': // an integer, in decimal; true and false are 01 and 00
		text, err := p.line()
		if err != nil {
			return err
		}
		n, ok := new(big.Int).SetString(strings.TrimSuffix(text, "L"), 10)
		if !ok || n.CmpAbs(big.NewInt(p.most)) > 0 {
			return fmt.Errorf("the integer %.40q, want one below the %d bytes of the file", text, p.most)
		}
		return nil
	}
	return errors.New("is not known")
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
