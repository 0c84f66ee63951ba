// Command ctxnorm links mentions of concepts in text to a dictionary.
//
// Output rules: data goes to standard output, everything else to standard error
// as "ctxnorm: …", followed by "ctxnorm: hint: …" where there is something to do
// about it. Progress is a bar where standard error is a terminal and a plain line
// every 30 s where it is not. --quiet leaves errors and warnings, --log-format json
// makes each message an object with its time. "-" stands for standard input or output.
//
// A flag that is not given is taken from its environment variable (CTXNORM_MODEL for --model).
//
// Exit codes: 0 done; 1 ran, but some records were bad or the answer is no; 2
// wrong usage, or the run failed; 130 and 143 ended by an interrupt or a termination signal.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(untilSignal(context.Background()), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
