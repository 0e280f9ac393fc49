/*
 * fuzz_vm.c - runs any bytes as instructions. The virtual machine must refuse the program, or run
 * it to its end or to a trap. No program may access memory that does not belong to it.
 *
 * The first byte of the input chooses whether the other bytes are used as they are, or changed to
 * instructions that can be decoded. Changed programs run much further. This is a target for
 * libFuzzer. With -DFUZZ_STANDALONE it is a program that takes files as arguments, or "-n COUNT
 * [SEED]" for random input.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "engine/vm/vm.h"
#include "engine/vm/helpers.h"
#include "engine/vm/internal.h"
#include "engine/vm/isa.h"

enum { MAX_INSNS = 400, MAX_ROW = 16, MAX_STEPS = 5000, SHAPED = 1 };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct map_def maps[] = {
	{.kind = MAP_GLOBAL, .name = "globals", .value_size = 64},
	{.kind = MAP_PERCPU, .name = "percpu", .value_size = 64},
	{.kind = MAP_RING, .name = "ring", .max_entries = 4096},
	{.kind = MAP_HASH, .name = "hash", .key_size = 4, .value_size = 8, .max_entries = 64},
	{.kind = MAP_PERCPU_HASH,
	 .name = "agg",
	 .key_size = 24,
	 .value_size = 20,
	 .max_entries = 8},
};

static struct kfunc kfuncs[] = {
	{"bpf_rdonly_cast", 0},
	{"bpf_cast_to_kern_ctx", 0},
	{"bpf_dynptr_from_skb", 0},
	{"bpf_dynptr_slice", 0},
};

static const uint8_t helpers[] = {1,   2,   3,   4,   5,   7,   8,   112, 113,
				  114, 115, 130, 131, 132, 133, 158, 182, 208};

#define CALL_CODE (CL_JMP | JMP_CALL << 4)

/* The opcodes that programs may have. Opcodes that should be frequent are listed several times. */
static const uint8_t codes[] = {
	0x07, 0x0f, 0x17, 0x1f, 0x27, 0x2f, 0x37, 0x3f, 0x47, 0x4f, 0x57, 0x5f, 0x67, 0x6f, 0x77,
	0x7f, 0x87, 0x97, 0x9f, 0xa7, 0xaf, 0xb7, 0xbf, 0xc7, 0xcf, 0xd7, 0xdc, 0xd4, 0x04, 0x0c,
	0x34, 0x3c, 0x9c, 0xb4, 0xbc, 0xcc, 0xb7, 0xbf, 0xb7, 0xbf, 0xbf, 0x07, 0x07, 0x18, 0x18,
	0x18, 0x18, 0x61, 0x69, 0x71, 0x79, 0x81, 0x89, 0x91, 0x62, 0x6a, 0x72, 0x7a, 0x7a, 0x63,
	0x6b, 0x73, 0x7b, 0x7b, 0xc3, 0xdb, 0x05, 0x06, 0x15, 0x1d, 0x25, 0x2d, 0x35, 0x3d, 0x45,
	0x4d, 0x55, 0x5d, 0x65, 0x6d, 0xa5, 0xad, 0xb5, 0xbd, 0xc5, 0xcd, 0xd5, 0xdd, 0x16, 0x1e,
	0x56, 0x5e, 0x85, 0x85, 0x85, 0x85, 0x85, 0x85, 0x95,
};

static struct insn mov(unsigned dst, unsigned src)
{
	return (struct insn){.code = 0xbf, .dst = dst & 15, .src = src & 15};
}

static struct insn movk(unsigned dst, int32_t imm)
{
	return (struct insn){.code = 0xb7, .dst = dst & 15, .imm = imm};
}

/*
 * Writes instructions that put into register @reg an argument which roughly suits the helper.
 * Returns the number of instructions.
 */
