package lexical

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// MinSimilarity is the score of [Index.Search] below which a name shares little more than some letters with a query.
const MinSimilarity = .25

// Search returns the k concepts whose names are most similar to query, each with its best name, in descending order of
// score. Equal scores are ordered by ID. It omits concepts without a name that shares a gram with the query or contains
// a synonym of one of its words.
func (x *Index) Search(query string, k int) []NameHit {
	return x.SearchTokens(query, normalize.CanonicalTokens(query), k)
}

// SearchTokens is like [Index.Search] for a query whose canonical tokens are already known.
func (x *Index) SearchTokens(query string, tokens []string, k int) []NameHit {
	s, _ := x.scratch.Get().(*search)
	if s == nil {
		s = &search{Index: x}
	}
	defer x.scratch.Put(s)
	// Names that differ only in the order of words score the same to the last bit.
	s.read(slices.Compact(slices.Sorted(slices.Values(tokens))))
	s.top = topConcepts{k: max(0, min(k, len(x.concepts)))}
	s.scoreBest()
	var joined []int32 // rows of names that are joined or split differently
	if form := normalize.JoinedForm(query); form != "" {
		for _, row := range x.joined.find(hashOf(form)) {
			if normalize.JoinedForm(x.names.At(int(row))) == form {
				joined = append(joined, row)
				s.offer(row, joinedScore)
			}
		}
	}
	hits := make([]NameHit, len(s.top.best))
	for i, t := range s.top.best {
		hits[i] = NameHit{Concept: x.ids(int(t.concept)), Name: x.names.At(int(t.row)), Score: float64(t.score),
			Longer: s.isLonger(t.row) && !slices.Contains(joined, t.row)}
	}
	return hits
}

// isLonger reports whether a name has a word that is unlike all words of the query, see [NameHit].
func (s *search) isLonger(row int32) bool {
	const alike = .4 // as a fraction of the word's own squared length
	return slices.ContainsFunc(s.words.At(row), func(word int32) bool {
		c := s.byWord[word]
		return c.claims&^opened == 0 && float64(c.product)*s.length < alike*s.squares[word]
	})
}

// LongestWith returns the number of words of the longest name with a canonical token, or 0 if no name has it.
func (x *Index) LongestWith(token string) int {
	if number, known := x.lexicon.Find(token); known {
		if rows := x.rows.At(int32(number)); len(rows) > 0 {
			return len(x.words.At(rows[len(rows)-1])) // the rows are in the order of their number of words
		}
	}
	return 0
}

// HasName reports whether some name consists of exactly the words of text, in any order.
func (x *Index) HasName(text string) bool {
	var words []int32
	for _, token := range slices.Compact(slices.Sorted(slices.Values(normalize.CanonicalTokens(text)))) {
		number, known := x.lexicon.Find(token)
		if !known {
			return false
		}
		words = append(words, int32(number))
	}
	if len(words) == 0 {
		return false
	}
	rarest := slices.MinFunc(words, func(a, b int32) int { return len(x.rows.At(a)) - len(x.rows.At(b)) })
	return slices.ContainsFunc(x.rows.At(rarest), func(row int32) bool { return slices.Equal(x.words.At(row), words) })
}

// search is one search with its working memory.
type search struct {
	*Index
	byWord []cell // by word of the lexicon
	bands  [bandCount][]int32
	query  []word
	length float64 // of the query
	claims []claim // sorted by synonym
	gains  []claim // for the current row
	top    topConcepts
}

// cell is the state of a word of the lexicon during a search.
type cell struct {
	product float32 // dot product with the query, divided by the query's length
	// claims is the index of the first claim on the word, counted from 1; 0 if there is none. Its bit opened is set
	// once the names with the word were scored.
	claims int32
}

const opened = 1 << 30

// claim states that a word of a name is a synonym of a word of the query.
type claim struct {
	synonym int32
	word    int     // index in the query
	weight  float32 // r(t, a) / |q|, or the gain of a row
}

