//go:build !unix

package main

// distrust returns why a file of settings that was found, and not named, is not read, or "". This system's owners and
// permissions are not looked at.
func distrust(string) string { return "" }
