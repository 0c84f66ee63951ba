package main

import (
	"errors"
	"os"
	"runtime"
	"runtime/pprof"

	"github.com/spf13/pflag"
)

// profiles are what --cpuprofile and --memprofile ask for: files for go tool
// pprof. The flags are hidden, as they are for those who work on the program;
// make profile uses them. What libtorch computes stands under runtime.cgocall.
type profiles struct {
	cpu, memory string // files to write; empty for none
	file        *os.File
}

func (o *profiles) register(flags *pflag.FlagSet) {
	flags.StringVar(&o.cpu, "cpuprofile", "", "write where processor time went to this `file`")
	flags.StringVar(&o.memory, "memprofile", "", "write where memory was taken to this `file`")
	for _, name := range []string{"cpuprofile", "memprofile"} {
		flags.Lookup(name).Hidden = true
	}
}

// start begins the profile of processor time.
func (o *profiles) start() (err error) {
	if o.cpu == "" {
		return nil
	}
	if o.file, err = os.Create(o.cpu); err != nil {
		return err
	}
	return pprof.StartCPUProfile(o.file)
}

// stop writes what was asked for.
func (o *profiles) stop() error {
	var err error
	if o.file != nil {
		pprof.StopCPUProfile()
		err = o.file.Close()
	}
	if o.memory == "" {
		return err
	}
	file, failed := os.Create(o.memory)
	if failed != nil {
		return errors.Join(err, failed)
	}
	runtime.GC() // the heap as of now, and not of the last collection
	return errors.Join(err, pprof.WriteHeapProfile(file), file.Close())
}
