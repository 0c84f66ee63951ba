//go:build torch

package bert

import "math/bits"

// Batches have few shapes on purpose. For every shape of a bfloat16 product oneDNN compiles a kernel, which takes about
// 4 MB and some milliseconds, and keeps the last 1,024. Batches of any number of rows and any width made thousands of
// kernels, which took gigabytes and half of the training time. They also crashed the process: oneDNN 3.1 reads freed
// memory if one thread drops a kernel while another is about to use its description (brgemm_t keeps a pointer to the
// attributes of the description from which it was first made).
//
// So widths are 2^k or 3*2^k, at least 8, and rows are 2^k. The number of tokens of a batch, the size in the products
// of a layer, is then 2^k or 3*2^k too: two values for each doubling.

// shapeWidth returns the width of a batch, given the number of tokens of its longest input.
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

// shapeOutputs returns the number of tokens of each row that the last layer computes, given the largest number of
// output tokens in a row.
func shapeOutputs(tokens int) int {
	if tokens <= 1 {
		return 1
	}
	return shapeWidth(tokens)
}

// shapeRows returns the number of rows of a batch of n inputs.
func shapeRows(n int) int {
	return 1 << bits.Len(uint(max(n, 1)-1))
}

// powerUpTo returns the greatest power of two up to n, and at least 1.
func powerUpTo(n int) int {
	return 1 << (bits.Len(uint(max(n, 1))) - 1)
}

// takeRows returns the number of inputs in the next batch, given the number of inputs left and a limit that is a power
// of two: all of them if they fill three quarters of the rows, and otherwise a power of two.
func takeRows(left, limit int) int {
	if left >= limit {
		return limit
	}
	if 4*left >= 3*shapeRows(left) {
		return left
	}
	return powerUpTo(left)
}