// read computes the products of the words of the lexicon with a query.
func (s *search) read(texts []string) {
	if s.byWord == nil {
		s.byWord = make([]cell, s.lexicon.Len())
	}
	clear(s.byWord)
	s.query, s.claims = s.query[:0], s.claims[:0]
	for _, text := range texts {
		s.query = append(s.query, s.wordOf(text))
	}
	for _, g := range s.sum() {
		product := float32(g.weight * s.idf[g.feature] / s.length)
		for _, other := range s.having.At(g.feature) {
			s.byWord[other].product += product // without the factor d(w), which scoreBest multiplies in
		}
	}
	for i, w := range s.query {
		if w.number < 0 {
			continue
		}
		start, end := s.synonyms.Range(w.number)
		for at := start; at < end; at++ {
			other := s.synonyms.Values()[at]
			weight := s.weights[at] * min(1, math.Sqrt(w.squares/s.squares[other]))
			s.claims = append(s.claims, claim{other, i, float32(weight / s.length)})
		}
	}
	misspelled := 0
	for i, text := range texts {
		if s.query[i].number < 0 && misspelled < maxMisspelled {
			misspelled++
			s.correct(text, i)
		}
	}
	slices.SortFunc(s.claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.synonym, b.synonym), cmp.Compare(a.word, b.word))
	})
	for i, c := range slices.Backward(s.claims) {
		s.byWord[c.synonym].claims = int32(i + 1)
	}
}

// correct adds claims for the words of the lexicon that query word i may misspell.
func (s *search) correct(text string, i int) {
	length, letters := math.Sqrt(s.query[i].squares), utf8.RuneCountInString(text)
	least := float32(leastMisspelled * length / s.length)
	for other, c := range s.byWord {
		if c.product*s.inverses[other] < least {
			continue
		}
		if more := utf8.RuneCount(s.lexicon.Bytes(other)) - letters; more < -2 || more > 2 {
			continue // a difference of three letters is three errors
		}
		if errors := TypingErrors(text, s.lexicon.At(other)); errors < 3 {
			weight := math.Pow(synonymWeight, float64(errors)) * min(1, length*float64(s.inverses[other]))
			s.claims = append(s.claims, claim{int32(other), i, float32(weight / s.length)})
		}
	}
}

// The minimum length in letters of a word that may contain one typing error, or two. Shorter words have too many
// neighbors: "renal" and "venal", "hepatic" and "herpetic".
const (
	MinLettersOneError  = 5
	minLettersTwoErrors = 9
)

// TypingErrors returns the number of typing errors, 1 or 2, that may turn other into word. It returns 3 if there are
// more, or if word cannot be a misspelling of other.
func TypingErrors(word, other string) int {
	letters := max(utf8.RuneCountInString(word), utf8.RuneCountInString(other))
	most := 0
	switch {
	case letters >= minLettersTwoErrors:
		most = 2
	case letters >= MinLettersOneError:
		most = 1
	}
	errors := normalize.TypingErrors(word, other, most)
	if errors > most || !normalize.IsLetters(other) || normalize.AreOpposed(word, other) {
		return 3
	}
	return errors
}

// claimsOn returns the claims on a word.
func (s *search) claimsOn(word int32) []claim {
	start := int(s.byWord[word].claims) - 1
	if start < 0 {
		return nil
	}
	end := start
	for end < len(s.claims) && s.claims[end].synonym == word {
		end++
	}
	return s.claims[start:end]
}

// sum returns the sum of the vectors of the query, with each gram once, and sets the query's length. The length also
// includes grams that occur in no name, separately for each word.
func (s *search) sum() (sum []weighted) {
	var grams []weighted
	squares := 0.0
	for _, w := range s.query {
		squares += w.squares
		for _, g := range w.grams {
			squares -= g.weight * g.weight // added below, after summing over the words
		}
		grams = append(grams, w.grams...)
	}
	slices.SortFunc(grams, func(a, b weighted) int {
		return cmp.Or(cmp.Compare(a.feature, b.feature), cmp.Compare(a.weight, b.weight))
	})
	sum = grams[:0]
	for _, g := range grams {
		if n := len(sum); n > 0 && sum[n-1].feature == g.feature {
			sum[n-1].weight += g.weight
		} else {
			sum = append(sum, g)
		}
	}
	for _, g := range sum {
		squares += g.weight * g.weight
	}
	s.length = math.Sqrt(squares)
	return sum
}

const (
	// Words are processed in bands of their cosine with the query, four to an octave: the upper bits of a float32 are
	// its logarithm. The last band holds all other words.
	bandCount = 4 * 5
	bandShift = 23 - 2

	// mostAlike is the maximum number of words of a name that may all lie in the best remaining band. A name of more
	// words is assumed to have at least one that is more similar to the query: of 36,000 hits for 600 queries among
	// 100,000 and 1,000,000 names none was lost.
	mostAlike = 3
)

