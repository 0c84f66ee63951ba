package link

import (
	"fmt"
	"slices"

	"github.com/parquet-go/parquet-go"

	"ctxnorm"
)

// readRowConcepts reads whose the contexts in a file are: the concepts of the mention that
// each is of.
func readRowConcepts(file *parquet.File, dict *ctxnorm.Dictionary) (rowConcepts, error) {
	c := conceptColumnReader{dict: dict}
	if err := readColumns(file, []column{{mentionColumn, parquet.Int32, 0, &c.own}}); err != nil {
		return rowConcepts{}, err
	}
	if err := readColumns(file, []column{{conceptColumn, parquet.ByteArray, 2, &c}}); err != nil {
		return rowConcepts{}, err
	}
	return c.rows, c.check()
}

// conceptColumnReader take, of the concepts of all mentions of all rows, those of each row's
// own mention.
type conceptColumnReader struct {
	dict     *ctxnorm.Dictionary
	own      int32Values // row -> which of its mentions it is of
	mentions int32Values // row -> how many it has
	rows     rowConcepts // -1 for what the dictionary does not have
}

func (c *conceptColumnReader) grow(n int) {
	c.mentions.grow(min(n, len(c.own)))
	c.rows.grow(min(n, len(c.own)))
}

// add reads the levels as [listValues] does: 0 begins a row, and 1 a mention of it.
func (c *conceptColumnReader) add(values []parquet.Value) {
	for _, v := range values {
		begun, there := v.RepetitionLevel(), v.DefinitionLevel()
		if begun == 0 {
			c.mentions = append(c.mentions, 0)
			c.rows.add()
		}
		row := len(c.mentions) - 1
		if row < 0 || row >= len(c.own) {
			continue // in a damaged file
		}
		if begun <= 1 && there >= 1 {
			c.mentions[row]++
		}
		if there == 2 && c.mentions[row]-1 == c.own[row] {
			i, known := c.dict.Index(ctxnorm.ConceptID(v.ByteArray()))
			if !known {
				i = -1
			}
			c.rows.concepts = append(c.rows.concepts, int32(i))
			c.rows.ends[row]++
		}
	}
}

// check finds rows that are of no mention, or of no concept of the dictionary.
func (c *conceptColumnReader) check() error {
	if len(c.own) != len(c.mentions) {
		return fmt.Errorf("columns of unequal length: %d and %d rows", len(c.own), len(c.mentions))
	}
	for row, nth := range c.own {
		if nth < 0 || nth >= c.mentions[row] {
			return fmt.Errorf("row %d: mention %d of %d", row, nth, c.mentions[row])
		}
		if slices.Contains(c.rows.of(int32(row)), -1) {
			return fmt.Errorf("row %d: is of a concept that the dictionary does not have", row)
		}
	}
	return nil
}
