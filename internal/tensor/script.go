//go:build torch

package tensor

import (
	"archive/zip"
	"bytes"

	"github.com/sugarme/gotch/ts"
)

// Script is a compiled TorchScript function: a way to operations of libtorch that
// gotch has no function for. It must be dropped.
type Script = ts.CModule

// CompileScript compiles the method forward of a TorchScript class, given as its
// indented source text.
//
// libtorch compiles only what torch.jit.save wrote, a zip file of code and pickles.
// CompileScript writes those files of it that torch.jit.load asks for.
func CompileScript(forward string) (*Script, error) {
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for _, file := range [][2]string{
		{"version", "3\n"},
		{"constants.pkl", "\x80\x02)."},                      // ()
		{"data.pkl", "\x80\x02c__torch__\nScript\n)\x81}b."}, // Script(), with no attributes
		{"code/__torch__.py", "class Script(Module):\n  __parameters__ = []\n  __buffers__ = []\n" + forward},
	} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: "script/" + file[0], Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write([]byte(file[1])); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	script, err := ts.ModuleLoadData(&archive)
	return script, trimTrace(err)
}

// Call returns the result of the script's forward for the tensors.
func (s *Scope) Call(script *Script, tensors ...*Tensor) *Tensor {
	return s.do(func() (*Tensor, error) { return script.ForwardTs(tensors) })
}
