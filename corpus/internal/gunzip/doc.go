// Package gunzip unpacks gzip files, about twice as fast as compress/gzip and its
// kin: unpacking is the largest part of reading PubMed.
//
// For basic usage, read from [NewReader].
//
//	gzip members (RFC 1952) -> blocks (RFC 1951) -> symbols -> out, the last 32 kB of it the window
//
// The speed is that of three things, taken from libdeflate
// (https://github.com/ebiggers/libdeflate): bits are loaded eight bytes at a time,
// a code is looked up once, in a table that also says what it means, and what is
// repeated is copied eight bytes at a time. Input and output have room behind
// their ends, so that none of it looks whether there is more.
//
// Errors are those of compress/gzip and compress/flate.
package gunzip