// scoreBest offers the names that may be among the best. It opens the words' lists of names in descending order of
// their cosine with the query. By the Cauchy–Schwarz inequality, and since no two words have a negative product, a name
// of c words whose cosines are at most b scores at most b √c. So fewer and fewer names of a list have to be scored, and
// in the end none.
func (s *search) scoreBest() {
	for word, factor := range s.factors {
		if factor != 1 {
			s.byWord[word].product *= float32(factor)
		}
	}
	top, before := math.Float32bits(1), float32(math.Inf(1))
	for _, above := range []float32{.25, .125, 0} { // few searches need the words of the last step
		for word := range s.byWord {
			if c := &s.byWord[word]; c.claims >= opened || c.claims == 0 && c.product*s.inverses[word] <= above {
				continue
			}
			if cosine := s.cosine(int32(word)); above < cosine && cosine <= before {
				band := min(int(top-math.Float32bits(min(1, cosine)))>>bandShift, bandCount-1)
				s.bands[band] = append(s.bands[band], int32(word))
			}
		}
		before = above
		for i, band := range s.bands {
			s.bands[i] = band[:0]
			most := math.Float32frombits(top - uint32(i<<bandShift))
			for _, word := range band {
				fewest := int(math.Ceil(.9999 * float64(s.top.least/most*s.top.least/most))) // minimum number of words of a name
				if fewest > mostAlike || fewest >= len(s.groups) {
					before = 0 // no step is left
					break
				}
				s.open(word, s.groups[fewest])
			}
		}
		if before == 0 {
			return
		}
	}
}

// cosine returns the cosine of a word with the query, plus its gain as a synonym of a query word.
func (s *search) cosine(word int32) float32 {
	c, inverse := s.byWord[word], s.inverses[word]
	gain := float32(0)
	if c.claims > 0 {
		for _, c := range s.claimsOn(word) {
			gain = max(gain, c.weight/inverse-inverse*float32(s.product(&s.query[c.word], word)/s.length))
		}
	}
	return c.product*inverse + gain
}

// open offers the names that contain a word, beginning at row from. It skips names that were scored when another word
// was opened.
func (s *search) open(word, from int32) {
	cells, rows := s.byWord, s.rows.At(word)
	if len(rows) > 0 && rows[0] < from {
		at, _ := slices.BinarySearch(rows, from)
		rows = rows[at:]
	}
	for _, row := range rows {
		start, end := s.words.Range(row)
		words := s.words.Values()[start:end]
		sum, claims := float32(0), int32(0)
		for _, word := range words {
			cell := &cells[word]
			sum += cell.product
			claims |= cell.claims
		}
		if claims >= opened {
			continue // scored before
		}
		score := sum * s.scales[row]
		if claims != 0 {
			score = s.withSynonyms(row, words, s.shares[start:end], score)
		}
		if score >= s.top.least && score > 0 {
			s.offer(row, score)
		}
	}
	cells[word].claims |= opened
}

func (s *search) offer(row int32, score float32) {
	s.top.offer(conceptScore{score, s.concepts[row], row, s.order[row]})
}

// withSynonyms returns the score of a name that has synonyms of query words, given its score without them. It returns
// the latter if the name cannot be among the best.
func (s *search) withSynonyms(row int32, words []int32, shares []float32, score float32) float32 {
	most := score
	for i, word := range words {
		for _, c := range s.claimsOn(word) {
			most += c.weight * shares[i]
		}
	}
	if most < s.top.least {
		return score
	}
	s.gains = s.gains[:0]
	for i, word := range words {
		for _, c := range s.claimsOn(word) {
			c.weight *= shares[i]
			for _, other := range words {
				if s.byWord[other].product == 0 {
					continue
				}
				c.weight -= s.scales[row] * float32(s.product(&s.query[c.word], other)/s.length)
			}
			if c.weight > 0 {
				s.gains = append(s.gains, c)
			}
		}
	}
	slices.SortFunc(s.gains, func(a, b claim) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.synonym, b.synonym), cmp.Compare(a.word, b.word))
	})
	gained := score
	for i, c := range s.gains {
		if !slices.ContainsFunc(s.gains[:i], func(taken claim) bool { return taken.synonym == c.synonym || taken.word == c.word }) {
			gained += c.weight
		}
	}
	return max(score, min(gained, mostBySynonyms))
}

// product returns the dot product of a query word with a word of the lexicon.
func (x *Index) product(w *word, other int32) (product float64) {
	grams := x.grams.At(other)
	for _, g := range w.grams {
		for len(grams) > 0 && grams[0] < g.feature {
			grams = grams[1:]
		}
		if len(grams) > 0 && grams[0] == g.feature {
			product += g.weight * x.idf[g.feature]
		}
	}
	return product * float64(x.factors[other])
}
