package artifact

import "os"

// maxFile is the size of the largest file that is read into memory as a whole, in bytes: 1 GiB.
// The largest of real data, the tagger of all names of UMLS, has a fifth of it.
const maxFile = 1 << 30

// ReadFile is [os.ReadFile] for a file of a folder that may be damaged, or somebody else's: it
// returns a [*files.DamagedError] if it is no regular file, or has more than 1 GiB. A sparse file can have terabytes.
func ReadFile(path string) ([]byte, error) { return ReadFrom(path, 0) }

// ReadFrom is [ReadFile] from an offset on. It returns a [*files.DamagedError] if the file is shorter, too.
func ReadFrom(path string, offset int64) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, Damaged(path, "is no regular file") // a named pipe would be waited for
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	switch size := info.Size(); {
	case size < offset:
		return nil, Damaged(path, "has %d bytes, and had %d before", size, offset)
	case size > maxFile:
		return nil, Damaged(path, "has %d bytes, want at most %d", size, maxFile)
	}
	data := make([]byte, info.Size()-offset)
	if _, err := file.ReadAt(data, offset); err != nil && len(data) > 0 {
		return nil, WithPath(path, err)
	}
	return data, nil
}
