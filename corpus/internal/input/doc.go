// Package input opens the text files that the packages under corpus read.
//
// Use [Open] for a path, [NewReader] for a stream, and [NewLines] to go through
// either line by line. Compression and byte-order marks are found by content,
// so that a reader of a format sees plain UTF-8 text.
package input
