//go:build !torch

package main

import "errors"

var errNoTorch = errors.New("this build has no encoder: build it with -tags torch (make bench does)")

func train([]string) error  { return errNoTorch }
func encode([]string) error { return errNoTorch }
