/*
 * ring.c - reads records from a BPF ring buffer. Source: kernel/bpf/ringbuf.c of Linux.
 *
 *   page 0          page 1          page 2 ...
 *   +---------------+---------------+-----------------+-----------------+
 *   | consumer pos  | producer pos  | data            | the same data   |
 *   +---------------+---------------+-----------------+-----------------+
 *   read-write      read-only
 *
 * A record consists of a u32 length with two flag bits, a u32 that only the kernel uses, the data,
 * and padding to a multiple of 8 bytes. Positions only grow; the offset of a record in the data is
 * position & (size - 1).
 */
#include "engine/kernel/ring.h"

#include <errno.h>
#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/source.h"

int kring_open(struct kring *r, int fd, size_t size)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *cons, *prod;

	*r = (struct kring){.size = size};
	cons = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (cons == MAP_FAILED)
		return -errno;
	prod = mmap(NULL, page + 2 * size, PROT_READ, MAP_SHARED, fd, page);
	if (prod == MAP_FAILED) {
		int err = -errno;

		munmap(cons, page);
		return err;
	}
	r->cons = cons;
	r->prod = prod;
	r->data = (const unsigned char *)prod + page;
	return 0;
}

void kring_close(struct kring *r)
{
	size_t page = sysconf(_SC_PAGESIZE);

	if (!r->cons)
		return;
	munmap(r->cons, page);
	munmap((void *)r->prod, page + 2 * r->size);
	*r = (struct kring){0};
}

static unsigned long produced(const struct kring *r)
{
	return __atomic_load_n(r->prod, __ATOMIC_ACQUIRE);
}

size_t kring_used(const struct kring *r)
{
	return produced(r) - r->pos;
}

static void release(struct kring *r)
{
	unsigned long to = r->quiet ? r->last : r->pos;

	if ((long)(to - *r->cons) > 0) /* never goes back: the kernel may have reused the bytes */
		__atomic_store_n(r->cons, to, __ATOMIC_RELEASE);
}

void kring_poll(struct kring *r)
{
	r->quiet = true;
}

/*
 * The barrier orders the store of *cons before the load of *prod. A writer stores *prod before it
 * loads *cons, so at least one side sees the other's store.
 */
bool kring_listen(struct kring *r)
{
	r->quiet = false;
	release(r);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return kring_used(r) != 0;
}

/* Delivers one record. Returns false if its writer has not finished it. */
static bool take(struct kring *r, struct record_sink *k)
{
	const unsigned char *at = r->data + (r->pos & (r->size - 1));
	uint32_t len = __atomic_load_n((const uint32_t *)at, __ATOMIC_ACQUIRE);
	uint32_t size = len & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

	if (len & BPF_RINGBUF_BUSY_BIT)
		return false;
	r->last = r->pos;
	r->pos += (BPF_RINGBUF_HDR_SZ + (unsigned long)size + 7) & ~7ul;
	if (!(len & BPF_RINGBUF_DISCARD_BIT))
		k->record(k->ctx, (const struct record *)(at + BPF_RINGBUF_HDR_SZ), size);
	return true;
}

void kring_drain(struct kring *r, struct record_sink *k, bool until_done)
{
	unsigned long freed = r->pos;

	r->end = produced(r);
	if (r->draining)
		return;

	/*
	 * Stops after the records that exist now, even if writers add more, because the caller also
	 * has timers and signals to serve.
	 *
	 * Frees space only each time 1/8 of the ring has been read. A writer must wake the reader
	 * if its record is the first one after the consumer position. So the fewer updates of this
	 * position, the fewer wake-ups.
	 */
	r->draining = true;
	while (r->pos != r->end && !(until_done && k->done) && take(r, k)) {
		if (r->pos - freed >= r->size / 8) {
			release(r);
			freed = r->pos;
		}
	}
	release(r);
	r->draining = false;
}
