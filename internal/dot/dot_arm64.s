#include "textflag.h"

// Functions of kernel_arm64.go. Go's assembler has no addition or maximum of vectors of float32, so these are written
// as words (Arm Architecture Reference Manual for A-profile, C7.2). n, m and d are numbers of registers.
#define FADD(n, m, d) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))
#define FADDP(n, m, d) WORD $(0x6E20D400 | (m)<<16 | (n)<<5 | (d)) // sums of neighbors
#define FMAX(n, m, d) WORD $(0x4E20F400 | (m)<<16 | (n)<<5 | (d))
#define FMAXV(n, d) WORD $(0x6E30F800 | (n)<<5 | (d)) // the largest lane

// A pair of vectors has two sums: of its numbers 0 to 3 of every eight, and of 4 to 7. The numbers after the
// last eight go to lane 0 of the first. ADDLANES adds the lanes of both: 01+23.
#define ADDLANES(n, m) \
	FADD(n, m, n); \
	FADDP(n, n, n); \
	FADDP(n, n, n)

// func dotNEON(a, b *float32, n int) float32
TEXT ·dotNEON(SB), NOSPLIT, $0-28
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	MOVD n+16(FP), R2
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	LSR  $3, R2, R3
	CBZ  R3, rest

eight:
	VLD1.P 32(R0), [V16.S4, V17.S4]
	VLD1.P 32(R1), [V18.S4, V19.S4]
	VFMLA  V16.S4, V18.S4, V0.S4
	VFMLA  V17.S4, V19.S4, V1.S4
	SUB    $1, R3
	CBNZ   R3, eight

rest:
	AND $7, R2
	CBZ R2, done

one:
	FMOVS.P 4(R0), F16 // the other lanes are zero
	FMOVS.P 4(R1), F18
	VFMLA   V16.S4, V18.S4, V0.S4
	SUB     $1, R2
	CBNZ    R2, one

done:
	ADDLANES(0, 1)
	FMOVS F0, ret+24(FP)
	RET

// func fourNEON(query, r0, r1, r2, r3 *float32, n int, out *[4]float32)
TEXT ·fourNEON(SB), NOSPLIT, $0-56
	MOVD query+0(FP), R0
	MOVD r0+8(FP), R4
	MOVD r1+16(FP), R5
	MOVD r2+24(FP), R6
	MOVD r3+32(FP), R7
	MOVD n+40(FP), R2
	MOVD out+48(FP), R1
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	LSR  $3, R2, R3
	CBZ  R3, rest

eight:
	VLD1.P 32(R0), [V16.S4, V17.S4]
	VLD1.P 32(R4), [V18.S4, V19.S4]
	VLD1.P 32(R5), [V20.S4, V21.S4]
	VLD1.P 32(R6), [V22.S4, V23.S4]
	VLD1.P 32(R7), [V24.S4, V25.S4]
	VFMLA  V16.S4, V18.S4, V0.S4
	VFMLA  V17.S4, V19.S4, V1.S4
	VFMLA  V16.S4, V20.S4, V2.S4
	VFMLA  V17.S4, V21.S4, V3.S4
	VFMLA  V16.S4, V22.S4, V4.S4
	VFMLA  V17.S4, V23.S4, V5.S4
	VFMLA  V16.S4, V24.S4, V6.S4
	VFMLA  V17.S4, V25.S4, V7.S4
	SUB    $1, R3
	CBNZ   R3, eight

rest:
	AND $7, R2
	CBZ R2, done

one:
	FMOVS.P 4(R0), F16
	FMOVS.P 4(R4), F18
	FMOVS.P 4(R5), F20
	FMOVS.P 4(R6), F22
	FMOVS.P 4(R7), F24
	VFMLA   V16.S4, V18.S4, V0.S4
	VFMLA   V16.S4, V20.S4, V2.S4
	VFMLA   V16.S4, V22.S4, V4.S4
	VFMLA   V16.S4, V24.S4, V6.S4
	SUB     $1, R2
	CBNZ    R2, one

done:
	ADDLANES(0, 1)
	ADDLANES(2, 3)
	ADDLANES(4, 5)
	ADDLANES(6, 7)
	FMOVS F0, (R1)
	FMOVS F2, 4(R1)
	FMOVS F4, 8(R1)
	FMOVS F6, 12(R1)
	RET
