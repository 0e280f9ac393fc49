/*
 * classic.h - translates classic BPF, the programs that libpcap makes of expressions, to IR.
 *
 * A classic program reads a packet, and returns 0 if it rejects the packet. It has a 32-bit
 * accumulator, a 32-bit index and 16 words of memory; all jumps go forward. Source of the
 * instruction set: S. McCanne and V. Jacobson, "The BSD Packet Filter", 1993, and bpf_filter() of
 * libpcap, whose results the translation reproduces.
 */
#ifndef IR_CLASSIC_H
#define IR_CLASSIC_H

#include <stddef.h>
#include <stdint.h>

#include "ir/ir.h"

/* An instruction, with the layout of libpcap's struct bpf_insn. */
struct classic_insn {
	uint16_t code;
	/* number of instructions to skip if a condition is true, and if it is false */
	uint8_t jt, jf;
	uint32_t k;
};

struct classic_program {
	const struct classic_insn *insn;
	uint32_t ninsn;
};

/* The result of classic_check(). */
enum classic_verdict {
	CLASSIC_GOOD,
	CLASSIC_LOOP, /* the program has a jump backward */
	/* the program loads data of the socket buffer that is not part of the packet */
	CLASSIC_EXTENSION,
	/*
	 * the program has an unknown instruction, a division by the number 0, a jump beyond its
	 * end, or no end
	 */
	CLASSIC_BAD,
};

/* Checks @p, which need not be valid. classic_gen() accepts only programs that passed. */
enum classic_verdict classic_check(const struct classic_program *p);

/*
 * Describes the packet in the function that is being built. All members but @far and @ctx are
 * registers with numbers. The first @linear bytes are in one piece at address @at; @linear may be
 * negative. @len is the number of bytes that may be loaded, and @wire is the length of the packet
 * that the program sees.
 */
struct classic_packet {
	int at, linear, len, wire;
	/*
	 * Generates code that copies @n bytes (a register; 1 to @max) at offset @off (a register)
	 * of the packet to frame offset @slot. The code jumps to @lost if the bytes cannot be read.
	 * The packet has these bytes, but they may be outside of the linear part. If this member is
	 * NULL, all bytes are in the linear part.
	 */
	void (*far)(void *ctx, struct irb *b, int32_t slot, int off, int n, uint32_t max, int lost);
	void *ctx;
};

/*
 * Generates program @p as the rest of the current function. The function returns 1 if the packet
 * passes, and 0 if it does not. A packet is rejected if a load goes beyond its end, or if a byte
 * cannot be read. percpu.unreadable counts the packets with bytes that cannot be read.
 */
void classic_gen(struct irb *b, const struct classic_program *p, const struct classic_packet *from);

#endif
