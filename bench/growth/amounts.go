package main

import (
	"fmt"
	"math"
	"strings"

	"ctxnorm/bench/measure"
)

// count writes a whole number with commas: "36,000,000".
func count(n float64) string {
	digits := fmt.Sprintf("%.0f", n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// figureAmount writes a figure in its unit; bytes and counts have their own form.
func figureAmount(x float64, unit string) string {
	const nothing = 5e-5 // what four decimals do not show
	switch {
	case math.Abs(x) < nothing:
		return strings.TrimSpace("0 " + unit)
	case unit == "bytes":
		return bytesAmount(x)
	case unit == "" && x >= 10:
		return count(x)
	}
	return measure.Amount(x, unit)
}

// bytesAmount writes bytes in kB, MB, GB or TB.
func bytesAmount(x float64) string {
	for _, unit := range []string{"bytes", "kB", "MB", "GB"} {
		if x < 1000 {
			return short(x) + " " + unit
		}
		x /= 1000
	}
	return short(x) + " TB"
}

// memoryAmount writes a resident set, given in units of 2^20 bytes.
func memoryAmount(mb float64) string {
	if mb < 1024 {
		return short(mb) + " MB"
	}
	return short(mb/1024) + " GB"
}

// duration writes seconds as one would say them.
func duration(seconds float64) string {
	switch {
	case seconds < 1:
		return short(1000*seconds) + " ms"
	case seconds < 100:
		return short(seconds) + " s"
	case seconds < 100*60:
		return short(seconds/60) + " min"
	case seconds < 72*3600:
		return short(seconds/3600) + " h"
	}
	return short(seconds/86400) + " days"
}

// short writes two digits of a number, or all in front of its point.
func short(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "∞"
	case x == 0:
		return "0"
	case x < 10:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
	}
	return count(x)
}
