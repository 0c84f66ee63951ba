//go:build !unix

package artifact

import "io/fs"

// umask holds the permissions that new files of this process do not get.
const umask fs.FileMode = 0