static uint32_t shaped_arg(struct insn *out, unsigned reg, enum vm_arg kind, uint8_t d)
{
	switch (kind) {
	case ARG_MAP:
	case ARG_RING:
		out[0] = (struct insn){.code = LD_IMM64,
				       .dst = reg & 15,
				       .src = INSN_MAP,
				       .imm = kind == ARG_RING ? 2 : d % (int)COUNT(maps)};
		out[1] = (struct insn){0};
		return 2;
	case ARG_NONE:
	case ARG_ANY:
		out[0] = d & 0x80 ? mov(reg, 10) : movk(reg, d & 0x40 ? 1 << (d % 23) : d % 4);
		return 1;
	case ARG_SIZE:
		out[0] = movk(reg, d % 32);
		return 1;
	case ARG_RECORD:
		out[0] = mov(reg, 7);
		return 1;
	case ARG_CTX:
		out[0] = mov(reg, 6);
		return 1;
	case ARG_KEY:
	case ARG_VALUE:
	case ARG_MEM:
	case ARG_OUT:
	case ARG_OUT_OPT:
	case ARG_STR:
	case ARG_DYNPTR:
	case ARG_DYNPTR_OUT:
		break;
	}
	out[0] = mov(reg, d % 16 ? 10 : 8);
	out[1] = (struct insn){.code = 0x07, .dst = reg & 15, .imm = -8 * (1 + d % 10)};
	return 2;
}

/*
 * Writes instructions that set the arguments of a helper and call it. r7 keeps the last reserved
 * record, and r8 the result of the last look-up.
 */
static uint32_t shaped_call(struct insn *out, const uint8_t *d)
{
	bool kfunc = d[1] % 8 == 1;
	int32_t imm = kfunc ? d[2] % (int)COUNT(kfuncs) : helpers[d[2] % COUNT(helpers)];
	int row = kfunc ? vm_helper_by_name(kfuncs[imm].name) : vm_helper_by_id((uint32_t)imm);
	uint32_t n = 0;

	if (d[1] % 8 == 0) {
		out[0] = (struct insn){.code = CALL_CODE,
				       .src = INSN_LOCAL,
				       .imm = (int8_t)d[2] % 16};
		return 1;
	}
	for (unsigned i = 0; i < 5 && vm_helpers[row].arg[i] != ARG_NONE; i++)
		n += shaped_arg(out + n, i + 1, vm_helpers[row].arg[i], d[3 + i % 5]);
	out[n++] = (struct insn){.code = CALL_CODE, .src = kfunc ? INSN_KFUNC : 0, .imm = imm};
	if (imm == 131)
		out[n++] = mov(7, 0);
	if (imm == 1)
		out[n++] = mov(8, 0);
	return n;
}

static struct insn shaped_mem(struct insn in, const uint8_t *d)
{
	static const int32_t atomics[] = {0x00, 0x01, 0x40, 0x41, 0x50,
					  0x51, 0xa0, 0xa1, 0xe1, 0xf1};

	/*
	 * Half of the loads and stores access the stack, and most of these stay within its bounds.
	 */
	if (d[1] & 1) {
		if (isa_class(in.code) == CL_LDX)
			in.src = 10;
		else
			in.dst = 10;
		in.off = (int16_t)(-8 * (d[2] % 10));
	}
	if (isa_class(in.code) != CL_ST)
		in.imm = isa_mode(in.code) == MODE_ATOMIC ? atomics[d[3] % COUNT(atomics)] : 0;
	else
		in.src = 0;
	return in;
}

static struct insn shaped_alu(struct insn in, const uint8_t *d)
{
	static const uint8_t sizes[] = {16, 32, 64};

	in.off = 0;
	if (isa_op(in.code) == ALU_END)
		in.imm = sizes[d[3] % 3], in.src = 0;
	else if (isa_op(in.code) == ALU_NEG)
		in.imm = 0, in.src = 0;
	else if (in.code & SRC_X)
		in.imm = 0;
	else
		in.src = 0;
	if (in.code == 0x07)
		in.imm = -8 * (d[3] % 10);
	return in;
}

static struct insn shaped(const uint8_t *d)
{
	struct insn in = {.code = codes[d[0] % COUNT(codes)],
			  .dst = d[4] % 10,
			  .src = d[5] % 11,
			  .off = d[2] < 0xf0 ? d[2] % 16 : (int8_t)d[2],
			  .imm = (int8_t)d[3] % 64};

