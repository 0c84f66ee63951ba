//go:build torch

package main

import "testing"

// TestTorchScripts runs the scripts that need the encoder, on the tiny BERT of
// package contrastive/torch.
func TestTorchScripts(t *testing.T) { runScripts(t, "testdata/torch") }
