package main

import (
	"errors"
	"os"
	"runtime"
	"runtime/pprof"

	"github.com/spf13/pflag"
)

// profiles writes the files of --cpuprofile and --memprofile, for go tool pprof. The flags
// are for developers and hidden; make profile uses them. All of libtorch is one function,
// runtime.cgocall.
type profiles struct {
	cpu, memory string // files to write; empty for none
	file        *os.File
}

func (o *profiles) register(flags *pflag.FlagSet) {
	flags.StringVar(&o.cpu, "cpuprofile", "", "`file` to write a CPU profile to")
	flags.StringVar(&o.memory, "memprofile", "", "`file` to write a memory profile to")
	for _, name := range []string{"cpuprofile", "memprofile"} {
		flags.Lookup(name).Hidden = true
	}
}

// start starts the CPU profile.
func (o *profiles) start() (err error) {
	if o.cpu == "" {
		return nil
	}
	if o.file, err = os.Create(o.cpu); err != nil {
		return err
	}
	return pprof.StartCPUProfile(o.file)
}

// stop writes the profiles that were asked for.
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
	runtime.GC() // so that the profile is of the heap as it is now
	return errors.Join(err, pprof.WriteHeapProfile(file), file.Close())
}
