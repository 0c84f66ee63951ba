package main

import (
	"fmt"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/input"
)

// tieCheck counts the mentions that several concepts fit equally well, since most formats have the first alone.
type tieCheck struct {
	count int
	first string
}

func (c *tieCheck) add(doc *ctxnorm.LinkedDocument) {
	for i := range doc.Mentions {
		m := &doc.Mentions[i]
		for k, tied := range m.Tied() {
			if len(tied) == 0 || m.Corrected != nil {
				continue
			}
			if c.count++; c.count == 1 {
				c.first = fmt.Sprintf("%s is %s and %s", input.Quote(m.Text), m.Best()[k].Concept, tied[0].Concept)
			}
		}
	}
}

func (c *tieCheck) warn(p *program) {
	if c.count > 0 {
		p.warn(fmt.Sprintf("several concepts fit equally well in %s, of which the first is written: %s",
			english.Plural(c.count, "mention", ""), c.first), "--format jsonl has them all, --top 5 adds them to tables")
	}
}