	switch ((enum vm_class)isa_class(in.code)) {
	case CL_LD:
		return in;
	case CL_LDX:
	case CL_ST:
	case CL_STX:
		return shaped_mem(in, d);
	case CL_ALU:
	case CL_ALU64:
		return shaped_alu(in, d);
	case CL_JMP:
	case CL_JMP32:
		if (isa_op(in.code) <= JMP_JA || isa_op(in.code) == JMP_EXIT)
			in.dst = in.src = 0, in.imm = 0;
		else if (in.code & SRC_X)
			in.imm = 0;
		else
			in.src = 0;
		if (in.code == (CL_JMP32 | JMP_JA << 4))
			in.imm = in.off, in.off = 0;
		else if (isa_op(in.code) == JMP_EXIT)
			in.off = 0;
		return in;
	}
	return in;
}

/*
 * Makes the two instructions that load a map, the address of its value, or a number into a
 * register.
 */
static void shaped_imm64(struct insn *in, const uint8_t *d)
{
	in[0].src = d[1] % 3;
	in[0].off = 0;
	in[0].imm = in[0].src == INSN_MAP ? d[2] % (int)COUNT(maps) : in[0].src ? 0 : in[0].imm;
	in[1] = (struct insn){.imm = in[0].src == INSN_MAP_VALUE ? d[3] % 64 : 0};
}

/* Writes instructions that fill the registers and the stack. r6 gets the context. */
static uint32_t prologue(struct insn *out)
{
	uint32_t n = 0;

	out[n++] = mov(6, 1);
	for (unsigned i = 0; i < 10; i++)
		if (i != 1 && i != 6)
			out[n++] = movk(i, (int32_t)i);
	for (int i = 1; i <= 10; i++)
		out[n++] =
			(struct insn){.code = 0x7a, .dst = 10, .off = (int16_t)(-8 * i), .imm = 1};
	return n;
}

static uint32_t make_insns(struct insn *insn, const uint8_t *data, size_t size)
{
	uint32_t n = prologue(insn);

	for (size_t i = 0; i + 8 <= size && n + MAX_ROW < MAX_INSNS; i += 8) {
		insn[n] = shaped(data + i);
		if (insn[n].code == CALL_CODE) {
			n += shaped_call(insn + n, data + i);
			continue;
		}
		if (insn[n].code == LD_IMM64)
			shaped_imm64(&insn[n++], data + i);
		n++;
	}
	insn[n++] = movk(0, 0);
	insn[n++] = (struct insn){.code = 0x95};
	return n;
}

static bool trapped;
static struct vm *kept; /* the machine of the last run */
static unsigned long compared;

static void ignore_trap(void *ctx, const char *why)
{
	(void)ctx, (void)why;
	trapped = true;
}

static void take_record(void *ctx, const struct record *rec, size_t size)
{
	const unsigned char *p = (const unsigned char *)rec;
	unsigned *sum = ctx;

	for (size_t i = 0; i < size; i++)
		*sum += p[i];
}

static bool take_key(void *ctx, const void *key, const void *value)
{
	unsigned *sum = ctx;

	*sum += *(const unsigned char *)key + *(const unsigned char *)value;
	return *sum & 1;
}

/* The results of a run. They can be compared with the results of another run. */
struct outcome {
	uint64_t ret;
	unsigned sum;
};

/*
 * Runs the program twice on one machine, which stays in `kept`. Stores in *@o the result of the
 * second run, and a sum over the records and the maps. Returns false if the machine refuses the
 * program, or is not available.
 */
