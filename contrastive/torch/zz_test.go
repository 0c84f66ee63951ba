//go:build torch

package torch

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"ctxnorm"
	"ctxnorm/contrastive"
)

func cpuNow() float64 {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return float64(u.Utime.Sec) + float64(u.Utime.Usec)/1e6 + float64(u.Stime.Sec) + float64(u.Stime.Usec)/1e6
}

func TestZZ(t *testing.T) {
	bt, _ := strconv.Atoi(os.Getenv("BT"))
	w, _ := strconv.Atoi(os.Getenv("W"))
	n, _ := strconv.Atoi(os.Getenv("N"))
	if n == 0 {
		t.Skip()
	}
	e := openTest(t, miniLM(t), Options{Precision: contrastive.Precision(os.Getenv("P")), BatchTokens: bt, Workers: w})
	queries := sentences(n, 5)
	dst := make([]float32, len(queries)*e.Dim())
	e.Encode(t.Context(), dst, queries)
	c, s := cpuNow(), time.Now()
	e.Encode(t.Context(), dst, queries)
	c = cpuNow() - c
	tok := 0
	in, _ := tokenize(t.Context(), e.tokenizer, 1, len(queries), e.settings, func(i int) *ctxnorm.Query { return &queries[i] })
	for i := range in {
		tok += len(in[i].IDs)
	}
	fmt.Printf("P=%s BT=%d W=%d: %.0f sent/CPUs, wall %.0f sent/s, mean tokens %.1f\n", os.Getenv("P"), bt, w, float64(n)/c, float64(n)/time.Since(s).Seconds(), float64(tok)/float64(n))
}
