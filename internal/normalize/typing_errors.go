package normalize

// TypingErrors returns the smallest number of typing errors that turn one word into the other: of
// letters inserted, left out or replaced, and of neighbors exchanged. Once it is more than most,
// TypingErrors returns most + 1. It is the optimal string alignment distance (Damerau, "A technique
// for computer detection and correction of spelling errors", CACM 7, 1964, with the algorithm of
// Wagner & Fischer, JACM 21, 1974).
func TypingErrors(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d > most || -d > most {
		return most + 1
	}
	// rows[k][j] is the distance of the first i-k runes of x and the first j of y.
	var rows [3][]int
	for k := range rows {
		rows[k] = make([]int, len(y)+1)
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		rows[0], rows[1], rows[2] = rows[2], rows[0], rows[1]
		rows[0][0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			replaced := rows[1][j-1]
			if x[i-1] != y[j-1] {
				replaced++
			}
			d := min(replaced, rows[1][j]+1, rows[0][j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d = min(d, rows[2][j-2]+1)
			}
			rows[0][j] = d
			least = min(least, d)
		}
		if least > most {
			return most + 1
		}
	}
	return min(rows[0][len(y)], most+1)
}
