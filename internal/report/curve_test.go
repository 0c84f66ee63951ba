package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/contrastive"
)

// TestWriteTrainingCurve: a PNG of one panel, and of two with validation; an SVG of the same width whose texts are
// texts; any number of entries but none.
func TestWriteTrainingCurve(t *testing.T) {
	var plain, validated []contrastive.LogEntry
	for i := range 400 {
		e := contrastive.LogEntry{Step: i + 1, NameBatch: i%2 == 1, Loss: 1 / float64(i+1)}
		plain = append(plain, e)
		if i%40 == 0 {
			e.ValLoss, e.ValAcc = new(e.Loss), new(1-e.Loss)
		}
		validated = append(validated, e)
	}
	for _, c := range []struct {
		entries []contrastive.LogEntry
		height  int
	}{{plain, 450}, {validated, 900}, {plain[:1], 450}, {[]contrastive.LogEntry{{Step: 1}, {Step: 2}}, 450}} {
		var out bytes.Buffer
		if err := WriteTrainingCurve(&out, ".png", c.entries); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&out)
		if err != nil {
			t.Fatal(err)
		}
		if size := img.Bounds().Size(); size.X != 975 || size.Y != c.height { // 150 dots an inch
			t.Errorf("%d entries: an image of %v, want 975 by %d", len(c.entries), size, c.height)
		}
	}
	var out bytes.Buffer
	var svg struct {
		Width string `xml:"width,attr"`
	}
	err := errors.Join(WriteTrainingCurve(&out, ".svg", validated), xml.Unmarshal(out.Bytes(), &svg))
	if err != nil || svg.Width != "468pt" || !strings.Contains(out.String(), ">validation accuracy</text>") {
		t.Errorf("%v, a drawing of the width %s, want 468pt and the text of the axis", err, svg.Width)
	}
	if err := WriteTrainingCurve(&out, ".svg", nil); err == nil {
		t.Error("no error for no entries")
	}
	if err := WriteTrainingCurve(fullDisk{}, ".png", plain); !errors.Is(err, errDiskFull) {
		t.Errorf("on a full disk: %v, want %v", err, errDiskFull)
	}
}
