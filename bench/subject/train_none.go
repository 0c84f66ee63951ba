//go:build !torch

package main

import "errors"

func runTraining(*options) ([]line, error) {
	return nil, errors.New("this build cannot train: build it with -tags torch, as make bench does")
}
