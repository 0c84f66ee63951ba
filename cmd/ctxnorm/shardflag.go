package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// shardType is the type of a [shardFlag].
const shardType = "shard"

// shardFlag is the value of --shard, such as 3/8: which of the input files a process takes.
// The zero value takes all.
type shardFlag struct{ number, of int }

func (s *shardFlag) register(flags *pflag.FlagSet, usage string) {
	flags.Var(s, "shard", usage)
}

// Set implements [pflag.Value].
func (s *shardFlag) Set(value string) error {
	first, second, _ := strings.Cut(value, "/")
	number, err := strconv.Atoi(first)
	of, errOf := strconv.Atoi(second)
	if err != nil || errOf != nil || number < 1 || number > of {
		return fmt.Errorf("want %s", valuesWanted(s))
	}
	*s = shardFlag{number, of}
	return nil
}

// String implements [pflag.Value].
func (s *shardFlag) String() string {
	if !s.isSet() {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.number, s.of)
}

// Type implements [pflag.Value].
func (s *shardFlag) Type() string { return shardType }

func (s *shardFlag) isSet() bool { return s.of > 0 }

// files returns the files of the shard: every of-th in the order of their paths, so that
// processes which list the files in another order divide them alike. There may be none.
func (s *shardFlag) files(all []string) []string {
	if !s.isSet() {
		return all
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(all)))
	var files []string
	for i := s.number - 1; i < len(sorted); i += s.of {
		files = append(files, sorted[i])
	}
	return files
}
