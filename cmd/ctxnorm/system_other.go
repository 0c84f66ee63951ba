//go:build !unix

package main

import "errors"

// distrust returns "": this system has no owners and permissions that it could check.
func distrust(string) string { return "" }

// findTrainProgram returns "": libtorch is only linked on Linux.
func findTrainProgram() string { return "" }

func become(string, []string) error { return errors.ErrUnsupported }
