//go:build !unix

package main

import "errors"

// distrust returns why a file of settings that was found, and not named, is not read, or "". This system's owners and
// permissions are not looked at.
func distrust(string) string { return "" }

// findTrainProgram returns "": libtorch is linked on Linux alone.
func findTrainProgram() string { return "" }

func become(string, []string) error { return errors.ErrUnsupported }
