//go:build !unix

package main

import "errors"

// findTrainProgram returns "": libtorch is linked on Linux alone.
func findTrainProgram() string { return "" }

func become(string, []string) error { return errors.ErrUnsupported }
