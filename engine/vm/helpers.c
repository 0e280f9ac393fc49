/*
 * helpers.c - the kernel helpers and kfuncs that programs in the virtual machine may call. Each has
 * a row in the table vm_helpers[].
 *
 * The function of a helper gets the registers, and r[1]-r[5] are its arguments. In a checked
 * machine, check.c has tested that the arguments have the kinds in the row.
 */
#include "engine/vm/helpers.h"

#include <errno.h>
#include <string.h>

#include "engine/vm/internal.h"
#include "engine/vm/ops.h"

static uint64_t error(int err)
{
	return (uint64_t)(int64_t)err;
}

/* -------------------------------------------------------------------- maps */

static uint64_t map_update_elem(struct vm_exec *ex, const uint64_t *r)
{
	(void)ex;
	return error(vm_map_update(vm_ptr(r[1]), vm_ptr(r[2]), vm_ptr(r[3]), r[4]));
}

static uint64_t map_delete_elem(struct vm_exec *ex, const uint64_t *r)
{
	(void)ex;
	return error(vm_map_delete(vm_ptr(r[1]), vm_ptr(r[2])));
}

/* ------------------------------------------------------------------ numbers */

/* Returns a pseudo-random number (xorshift). Every replay gets the same numbers. */
static uint64_t get_prandom_u32(struct vm_exec *ex, const uint64_t *r)
{
	uint32_t x = ex->vm->random;

	(void)r;
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return ex->vm->random = x;
}

/* -------------------------------------------------------------------- memory */

static bool in_stack(const struct vm_exec *ex, uint64_t addr, size_t len)
{
	uint64_t off = addr - vm_addr(ex->stack);

	return off < VM_STACK && len <= VM_STACK - off;
}

static bool readable(const struct vm_exec *ex, uint64_t addr, size_t len)
{
	return vm_in_region(ex->vm, addr, len) || in_stack(ex, addr, len) ||
	       vm_in_map(ex->vm, addr, len) || vm_in_record(ex->vm, addr, len);
}

static uint64_t probe_read(struct vm_exec *ex, const uint64_t *r)
{
	size_t size = (uint32_t)r[2];

	if (!size)
		return 0;
	if (!readable(ex, r[3], size)) {
		memset(vm_ptr(r[1]), 0, size);
		return error(-EFAULT);
	}
	memmove(vm_ptr(r[1]), vm_ptr(r[3]), size);
	return 0;
}

