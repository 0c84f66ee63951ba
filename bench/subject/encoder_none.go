//go:build !torch

package main

import "errors"

var errNoTorch = errors.New("this build has no encoder: build it with -tags torch, as make bench does")

func runTraining(*options) ([]line, error) { return nil, errNoTorch }
func encode(*options) ([]line, error)      { return nil, errNoTorch }
