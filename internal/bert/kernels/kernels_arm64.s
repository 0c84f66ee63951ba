#include "textflag.h"

// Functions of set_arm64.go. Go's assembler lacks many instructions of vectors, which are written as words
// (Arm Architecture Reference Manual for A-profile, C7.2). n, m and d are numbers of registers: of the two
// operands and of the result. All are of four numbers of 32 bits (4S).

#define VECTOR(code, n, m, d) WORD $(code | (m)<<16 | (n)<<5 | (d))
#define FADD(n, m, d) VECTOR(0x4E20D400, n, m, d)
#define FADDP(n, m, d) VECTOR(0x6E20D400, n, m, d) // sums of neighbors
#define FSUB(n, m, d) VECTOR(0x4EA0D400, n, m, d) // n - m
#define FMUL(n, m, d) VECTOR(0x6E20DC00, n, m, d)
#define FDIV(n, m, d) VECTOR(0x6E20FC00, n, m, d) // n / m
#define FMAX(n, m, d) VECTOR(0x4E20F400, n, m, d) // NaN if one is NaN, as FMIN
#define FMIN(n, m, d) VECTOR(0x4EA0F400, n, m, d)
#define FABS(n, d) VECTOR(0x4EA0F800, n, 0, d)
#define FSQRT(n, d) VECTOR(0x6EA1F800, n, 0, d)
#define FRINTN(n, d) VECTOR(0x4E218800, n, 0, d) // to the nearest integer, to even
#define FCVTNS(n, d) VECTOR(0x4E21A800, n, 0, d) // the same, as an integer
#define SCVTF(n, d) VECTOR(0x4E21D800, n, 0, d) // the number of an integer
#define FMAXV(n, d) VECTOR(0x6E30F800, n, 0, d) // the greatest of n, in lane 0
#define SQXTN4(n, d) VECTOR(0x0E614800, n, 0, d) // to 16 bits, in the lower half of d
#define SQXTN4H(n, d) VECTOR(0x4E614800, n, 0, d) // in the upper half
#define SQXTN8(n, d) VECTOR(0x0E214800, n, 0, d) // 16 bits to 8
#define SQXTN8H(n, d) VECTOR(0x4E214800, n, 0, d)

// LANE is d += n * m[lane]: FMLA for numbers, SDOT for the four integers of 8 bits of a lane.
#define LANE(code, n, m, lane, d) VECTOR(code | ((lane)&1)<<21 | ((lane)>>1)<<11, n, m, d)
#define FMLA 0x4F801000
#define SDOT 0x4F80E000

// BLOCK goes to the beginnings of four rows of a, R9 to R12, and of b, R13, and R1 to the next block.
#define BLOCK \
	MOVD R1, R9; \
	ADD  R5, R9, R10; \
	ADD  R5, R10, R11; \
	ADD  R5, R11, R12; \
	ADD  R5, R12, R1; \
	MOVD R2, R13

// FOUR loads 16 bytes of each row of a.
#define FOUR \
	FMOVQ.P 16(R9), F16; \
	FMOVQ.P 16(R10), F17; \
	FMOVQ.P 16(R11), F18; \
	FMOVQ.P 16(R12), F19

// STEP adds to the sums, V0 to V15, the products of a lane of each row and a row of b.
#define STEP(code, lane) \
	FLDPQ (R13), (F20, F21); \
	FLDPQ 32(R13), (F22, F23); \
	ADD   R6, R13; \
	LANE(code, 20, 16, lane, 0); \
	LANE(code, 21, 16, lane, 1); \
	LANE(code, 22, 16, lane, 2); \
	LANE(code, 23, 16, lane, 3); \
	LANE(code, 20, 17, lane, 4); \
	LANE(code, 21, 17, lane, 5); \
	LANE(code, 22, 17, lane, 6); \
	LANE(code, 23, 17, lane, 7); \
	LANE(code, 20, 18, lane, 8); \
	LANE(code, 21, 18, lane, 9); \
	LANE(code, 22, 18, lane, 10); \
	LANE(code, 23, 18, lane, 11); \
	LANE(code, 20, 19, lane, 12); \
	LANE(code, 21, 19, lane, 13); \
	LANE(code, 22, 19, lane, 14); \
	LANE(code, 23, 19, lane, 15)

