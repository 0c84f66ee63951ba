// Package input opens text files: dictionaries, annotated documents and others that
// users supply.
//
// Use [Open] for a path, [NewReader] for a stream, and [NewLines] to read either line
// by line. Compression (gzip, bzip2, xz, zstd) and byte-order marks are detected by content and removed, so
// that the reader of each format sees plain UTF-8 text.
package input
