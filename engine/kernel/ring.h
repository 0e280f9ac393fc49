/*
 * ring.h - the consumer's side of a BPF ring buffer.
 */
#ifndef ENGINE_KERNEL_RING_H
#define ENGINE_KERNEL_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record_sink;

struct kring {
	unsigned long *cons;       /* how far we have read: the kernel may reuse what is before */
	const unsigned long *prod; /* how far the kernel has reserved */
	const unsigned char *data; /* mapped twice in a row, so that no record is split */
	size_t size;
	unsigned long pos; /* how far we have read; *cons lags behind it */
	unsigned long end; /* how far the drain under way goes */
	bool draining;
};

/* How many bytes wait to be read. */
size_t kring_used(const struct kring *r);

/* Maps the ring buffer map @fd of @size bytes.  0 or a negative errno. */
int kring_open(struct kring *r, int fd, size_t size);
void kring_close(struct kring *r);

/*
 * Gives @k every record that is there now; with @until_done, stops when k->done is
 * set.  Called from within k->record it only makes the drain under way go on to what
 * is there now.
 */
void kring_drain(struct kring *r, struct record_sink *k, bool until_done);

#endif
