package link

import (
	"fmt"
	"slices"

	"github.com/parquet-go/parquet-go"

	"ctxnorm"
)

// ownerColumns are the columns that say whose a context is: those of its mention.
type ownerColumns struct {
	mention  numbers   // by row
	mentions numbers   // row -> how many it has
	concepts numbers   // mention -> how many it has
	concept  positions // those of mention 0, of mention 1, …
}

func (c *ownerColumns) columns() []column {
	return []column{
		{mentionColumn, parquet.Int32, 0, &c.mention},
		{conceptColumn, parquet.ByteArray, 2, &listed{&listed{&c.concept, &c.concepts, 2}, &c.mentions, 1}},
	}
}

// owners puts the columns together.
func (c *ownerColumns) owners() (owners, error) {
	if len(c.mention) != len(c.mentions) {
		return owners{}, fmt.Errorf("columns of unequal length: %d and %d rows", len(c.mention), len(c.mentions))
	}
	var rows owners
	rows.grow(len(c.mention))
	concepts := c.concept.at
	for row, nth := range c.mention {
		n := c.mentions[row]
		if nth < 0 || nth >= n {
			return owners{}, fmt.Errorf("row %d: mention %d of %d", row, nth, n)
		}
		for i, count := range c.concepts[:n] {
			if int32(i) == nth {
				rows.add(concepts[:count]...)
			}
			concepts = concepts[count:]
		}
		c.concepts = c.concepts[n:]
		if slices.Contains(rows.of(int32(row)), -1) {
			return owners{}, fmt.Errorf("row %d: is of a concept that the dictionary does not have", row)
		}
	}
	return rows, nil
}

// positions are those of concepts in a dictionary, -1 where it does not have them.
type positions struct {
	dict *ctxnorm.Dictionary
	at   numbers
}

func (p *positions) grow(n int) { p.at.grow(n) }

func (p *positions) add(values []parquet.Value) {
	for _, v := range values {
		if v.IsNull() {
			continue
		}
		i, known := p.dict.Index(ctxnorm.ConceptID(v.ByteArray()))
		if !known {
			i = -1
		}
		p.at = append(p.at, int32(i))
	}
}
