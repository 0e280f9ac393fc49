/*
 * isa.h - constants and functions to decode the code byte of an eBPF instruction. Source: RFC 9669.
 *
 *	 7        4  3   2     0        7     5 4  3 2     0
 *	+----------+---+-------+       +-------+----+-------+
 *	| operation| X | class |       | mode  |size| class |
 *	+----------+---+-------+       +-------+----+-------+
 *	  arithmetic and jumps           loads and stores
 */
#ifndef ENGINE_VM_ISA_H
#define ENGINE_VM_ISA_H

enum vm_class { CL_LD, CL_LDX, CL_ST, CL_STX, CL_ALU, CL_JMP, CL_JMP32, CL_ALU64 };

/* the second operand is a register; for ALU_END, the conversion is to big endian */
enum { SRC_X = 0x08 };

enum { MODE_IMM = 0x00, MODE_MEM = 0x60, MODE_MEMSX = 0x80, MODE_ATOMIC = 0xc0 };

enum {
	ALU_DIV = 3,
	ALU_LSH = 6,
	ALU_RSH = 7,
	ALU_NEG = 8,
	ALU_MOD = 9,
	ALU_MOV = 11,
	ALU_ARSH = 12,
	ALU_END = 13,
	ALU_ADD = 0
};

enum { JMP_JA = 0, JMP_CALL = 8, JMP_EXIT = 9, JMP_LT = 10, JMP_SLE = 13 };

/* Values of imm in an atomic instruction. */
enum {
	ATOMIC_ADD = 0x00,
	ATOMIC_OR = 0x40,
	ATOMIC_AND = 0x50,
	ATOMIC_XOR = 0xa0,
	ATOMIC_FETCH = 0x01,
	ATOMIC_XCHG = 0xe1,
	ATOMIC_CMPXCHG = 0xf1
};

#define LD_IMM64 0x18

static inline unsigned isa_class(unsigned code)
{
	return code & 7;
}

/* Returns the operation of an arithmetic or jump instruction. */
static inline unsigned isa_op(unsigned code)
{
	return code >> 4;
}

static inline unsigned isa_mode(unsigned code)
{
	return code & 0xe0;
}

/* Returns the number of bytes that a load or store moves. */
static inline unsigned isa_bytes(unsigned code)
{
	static const unsigned char bytes[] = {4, 2, 1, 8};

	return bytes[code >> 3 & 3];
}

#endif