// COPY copies four registers.
#define COPY(n0, d0, n1, d1, n2, d2, n3, d3) \
	VMOV n0.B16, d0.B16; \
	VMOV n1.B16, d1.B16; \
	VMOV n2.B16, d2.B16; \
	VMOV n3.B16, d3.B16

// STORE writes a row of c and goes to the next.
#define STORE(v0, v1, v2, v3) \
	VST1 [v0.S4, v1.S4, v2.S4, v3.S4], (R0); \
	ADD  R4, R0

// func multiply4x16NEON(c, a, b, bias *float32, ldc, lda, ldb, depth, blocks int)
TEXT ·multiply4x16NEON(SB), NOSPLIT, $0-72
	MOVD c+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	MOVD bias+24(FP), R3
	MOVD ldc+32(FP), R4
	MOVD lda+40(FP), R5
	MOVD ldb+48(FP), R6
	MOVD depth+56(FP), R7
	MOVD blocks+64(FP), R8

block:
	BLOCK
	VLD1 (R3), [V0.S4, V1.S4, V2.S4, V3.S4]
	COPY(V0, V4, V1, V5, V2, V6, V3, V7)
	COPY(V0, V8, V1, V9, V2, V10, V3, V11)
	COPY(V0, V12, V1, V13, V2, V14, V3, V15)
	LSR $2, R7, R14
	CBZ R14, rest

four:
	FOUR
	STEP(FMLA, 0)
	STEP(FMLA, 1)
	STEP(FMLA, 2)
	STEP(FMLA, 3)
	SUB  $1, R14
	CBNZ R14, four

rest:
	AND $3, R7, R14
	CBZ R14, store

one:
	FMOVS.P 4(R9), F16
	FMOVS.P 4(R10), F17
	FMOVS.P 4(R11), F18
	FMOVS.P 4(R12), F19
	STEP(FMLA, 0)
	SUB  $1, R14
	CBNZ R14, one

store:
	STORE(V0, V1, V2, V3)
	STORE(V4, V5, V6, V7)
	STORE(V8, V9, V10, V11)
	STORE(V12, V13, V14, V15)
	SUB  $1, R8
	CBNZ R8, block
	RET

// SCALE sets a row of four registers to bias + scales * rowScale * sums: scales are V20 to V23, bias V24
// to V27.
#define SCALE(v0, v1, v2, v3) \
	VLD1R.P 4(R15), [V16.S4]; \
	SCVTF(v0, v0); \
	SCVTF(v1, v1); \
	SCVTF(v2, v2); \
	SCVTF(v3, v3); \
	FMUL(v0, 16, v0); \
	FMUL(v1, 16, v1); \
	FMUL(v2, 16, v2); \
	FMUL(v3, 16, v3); \
	FMUL(v0, 20, v0); \
	FMUL(v1, 21, v1); \
	FMUL(v2, 22, v2); \
	FMUL(v3, 23, v3); \
	FADD(v0, 24, v0); \
	FADD(v1, 25, v1); \
	FADD(v2, 26, v2); \
	FADD(v3, 27, v3)

// func multiply4x16Int8NEON(c *float32, a *int8, b *uint8, bias, scales, rowScales *float32, corrections *int32,
//	ldc, lda, ldb, depth, blocks int)
TEXT ·multiply4x16Int8NEON(SB), NOSPLIT, $0-96
	MOVD c+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	MOVD bias+24(FP), R3
	MOVD scales+32(FP), R16
	MOVD rowScales+40(FP), R15
	MOVD ldc+56(FP), R4
	MOVD lda+64(FP), R5
	MOVD ldb+72(FP), R6
	MOVD depth+80(FP), R7
	LSR  $2, R7
	MOVD blocks+88(FP), R8

