package eval

// Confidence says what the probabilities of first candidates are worth: whether
// they are the shares that turn out right, and whether right answers have higher
// ones than wrong answers. An answer is right as the policy says at 1; the
// probability of a composite mention is that of its first candidate alone, also
// where all parts are wanted.
type Confidence struct {
	// ECE is the expected calibration error: the mean over answers of the distance
	// between the mean probability and the share right of the answer's bin. It has no
	// interval, because chance within a bin only ever adds to it.
	ECE Ratio `json:"ece"`
	// Figures are overconfidence, AURC, AUROC, and Acc@1 at coverage .8.
	//
	// Overconfidence is the mean over answers of the probability less 1 for a right
	// answer: positive where the linker promises too much. For the others see the
	// methods of the same names.
	Figures    []Figure       `json:"figures"`
	Bins       []Bin          `json:"bins"`       // all of them, from the lowest up
	Curve      []CurvePoint   `json:"curve"`      // from the surest answers to all of them
	Thresholds []ThresholdRow `json:"thresholds"` // from the lowest up
}

// newConfidence gives nil where the linker gives no probabilities.
func newConfidence(c count, policy Policy, seed uint64) *Confidence {
	g := newGraded(c)
	if !g.hasProbabilities() {
		return nil
	}
	bins := g.bins()
	return &Confidence{
		ECE: calibrationError(bins),
		Figures: []Figure{
			g.figure("overconfidence", seed, g.overconfidence),
			g.figure("AURC", seed, g.riskArea),
			g.figure("AUROC", seed, g.separation),
			g.figure("Acc@1 at coverage .8", seed, g.selectiveAccuracy),
		},
		Bins:       bins,
		Curve:      g.curve(),
		Thresholds: thresholds(c, policy),
	}
}
