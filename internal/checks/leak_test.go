package checks

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// leakModels are the options of the models that TestLinkLeaksNothing uses, by name. The build with the encoder adds
// one.
var leakModels = map[string]func(*ctxnorm.TrainOptions){
	"strings": func(*ctxnorm.TrainOptions) {},
}

// liveTensors returns the number of libtorch tensors that were not freed.
var liveTensors = func() int { return 0 }

// TestLinkLeaksNothing checks that linking leaves no goroutines and tensors behind. The mentions differ, so that no
// cache of answers replaces the work.
func TestLinkLeaksNothing(t *testing.T) {
	const links, documents = 2_000, 100 // documents in a call
	for name, set := range leakModels {
		t.Run(name, func(t *testing.T) {
			o := exampleOptions(t, t.TempDir())
			set(&o)
			must.Succeed(t, ctxnorm.Train(t.Context(), o))
			m := openModel(t, o.Model)
			link := func(first int) {
				docs := make([]*ctxnorm.Document, documents)
				for i := range docs {
					mention := fmt.Sprintf("gouty arthritis type %d", first+i)
					docs[i] = &ctxnorm.Document{
						ID: fmt.Sprint(first + i), Text: mention + " was seen.",
						Mentions: []ctxnorm.Mention{{Span: ctxnorm.Span{End: len(mention)}}},
					}
				}
				must.Equal(t, len(linkAll(t, m, docs, ctxnorm.LinkOptions{})), documents, "documents are linked")
			}
			link(0) // starts whatever stays
			goroutines, tensors := runtime.NumGoroutine(), liveTensors()
			for first := documents; first < documents+links; first += documents {
				link(first)
			}
			// A goroutine that is done may need a moment to end.
			for range 100 {
				if runtime.NumGoroutine() <= goroutines {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			if n := runtime.NumGoroutine(); n > goroutines {
				t.Errorf("%d goroutines before %d links and %d after", goroutines, links, n)
			}
			if n := liveTensors(); n > tensors {
				t.Errorf("%d tensors before %d links and %d after", tensors, links, n)
			}
		})
	}
}
