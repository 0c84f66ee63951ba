package knnindex

import "fmt"

// FormatError says what is wrong with a file of vectors or of a graph.
type FormatError struct {
	File      string // empty where the reader has no name
	Part      string // "shape", "checksum", …
	Want, Got string
}

func (e *FormatError) Error() string {
	message := fmt.Sprintf("%s: want %s, got %s", e.Part, e.Want, e.Got)
	if e.File == "" {
		return message
	}
	return e.File + ": " + message
}
