/*
 * fake_machine.h - macros that write eBPF instructions, and functions that make and run a virtual
 * machine with one unit, for unit tests of the virtual machine.
 */
#ifndef TESTS_UNIT_FAKE_MACHINE_H
#define TESTS_UNIT_FAKE_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/vm/isa.h"
#include "engine/vm/vm.h"
#include "ir/program.h"

/* ------------------------------------------------------------- assembler */

#define I(c, d, s, o, i) \
	((struct insn){.code = (uint8_t)(c), \
		       .dst = (d), \
		       .src = (s), \
		       .off = (int16_t)(o), \
		       .imm = (int32_t)(i)})

enum { ADD, SUB, MUL, DIV, OR, AND, LSH, RSH, NEG, MOD, XOR, MOV, ARSH, END };
enum { JA, JEQ, JGT, JGE, JSET, JNE, JSGT, JSGE, CALLOP, EXITOP, JLT, JLE, JSLT, JSLE };
enum { W = 0x00, H = 0x08, B = 0x10, DW = 0x18 };

#define ALU64K(op, d, imm) I(CL_ALU64 | (op) << 4, d, 0, 0, imm)
#define ALU64X(op, d, s) I(CL_ALU64 | (op) << 4 | SRC_X, d, s, 0, 0)
#define ALU32K(op, d, imm) I(CL_ALU | (op) << 4, d, 0, 0, imm)
#define ALU32X(op, d, s) I(CL_ALU | (op) << 4 | SRC_X, d, s, 0, 0)
#define MOVK(d, imm) ALU64K(MOV, d, imm)
#define MOVX(d, s) ALU64X(MOV, d, s)
#define JMPK(op, d, imm, off) I(CL_JMP | (op) << 4, d, 0, off, imm)
#define JMPX(op, d, s, off) I(CL_JMP | (op) << 4 | SRC_X, d, s, off, 0)
#define JMP32K(op, d, imm, off) I(CL_JMP32 | (op) << 4, d, 0, off, imm)
#define JMP32X(op, d, s, off) I(CL_JMP32 | (op) << 4 | SRC_X, d, s, off, 0)
#define GOTO(off) I(CL_JMP | JA << 4, 0, 0, off, 0)
#define GOTOL(imm) I(CL_JMP32 | JA << 4, 0, 0, 0, imm)
#define LDX(sz, d, s, off) I(CL_LDX | MODE_MEM | (sz), d, s, off, 0)
#define LDSX(sz, d, s, off) I(CL_LDX | MODE_MEMSX | (sz), d, s, off, 0)
#define ST(sz, d, off, imm) I(CL_ST | MODE_MEM | (sz), d, 0, off, imm)
#define STX(sz, d, off, s) I(CL_STX | MODE_MEM | (sz), d, s, off, 0)
#define ATOMIC(sz, op, d, off, s) I(CL_STX | MODE_ATOMIC | (sz), d, s, off, op)
#define IMM64(d, v) I(LD_IMM64, d, 0, 0, (uint32_t)(v)), I(0, 0, 0, 0, (uint64_t)(v) >> 32)
#define MAP(d, map) I(LD_IMM64, d, INSN_MAP, 0, map), I(0, 0, 0, 0, 0)
#define MAP_VALUE(d, map, off) I(LD_IMM64, d, INSN_MAP_VALUE, 0, map), I(0, 0, 0, 0, off)
#define CALL(n) I(CL_JMP | CALLOP << 4, 0, 0, 0, n)
#define LOCAL(rel) I(CL_JMP | CALLOP << 4, 0, INSN_LOCAL, 0, rel)
#define KFUNC(n) I(CL_JMP | CALLOP << 4, 0, INSN_KFUNC, 0, n)
#define EXIT I(CL_JMP | EXITOP << 4, 0, 0, 0, 0)
/* Sets register @d to the address at offset @off of the frame: r10 + off. */
#define FRAME(d, off) MOVX(d, 10), ALU64K(ADD, d, off)

enum { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, FP };

/* ------------------------------------------------------------ one machine */

/* The machine's maps. The hash maps differ in the size of their keys. */
enum { GLOBAL, PERCPU, RING, HASH, SMALL, HASH24 };

extern struct map_def machine_maps[6];

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/*
 * try_new() and make() return a machine with one unit (eBPF program) of @n instructions. The caller
 * frees the machine with vm_free(). If the machine refuses the instructions, try_new() returns NULL
 * and sets the message in @d, and make() fails the test.
 */
struct vm *try_new(const struct insn *insn, size_t n, enum vm_mode mode, struct diag *d);
struct vm *make(const struct insn *insn, size_t n, enum vm_mode mode);

#define MAKE(mode, ...) \
	make((struct insn[]){__VA_ARGS__}, COUNT(((struct insn[]){__VA_ARGS__})), mode)

/* Runs the unit with the arguments 11, 22 and 33. Returns its R0. */
uint64_t run_once(struct vm *vm, struct record_sink *k);

/*
 * The machine calls note_trap() when it stops a program; note_trap() stores the reason in trapped.
 */
extern char trapped[256];
void note_trap(void *ctx, const char *why);

/* Runs the instructions in all modes, and checks that they return @want in r0. */
void check_insns(uint64_t want, const struct insn *insn, size_t n);

#define CHECK(want, ...) \
	check_insns((uint64_t)(want), (struct insn[]){__VA_ARGS__}, \
		    COUNT(((struct insn[]){__VA_ARGS__})))

#endif