block:
	BLOCK
	VEOR V0.B16, V0.B16, V0.B16
	COPY(V0, V1, V0, V2, V0, V3, V0, V4)
	COPY(V0, V5, V0, V6, V0, V7, V0, V8)
	COPY(V0, V9, V0, V10, V0, V11, V0, V12)
	COPY(V0, V13, V0, V14, V0, V15, V0, V16)
	MOVD R7, R14

four:
	FOUR
	STEP(SDOT, 0)
	STEP(SDOT, 1)
	STEP(SDOT, 2)
	STEP(SDOT, 3)
	SUB  $1, R14
	CBNZ R14, four

	VLD1 (R16), [V20.S4, V21.S4, V22.S4, V23.S4]
	VLD1 (R3), [V24.S4, V25.S4, V26.S4, V27.S4]
	SCALE(0, 1, 2, 3)
	SCALE(4, 5, 6, 7)
	SCALE(8, 9, 10, 11)
	SCALE(12, 13, 14, 15)
	STORE(V0, V1, V2, V3)
	STORE(V4, V5, V6, V7)
	STORE(V8, V9, V10, V11)
	STORE(V12, V13, V14, V15)
	SUB  $1, R8
	CBNZ R8, block
	RET

// SMOOTH loads 16 numbers of a row and multiplies them by smoothing: V0 to V3.
#define SMOOTH \
	VLD1.P 64(R9), [V0.S4, V1.S4, V2.S4, V3.S4]; \
	VLD1.P 64(R10), [V4.S4, V5.S4, V6.S4, V7.S4]; \
	FMUL(0, 4, 0); \
	FMUL(1, 5, 1); \
	FMUL(2, 6, 2); \
	FMUL(3, 7, 3)

// func quantizeNEON(to *int8, scales *float32, corrections *int32, from, smoothing *float32, rows, width int)
TEXT ·quantizeNEON(SB), NOSPLIT, $0-56
	MOVD  to+0(FP), R0
	MOVD  scales+8(FP), R1
	MOVD  from+24(FP), R3
	MOVD  smoothing+32(FP), R4
	MOVD  rows+40(FP), R5
	MOVD  width+48(FP), R6
	FMOVS $127.0, F16
	MOVW  $0x0DA24260, R7 // 1e-30
	FMOVS R7, F17

row:
	MOVD R3, R9
	MOVD R4, R10
	LSR  $4, R6, R8
	VDUP V17.S[0], V8.S4
	VMOV V8.B16, V9.B16

greatest:
	SMOOTH
	FABS(0, 0)
	FABS(1, 1)
	FABS(2, 2)
	FABS(3, 3)
	FMAX(0, 1, 0)
	FMAX(2, 3, 2)
	FMAX(8, 0, 8)
	FMAX(9, 2, 9)
	SUB  $1, R8
	CBNZ R8, greatest

	FMAX(8, 9, 8)
	FMAXV(8, 8)
	FDIVS   F16, F8, F10 // greatest / 127
	FMOVS.P F10, 4(R1)
	FDIVS   F8, F16, F11 // 127 / greatest
	VDUP    V11.S[0], V11.S4
	MOVD    R3, R9
	MOVD    R4, R10
	LSR     $4, R6, R8

quantize:
	SMOOTH
	FMUL(0, 11, 0)
	FMUL(1, 11, 1)
	FMUL(2, 11, 2)
	FMUL(3, 11, 3)
	FCVTNS(0, 0)
	FCVTNS(1, 1)
	FCVTNS(2, 2)
	FCVTNS(3, 3)
	SQXTN4(0, 4)
	SQXTN4H(1, 4)
	SQXTN4(2, 5)
	SQXTN4H(3, 5)
	SQXTN8(4, 6)
	SQXTN8H(5, 6)
	VST1.P [V6.B16], 16(R0)
	SUB    $1, R8
	CBNZ   R8, quantize

	MOVD R9, R3
	SUB  $1, R5
	CBNZ R5, row
	RET

