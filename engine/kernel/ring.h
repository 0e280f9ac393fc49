/* ring.h - reads records from a BPF ring buffer. */
#ifndef ENGINE_KERNEL_RING_H
#define ENGINE_KERNEL_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record_sink;

struct kring {
	/*
	 * end of the records that were read, as the kernel sees it; the kernel may reuse the bytes
	 * before it
	 */
	unsigned long *cons;
	const unsigned long *prod; /* end of the space that the kernel has reserved for records */
	const unsigned char *data; /* mapped twice in a row, so that each record is contiguous */
	size_t size;
	unsigned long pos;  /* end of the records that were read; *cons may lag behind */
	unsigned long last; /* position of the record read last; after kring_open(), 0 */
	unsigned long end;  /* position at which the current kring_drain() stops */
	bool draining;
	bool quiet; /* polling mode: *cons stays at the record read last; see kring_poll() */
};

/* Returns the number of bytes that are not read yet. */
size_t kring_used(const struct kring *r);

/* Maps the ring buffer map @fd of @size bytes. Returns 0 or a negative errno. */
int kring_open(struct kring *r, int fd, size_t size);
void kring_close(struct kring *r);

/*
 * Delivers every record that is in the ring now to @k. If @until_done, stops when k->done is set.
 * If k->record() calls this function, the inner call delivers nothing. The outer call then goes on
 * to the records that exist at the inner call.
 */
void kring_drain(struct kring *r, struct record_sink *k, bool until_done);

/*
 * Begins polling: from now on, no writer wakes the caller. A writer wakes the caller only if its
 * record is the first one after *cons. In polling mode, *cons stays before the record that was read
 * last, so no new record is the first one.
 */
void kring_poll(struct kring *r);

/*
 * Ends polling: from now on, writers wake the caller. Returns whether there are already records to
 * read, because no writer may have woken the caller for these.
 */
bool kring_listen(struct kring *r);

#endif
