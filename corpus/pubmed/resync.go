package pubmed

import "bytes"

// findRecord looks for the next "<PubmedArticle", "<PubmedBookArticle" or
// "<DeleteCitation", and if citations is set "<MedlineCitation", in b, which
// may be anything. It tells where that is, or where to look on when more of the
// input is there; final means that b is all there is.
func findRecord(b []byte, citations, final bool) (at int, found bool) {
	for {
		i := bytes.IndexByte(b[at:], '<')
		if i < 0 {
			return len(b), false
		}
		at += i
		tag := b[at+1:]
		length := nameLength(tag[:min(len(tag), len(bookArticle)+1)])
		if length == len(tag) && !final {
			return at, false
		}
		switch string(tag[:length]) {
		case article, bookArticle, deleteCitation:
			return at, true
		case medlineCitation:
			if citations {
				return at, true
			}
		}
		at++
	}
}