// func addNormNEON(h, y, weight, bias *float32, rows, width int, share, eps float32)
TEXT ·addNormNEON(SB), NOSPLIT, $0-56
	MOVD  h+0(FP), R0
	MOVD  y+8(FP), R1
	MOVD  weight+16(FP), R2
	MOVD  bias+24(FP), R3
	MOVD  rows+32(FP), R5
	MOVD  width+40(FP), R6
	FMOVS share+48(FP), F16
	FMOVS eps+52(FP), F17
	FMOVS $1.0, F18
	VDUP  V16.S[0], V16.S4
	VDUP  V17.S[0], V17.S4
	VDUP  V18.S[0], V18.S4

row:
	MOVD R0, R9
	LSR  $3, R6, R8
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16

sum:
	VLD1   (R9), [V0.S4, V1.S4]
	VLD1.P 32(R1), [V2.S4, V3.S4]
	FADD(0, 2, 0)
	FADD(1, 3, 1)
	FADD(4, 0, 4)
	FADD(5, 1, 5)
	VST1.P [V0.S4, V1.S4], 32(R9)
	SUB    $1, R8
	CBNZ   R8, sum

	FADD(4, 5, 4)
	FADDP(4, 4, 4)
	FADDP(4, 4, 4)
	FMUL(4, 16, 4) // the mean
	MOVD R0, R9
	LSR  $3, R6, R8

squares:
	VLD1.P 32(R9), [V0.S4, V1.S4]
	FSUB(0, 4, 0)
	FSUB(1, 4, 1)
	VFMLA  V0.S4, V0.S4, V6.S4
	VFMLA  V1.S4, V1.S4, V7.S4
	SUB    $1, R8
	CBNZ   R8, squares

	FADD(6, 7, 6)
	FADDP(6, 6, 6)
	FADDP(6, 6, 6)
	VMOV  V17.B16, V5.B16
	VFMLA V6.S4, V16.S4, V5.S4 // variance + eps
	FSQRT(5, 5)
	FDIV(18, 5, 5)
	MOVD R2, R10
	MOVD R3, R11
	LSR  $3, R6, R8

norm:
	VLD1   (R0), [V0.S4, V1.S4]
	VLD1.P 32(R10), [V2.S4, V3.S4]
	VLD1.P 32(R11), [V6.S4, V7.S4]
	FSUB(0, 4, 0)
	FSUB(1, 4, 1)
	FMUL(0, 5, 0)
	FMUL(1, 5, 1)
	VFMLA  V0.S4, V2.S4, V6.S4
	VFMLA  V1.S4, V3.S4, V7.S4
	VST1.P [V6.S4, V7.S4], 32(R0)
	SUB    $1, R8
	CBNZ   R8, norm

	SUB  $1, R5
	CBNZ R5, row
	RET

// HORNER is q = p * x + coefficient.
#define HORNER(coefficient, x, p, q) \
	VMOV  coefficient.B16, q.B16; \
	VFMLA p.S4, x.S4, q.S4

// LOAD4 loads four numbers of the table at R2, each into all lanes of a register.
#define LOAD4(v0, v1, v2, v3) \
	VLD1R.P 4(R2), [v0.S4]; \
	VLD1R.P 4(R2), [v1.S4]; \
	VLD1R.P 4(R2), [v2.S4]; \
	VLD1R.P 4(R2), [v3.S4]