static bool run_mode(enum vm_mode mode, const struct insn *insn, uint32_t n, struct outcome *o)
{
	struct unit u = {.hook = HOOK_RUN,
			 .target = "fuzz",
			 .insn = (struct insn *)insn,
			 .ninsn = n};
	struct program p = {.unit = &u,
			    .nunit = 1,
			    .map = maps,
			    .nmap = COUNT(maps),
			    .kfunc = kfuncs,
			    .nkfunc = COUNT(kfuncs)};
	char region[32] = "some memory that can be read";
	struct record_sink k = {.record = take_record, .ctx = &o->sum};
	uint64_t ctx[3] = {(uint64_t)(uintptr_t)region, 2, 3};
	struct diag d = {0};
	struct vm *vm = vm_new(&p, mode, &d);

	diag_release(&d);
	if (!vm)
		return false;
	vm_set_trap(vm, ignore_trap, NULL);
	vm_set_max_steps(vm, MAX_STEPS);
	vm_env(vm)->task = region;
	vm_region(vm, 0, region, sizeof(region));
	*o = (struct outcome){0};
	for (int i = 0; i < 2; i++)
		o->ret = vm_run(vm, 0, ctx, 3, &k);
	for (uint32_t i = 0; i < COUNT(maps); i++)
		vm_map_each(vm, i, take_key, &o->sum);
	kept = vm;
	return true;
}

static bool same(const struct outcome *a, const struct outcome *b)
{
	return a->ret == b->ret && a->sum == b->sum;
}

/*
 * Returns whether the program reserves records. A reserved record keeps old memory content, which
 * only the checked machine overwrites.
 */
static bool reserves(const struct insn *insn, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (insn[i].code == CALL_CODE && !insn[i].src && insn[i].imm == 131)
			return true;
	return false;
}

/*
 * A program that the checked machine runs to its end must run on the other machines, too. Runs it
 * in the interpreter twice, with maps at different addresses. If both results are equal, the result
 * does not depend on addresses, and native code must give the same result.
 */
static void run_units(const struct insn *insn, uint32_t n)
{
	struct outcome checked, one, two, native;
	struct vm *first;

	trapped = false;
	if (!run_mode(VM_CHECKED, insn, n, &checked))
		return;
	vm_free(kept);
	if (trapped || reserves(insn, n))
		return;
	run_mode(VM_INTERPRETED, insn, n, &one);
	first = kept;
	run_mode(VM_INTERPRETED, insn, n, &two);
	vm_free(kept);
	run_mode(VM_NATIVE, insn, n, &native);
	vm_free(kept);
	vm_free(first);
	compared++;
	if (same(&one, &two) && !same(&one, &native)) {
		fprintf(stderr, "interpreted: %llx, %u; native: %llx, %u\n",
			(unsigned long long)one.ret, one.sum, (unsigned long long)native.ret,
			native.sum);
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct insn insn[MAX_INSNS + 2];
	uint32_t n;

	if (!size)
		return 0;
	if (data[0] & SHAPED) {
		n = make_insns(insn, data + 1, size - 1);
	} else {
		n = (uint32_t)((size - 1) / sizeof(*insn));
		if (n > MAX_INSNS)
			n = MAX_INSNS;
		memcpy(insn, data + 1, n * sizeof(*insn));
	}
	run_units(insn, n);
	return 0;
}

#ifdef FUZZ_STANDALONE
static void random_inputs(long count, unsigned seed)
{
	uint8_t buf[1 + 8 * 48];

	srand(seed);
	for (long i = 0; i < count; i++) {
		size_t size = 1 + 8 * (size_t)(rand() % 48);

		for (size_t j = 0; j < size; j++)
			buf[j] = (uint8_t)(rand() >> 8);
		LLVMFuzzerTestOneInput(buf, size);
	}
}

static int one_file(const char *name)
{
	static uint8_t buf[1 << 16];
	FILE *f = fopen(name, "rb");

	if (!f) {
		perror(name);
		return 1;
	}
	LLVMFuzzerTestOneInput(buf, fread(buf, 1, sizeof(buf), f));
	fclose(f);
	return 0;
}

int main(int argc, char **argv)
{
	int err = 0;

	if (argc > 2 && !strcmp(argv[1], "-n")) {
		random_inputs(atol(argv[2]), argc > 3 ? (unsigned)atoi(argv[3]) : 1);
		printf("%lu programs compared\n", compared);
		return 0;
	}
	for (int i = 1; i < argc; i++)
		err |= one_file(argv[i]);
	return err;
}
#endif
