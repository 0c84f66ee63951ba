package dot

import "math"

// Sigmoid returns 1/(1+e^-x).
func Sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// LogLoss returns log(1+e^-x), the negative log of [Sigmoid], without overflow.
func LogLoss(x float64) float64 { return max(-x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
