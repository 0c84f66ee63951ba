//go:build torch

package torch

// Shapes of batches are few on purpose. For every shape of a bfloat16 product
// oneDNN compiles a kernel of its own, some 4 MB and milliseconds each, and keeps
// the last 1,024: batches of any rows and width made thousands, which took
// gigabytes and half of the time of training. They also brought down the process:
// oneDNN 3.1 reads freed memory where one thread drops a kernel while another is
// about to use its description (brgemm_t keeps a pointer to the attributes of the
// description that it was first made from).
//
// So widths are 2^k and 3*2^k from 8 on, rows 2^k, and tokens, which the products of
// a layer see, 2^k or 3*2^k: two values for each doubling.

// shapeWidth is the width of a batch whose longest input has so many tokens.
func shapeWidth(tokens int) int {
	width := 8
	for width < tokens {
		if width&(width-1) == 0 { // 2^k
			width += width / 2
		} else { // 3 * 2^k
			width += width / 3
		}
	}
	return width
}

// shapeTokens is the number of tokens of a batch of sequences without padding: 4, 5, 6 or
// 7 times a power of two, from 8 on. Nothing but the products of a layer sees it, so
// that it may be nearer to the number wanted than a width.
func shapeTokens(tokens int) int {
	if tokens <= 8 {
		return 8
	}
	step := powerUpTo(tokens-1) / 4
	return (tokens + step - 1) / step * step
}

// shapeKept is the number of tokens of a row that the last layer computes, where
// at most so many are asked for.
func shapeKept(tokens int) int {
	if tokens <= 1 {
		return 1
	}
	return shapeWidth(tokens)
}

// shapeRows is the number of rows of a batch of n inputs.
func shapeRows(n int) int {
	rows := 1
	for rows < n {
		rows *= 2
	}
	return rows
}

// powerUpTo is the greatest power of two that is not above n, and 1 at least.
func powerUpTo(n int) int {
	power := 1
	for 2*power <= n {
		power *= 2
	}
	return power
}

// takeRows is how many of the inputs that are left make the next batch of at most
// so many rows, a power of two: all where they fill three quarters of the rows
// that they get, and otherwise a power of two.
func takeRows(left, most int) int {
	if left >= most {
		return most
	}
	if 4*left >= 3*shapeRows(left) {
		return left
	}
	return powerUpTo(left)
}