// func geluNEON(x *float32, n int)
TEXT ·geluNEON(SB), NOSPLIT, $0-16
	MOVD x+0(FP), R0
	MOVD n+8(FP), R1
	LSR  $2, R1
	MOVD $·geluTable(SB), R2
	LOAD4(V16, V17, V18, V19) // the odd polynomial is V16 to V22
	LOAD4(V20, V21, V22, V23) // the even one V23 to V27
	LOAD4(V24, V25, V26, V27)
	LOAD4(V28, V29, V30, V31) // √½, 4, -4, ½

loop:
	VLD1 (R0), [V0.S4]
	FMUL(0, 28, 1)
	FMIN(1, 29, 1)
	FMAX(1, 30, 1)
	FMUL(1, 1, 2)
	HORNER(V17, V2, V16, V3)
	HORNER(V24, V2, V23, V5)
	HORNER(V18, V2, V3, V4)
	HORNER(V25, V2, V5, V6)
	HORNER(V19, V2, V4, V3)
	HORNER(V26, V2, V6, V5)
	HORNER(V20, V2, V3, V4)
	HORNER(V27, V2, V5, V6)
	HORNER(V21, V2, V4, V3)
	HORNER(V22, V2, V3, V4)
	FMUL(4, 1, 4)
	FDIV(4, 6, 4) // erf
	FMUL(0, 31, 0)
	VFMLA  V4.S4, V0.S4, V0.S4
	VST1.P [V0.S4], 16(R0)
	SUB    $1, R1
	CBNZ   R1, loop
	RET

// POWER2 sets V6 to 2^V0, and changes V1 to V6: see power2.
#define POWER2 \
	FMAX(0, 23, 1); \
	FRINTN(1, 2); \
	FCVTNS(1, 3); \
	FSUB(1, 2, 1); \
	VADD V24.S4, V3.S4, V3.S4; \
	VSHL $23, V3.S4, V3.S4; \
	HORNER(V17, V1, V16, V4); \
	HORNER(V18, V1, V4, V5); \
	HORNER(V19, V1, V5, V4); \
	HORNER(V20, V1, V4, V5); \
	HORNER(V21, V1, V5, V4); \
	HORNER(V22, V1, V4, V5); \
	FMUL(5, 3, 6)

// POWER2TABLE loads what POWER2 needs: see power2Table.
#define POWER2TABLE \
	MOVD $·power2Table(SB), R2; \
	LOAD4(V16, V17, V18, V19); \
	LOAD4(V20, V21, V22, V23); \
	LOAD4(V24, V25, V26, V27)

// func softmaxNEON(x *float32, rows, width int)
TEXT ·softmaxNEON(SB), NOSPLIT, $0-24
	MOVD x+0(FP), R0
	MOVD rows+8(FP), R5
	MOVD width+16(FP), R6
	POWER2TABLE

row:
	MOVD R0, R9
	LSR  $3, R6, R8
	VLD1 (R0), [V28.S4, V29.S4]

greatest:
	VLD1.P 32(R9), [V0.S4, V1.S4]
	FMAX(28, 0, 28)
	FMAX(29, 1, 29)
	SUB    $1, R8
	CBNZ   R8, greatest

	FMAX(28, 29, 28)
	FMAXV(28, 28)
	VDUP V28.S[0], V28.S4
	VEOR V29.B16, V29.B16, V29.B16
	MOVD R0, R9
	LSR  $2, R6, R8

powers:
	VLD1   (R9), [V0.S4]
	FSUB(0, 28, 0)
	POWER2
	FADD(29, 6, 29)
	VST1.P [V6.S4], 16(R9)
	SUB    $1, R8
	CBNZ   R8, powers

	FADDP(29, 29, 29)
	FADDP(29, 29, 29)
	FDIV(22, 29, 29) // 1 / sum
	LSR $3, R6, R8

shares:
	VLD1   (R0), [V0.S4, V1.S4]
	FMUL(0, 29, 0)
	FMUL(1, 29, 1)
	VST1.P [V0.S4, V1.S4], 32(R0)
	SUB    $1, R8
	CBNZ   R8, shares

	SUB  $1, R5
	CBNZ R5, row
	RET