/* Returns how many of the @size bytes at @addr are readable. */
static size_t readable_len(const struct vm_exec *ex, uint64_t addr, size_t size)
{
	size_t lo = 0, hi = size;

	if (readable(ex, addr, size))
		return size;
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (readable(ex, addr, mid))
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/*
 * As in the kernel, returns the length of the string including the NUL. A truncated string also
 * ends in a NUL.
 */
static uint64_t probe_read_str(struct vm_exec *ex, const uint64_t *r)
{
	size_t size = (uint32_t)r[2], len, n;
	char *dst = vm_ptr(r[1]);

	if (!size)
		return 0;
	len = readable_len(ex, r[3], size);
	n = len ? strnlen(vm_ptr(r[3]), len) : 0;
	if (n == len && len < size) {
		memset(dst, 0, size);
		return error(-EFAULT);
	}
	if (n == size)
		n--;
	memmove(dst, vm_ptr(r[3]), n);
	dst[n] = '\0';
	return n + 1;
}

/* Fails, because a capture has no user memory. */
static uint64_t probe_read_user(struct vm_exec *ex, const uint64_t *r)
{
	(void)ex;
	if ((uint32_t)r[2])
		memset(vm_ptr(r[1]), 0, (uint32_t)r[2]);
	return error(-EFAULT);
}

static uint64_t strncmp_(struct vm_exec *ex, const uint64_t *r)
{
	(void)ex;
	if (!(uint32_t)r[2])
		return 0;
	return error(strncmp(vm_ptr(r[1]), vm_ptr(r[3]), (uint32_t)r[2]));
}

/* ------------------------------------------------------------------- records */

static bool room(struct vm *vm, const struct vm_map *ring, uint64_t size)
{
	if (vm->fail_reserve) {
		vm->fail_reserve--;
		return false;
	}
	return size && size <= ring->ring_max;
}

static uint64_t ringbuf_reserve(struct vm_exec *ex, const uint64_t *r)
{
	if (!room(ex->vm, vm_ptr(r[1]), r[2]))
		return 0;
	return vm_addr(vm_rec_reserve(ex, r[2])->data);
}

static uint64_t ringbuf_submit(struct vm_exec *ex, const uint64_t *r)
{
	vm_rec_finish(ex, vm_rec_of(r[1]), VM_REC_SUBMITTED);
	return 0;
}

static uint64_t ringbuf_discard(struct vm_exec *ex, const uint64_t *r)
{
	vm_rec_finish(ex, vm_rec_of(r[1]), VM_REC_DISCARDED);
	return 0;
}

static uint64_t ringbuf_output(struct vm_exec *ex, const uint64_t *r)
{
	struct vm_rec *rec;

	if (!room(ex->vm, vm_ptr(r[1]), r[3]))
		return error(-EAGAIN);
	rec = vm_rec_reserve(ex, r[3]);
	memcpy(rec->data, vm_ptr(r[2]), r[3]);
	vm_rec_finish(ex, rec, VM_REC_SUBMITTED);
	return 0;
}

/* -------------------------------------------------------------------- kfuncs */

/*
 * Implements bpf_dynptr_from_skb() and bpf_dynptr_slice(). A packet has only its captured bytes,
 * which programs read directly. So the first returns 0 (success), and the second returns NULL.
 */
static uint64_t return_zero(struct vm_exec *ex, const uint64_t *r)
{
	(void)ex, (void)r;
	return 0;
}

#define ARGS(...) {__VA_ARGS__}
#define READ_ARGS ARGS(ARG_OUT, ARG_SIZE, ARG_ANY)

const struct vm_helper vm_helpers[] = {
	{1, "map_lookup_elem", NULL, ARGS(ARG_MAP, ARG_KEY), true, OP_CALL_LOOKUP},
	{2, "map_update_elem", map_update_elem, ARGS(ARG_MAP, ARG_KEY, ARG_VALUE, ARG_ANY), false,
	 OP_CALL},
	{3, "map_delete_elem", map_delete_elem, ARGS(ARG_MAP, ARG_KEY), false, OP_CALL},
	{4, "probe_read", probe_read, READ_ARGS, false, OP_CALL},
	{5, "ktime_get_ns", NULL, ARGS(ARG_NONE), false, OP_CALL_TIME},
	{7, "get_prandom_u32", get_prandom_u32, ARGS(ARG_NONE), false, OP_CALL},
	{8, "get_smp_processor_id", NULL, ARGS(ARG_NONE), false, OP_CALL_CPU},
	{112, "probe_read_user", probe_read_user, READ_ARGS, false, OP_CALL},
	{113, "probe_read_kernel", probe_read, READ_ARGS, false, OP_CALL},
	{114, "probe_read_user_str", probe_read_user, READ_ARGS, false, OP_CALL},
	{115, "probe_read_kernel_str", probe_read_str, READ_ARGS, false, OP_CALL},
	{130, "ringbuf_output", ringbuf_output, ARGS(ARG_RING, ARG_MEM, ARG_SIZE, ARG_ANY), false,
	 OP_CALL},
	{131, "ringbuf_reserve", ringbuf_reserve, ARGS(ARG_RING, ARG_ANY, ARG_ANY), true, OP_CALL},
	{132, "ringbuf_submit", ringbuf_submit, ARGS(ARG_RECORD, ARG_ANY), false, OP_CALL},
	{133, "ringbuf_discard", ringbuf_discard, ARGS(ARG_RECORD, ARG_ANY), false, OP_CALL},
	{158, "get_current_task_btf", NULL, ARGS(ARG_NONE), false, OP_CALL_TASK},
	{182, "strncmp", strncmp_, ARGS(ARG_MEM, ARG_SIZE, ARG_STR), false, OP_CALL},
	{208, "ktime_get_tai_ns", NULL, ARGS(ARG_NONE), false, OP_CALL_TIME},
	{65536, "agg_add", NULL, ARGS(ARG_MAP, ARG_KEY, ARG_ANY, ARG_ANY, ARG_ANY), false,
	 OP_CALL_ADD},
	{0, "bpf_rdonly_cast", NULL, ARGS(ARG_ANY, ARG_ANY), false, OP_CALL_CAST},
	{0, "bpf_cast_to_kern_ctx", NULL, ARGS(ARG_CTX), false, OP_CALL_CTX},
	{0, "bpf_dynptr_from_skb", return_zero, ARGS(ARG_ANY, ARG_ANY, ARG_DYNPTR_OUT), false,
	 OP_CALL},
	{0, "bpf_dynptr_slice", return_zero, ARGS(ARG_DYNPTR, ARG_ANY, ARG_OUT_OPT, ARG_SIZE), true,
	 OP_CALL},
};

#define NHELPERS (sizeof(vm_helpers) / sizeof(vm_helpers[0]))

int vm_helper_by_id(uint32_t id)
{
	for (size_t i = 0; i < NHELPERS; i++)
		if (vm_helpers[i].id == id && id)
			return (int)i;
	return -1;
}

int vm_helper_by_name(const char *name)
{
	for (size_t i = 0; i < NHELPERS; i++)
		if (!vm_helpers[i].id && !strcmp(vm_helpers[i].name, name))
			return (int)i;
	return -1;
}
