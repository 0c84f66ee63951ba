package linked

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// These are the contrasts that WCAG 2.2 requires at level AA: for text (1.4.3), and for borders and marks that identify
// something (1.4.11).
const (
	textContrast    = 4.5
	nonTextContrast = 3
)

// pairs are colors that are shown on each other.
var pairs = []struct {
	front, behind string
	least         float64
}{
	{"ink", "card", textContrast}, {"ink", "page", textContrast},
	{"quiet", "card", textContrast}, {"quiet", "page", textContrast},
	{"main", "card", textContrast}, {"main", "page", textContrast}, {"on-main", "main", textContrast},
	{"high-ink", "high", textContrast}, {"middle-ink", "middle", textContrast}, {"low-ink", "low", textContrast},
	{"nil-ink", "nil", textContrast}, {"decided-ink", "decided", textContrast}, {"error-ink", "error", textContrast},
	{"control", "card", nonTextContrast}, {"control", "page", nonTextContrast},
	{"decided-ink", "card", nonTextContrast},
	// The border below a mention has the color of its text, and also stands on the card.
	{"high-ink", "card", nonTextContrast}, {"middle-ink", "card", nonTextContrast}, {"low-ink", "card", nonTextContrast},
	{"nil-ink", "card", nonTextContrast},
	// The outline of the open mention.
	{"main", "high", nonTextContrast}, {"main", "middle", nonTextContrast}, {"main", "low", nonTextContrast},
	{"main", "nil", nonTextContrast}, {"main", "decided", nonTextContrast},
}

func TestContrast(t *testing.T) {
	themes := themesOf(t, CSS)
	for i, colors := range themes {
		used := map[string]bool{"line": true} // a decoration
		for _, pair := range pairs {
			front, behind := colors[pair.front], colors[pair.behind]
			if front == "" || behind == "" {
				t.Fatalf("theme %d has no color %s or %s", i+1, pair.front, pair.behind)
			}
			used[pair.front], used[pair.behind] = true, true
			if got := contrast(t, front, behind); got < pair.least {
				t.Errorf("theme %d: %s %s on %s %s has a contrast of %.2f, want %g", i+1, pair.front, front, pair.behind, behind, got, pair.least)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(colors)) {
			if !used[name] {
				t.Errorf("theme %d: the color %s is in no pair of this test", i+1, name)
			}
		}
	}
}

var (
	colorLine  = regexp.MustCompile(`--[a-z-]+: [^;]+;`)
	colorValue = regexp.MustCompile(`^--([a-z-]+): light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\);$`)
)

// themesOf returns the colors of the light theme and of the dark one, by name.
func themesOf(t *testing.T, css string) [2]map[string]string {
	t.Helper()
	themes := [2]map[string]string{{}, {}}
	for _, line := range colorLine.FindAllString(css, -1) {
		c := colorValue.FindStringSubmatch(line)
		if c == nil {
			t.Fatalf("%s: want a color of each theme", line)
		}
		themes[0][c[1]], themes[1][c[1]] = c[2], c[3]
	}
	return themes
}

// contrast returns the contrast ratio of two colors, 1 to 21, by WCAG 2.2.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

// luminance returns the relative luminance of a color "#rgb" or "#rrggbb".
func luminance(t *testing.T, color string) float64 {
	t.Helper()
	digits := color[1:]
	if len(digits) == 3 {
		digits = fmt.Sprintf("%c%[1]c%c%[2]c%c%[3]c", digits[0], digits[1], digits[2])
	}
	value, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		t.Fatalf("the color %s: %v", color, err)
	}
	sum := 0.
	for i, weight := range []float64{.2126, .7152, .0722} { // red, green, blue
		share := float64(value>>(16-8*i)&0xff) / 255
		if share <= .04045 {
			share /= 12.92
		} else {
			share = math.Pow((share+.055)/1.055, 2.4)
		}
		sum += weight * share
	}
	return sum
}

func TestContrastOfKnownColors(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want float64
	}{{"#000", "#fff", 21}, {"#777777", "#fff", 4.48}, {"#fff", "#fff", 1}, {"#f00", "#ffffff", 4}} {
		if got := contrast(t, test.a, test.b); math.Abs(got-test.want) > .01 {
			t.Errorf("contrast(%s, %s) = %.3f, want %g", test.a, test.b, got, test.want)
		}
	}
}
