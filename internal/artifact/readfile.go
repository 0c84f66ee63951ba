package artifact

import "os"

// maxFile is the size of the largest file that is read into memory as a whole: 1 GiB. The largest real file, the tagger
// of all names of UMLS, has a fifth of that.
const maxFile = 1 << 30

// ReadFile is [os.ReadFile] for a file in a folder that may be damaged or foreign. It returns a [*files.DamagedError]
// if it is not a regular file or larger than 1 GiB; a sparse file can have terabytes.
func ReadFile(path string) ([]byte, error) { return ReadFrom(path, 0) }

// ReadFrom is [ReadFile] from an offset on. It also returns a [*files.DamagedError] if the file is shorter.
func ReadFrom(path string, offset int64) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, Damaged(path, "is no regular file") // a named pipe would block
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
