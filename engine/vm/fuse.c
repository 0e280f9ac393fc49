/* fuse.c - finds the sequences of instructions that have a fused operation. */
#include "engine/vm/fuse.h"

#include "engine/vm/internal.h"

/* enum vm_fused of two opcodes, or 0 if there is no fused operation for the pair */
static const uint16_t pairs[OP_MAX][OP_MAX] = {
#define PAIR(a, b) [OP_##a][OP_##b] = FUSE_##a##_##b,
	VM_PAIRS(PAIR)
#undef PAIR
};

static bool is_frame_lookup(const struct vm_op *op, const uint8_t *opcode, uint32_t left)
{
	return left >= 5 && opcode[0] == OP_IMM64 && op[0].dst == 1 && opcode[2] == OP_MOV64X &&
	       op[2].dst == 2 && op[2].src == 10 && opcode[3] == OP_ADD64K && op[3].dst == 2 &&
	       opcode[4] == OP_CALL_LOOKUP;
}

static bool is_global_load(const struct vm_op *op, const uint8_t *opcode, uint32_t left)
{
	return left >= 3 && opcode[0] == OP_IMM64 && opcode[2] == OP_LDXW && op[2].src == op[0].dst;
}

static unsigned sequence_at(const struct vm_op *op, const uint8_t *opcode, uint32_t left)
{
	if (is_frame_lookup(op, opcode, left))
		return FUSE_LOOKUP_FRAME;
	if (is_global_load(op, opcode, left))
		return FUSE_LOAD_GLOBAL;
	return left >= 2 ? pairs[opcode[0]][opcode[1]] : 0;
}

/*
 * A sequence may begin inside another one. It runs if the program jumps there. So the loop looks at
 * each instruction, even inside a sequence that it has just found.
 */
void vm_fuse(struct vm_code *c, const uint8_t *opcode, const bool *second, const void *const *label)
{
	for (uint32_t i = 0; VM_FUSE && i < c->n; i++) {
		unsigned fused = second[i] ? 0 : sequence_at(&c->op[i], &opcode[i], c->n - i);

		if (fused)
			c->op[i].label = label[fused];
	}
}
