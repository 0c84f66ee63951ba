package link

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
)

func TestIsVerb(t *testing.T) {
	for marked, want := range map[string]bool{
		"A straight line <fits> the points.":                 true,
		"Copper wire was <wound> around a magnet.":           true,
		"It would be <rash> to say so.":                      true,
		"This may <strain> your back.":                       true,
		"Lamps that do not <burn> out.":                      true,
		"They had to <stem> the flow.":                       true,
		"The girl had several <fits> with jerking arms.":     false,
		"After <stroke> the patients could not speak.":       false,
		"The <wound> the surgeon closed was deep.":           false,
		"The diagnosis was <shock> from loss of blood.":      false,
		"Exposure to <cold> air.":                            false,
		"<Stroke> the arm.":                                  false,
		"Cold, <burn> the wood.":                             false,
		"A red <rash> spread over his chest.":                false,
		"He was in <shock> with a weak pulse and cold skin.": false,
		"<burn>": false,
	} {
		q := linktest.Query(t, marked)
		if got := isVerb(&q); got != want {
			t.Errorf("isVerb is %t for %q, want %t", got, marked, want)
		}
	}
}
