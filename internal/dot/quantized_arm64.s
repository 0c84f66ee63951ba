#include "textflag.h"

// Functions of kernels_arm64.go. SDOT adds to four sums the products of four integers of 8 bits each, those of n with
// those of a lane of m. Go's assembler has it not, so it is written as a word (Arm Architecture Reference Manual for
// A-profile, C7.2).
#define SDOT(n, m, lane, d) WORD $(0x4F80E000 | ((lane)&1)<<21 | ((lane)>>1)<<11 | (m)<<16 | (n)<<5 | (d))

// UNPACK loads a group of a block of rows: their first four numbers go to V20 to V23, four rows in each, and the next
// four to V24 to V27.
#define UNPACK \
	VLD1.P 64(R0), [V16.B16, V17.B16, V18.B16, V19.B16]; \
	VAND   V31.B16, V16.B16, V20.B16; \
	VAND   V31.B16, V17.B16, V21.B16; \
	VAND   V31.B16, V18.B16, V22.B16; \
	VAND   V31.B16, V19.B16, V23.B16; \
	VUSHR  $4, V16.B16, V24.B16; \
	VUSHR  $4, V17.B16, V25.B16; \
	VUSHR  $4, V18.B16, V26.B16; \
	VUSHR  $4, V19.B16, V27.B16

// QUERY adds to the sums of a query, four rows in each register from d on, its products with a group.
#define QUERY(lane, d) \
	SDOT(20, 28, lane, d); \
	SDOT(21, 28, lane, d+1); \
	SDOT(22, 28, lane, d+2); \
	SDOT(23, 28, lane, d+3); \
	SDOT(24, 29, lane, d); \
	SDOT(25, 29, lane, d+1); \
	SDOT(26, 29, lane, d+2); \
	SDOT(27, 29, lane, d+3)

#define CLEAR(a, b, c, d) \
	VEOR a.B16, a.B16, a.B16; \
	VEOR b.B16, b.B16, b.B16; \
	VEOR c.B16, c.B16, c.B16; \
	VEOR d.B16, d.B16, d.B16

// func products1NEON(codes *byte, groups int, query *int8, sums *[BlockRows]int32)
TEXT ·products1NEON(SB), NOSPLIT, $0-32
	MOVD  codes+0(FP), R0
	MOVD  groups+8(FP), R1
	MOVD  query+16(FP), R2
	MOVD  sums+24(FP), R3
	VMOVI $15, V31.B16
	CLEAR(V0, V1, V2, V3)

group:
	UNPACK
	FMOVS.P 4(R2), F28
	FMOVS.P 4(R2), F29
	QUERY(0, 0)
	SUB     $1, R1
	CBNZ    R1, group

	VST1 [V0.S4, V1.S4, V2.S4, V3.S4], (R3)
	RET

// func products4NEON(codes *byte, groups int, queries *int8, sums *[4][BlockRows]int32)
TEXT ·products4NEON(SB), NOSPLIT, $0-32
	MOVD  codes+0(FP), R0
	MOVD  groups+8(FP), R1
	MOVD  queries+16(FP), R2
	MOVD  sums+24(FP), R3
	VMOVI $15, V31.B16
	CLEAR(V0, V1, V2, V3)
	CLEAR(V4, V5, V6, V7)
	CLEAR(V8, V9, V10, V11)
	CLEAR(V12, V13, V14, V15)

group:
	UNPACK
	FMOVQ (R2), F28
	FMOVQ 64(R2), F29 // 16 queries have 4 numbers each before
	ADD   $128, R2
	QUERY(0, 0)
	QUERY(1, 4)
	QUERY(2, 8)
	QUERY(3, 12)
	SUB   $1, R1
	CBNZ  R1, group

	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R3)
	VST1.P [V4.S4, V5.S4, V6.S4, V7.S4], 64(R3)
	VST1.P [V8.S4, V9.S4, V10.S4, V11.S4], 64(R3)
	VST1.P [V12.S4, V13.S4, V14.S4, V15.S4], 64(R3)
	RET
