/* sacked.c - remembers the data that SACK has acknowledged. */
#include "engine/replay/tcp/sacked.h"

#include <string.h>

#include "base/xalloc.h"
#include "engine/replay/tcp/seg.h"

/* maximum number of blocks, so that a hostile capture takes little time and memory */
#define BLOCKS_MAX 256

void tcp_sacked_forget(struct tcp_sacked *w, uint32_t una)
{
	uint32_t gone = 0;

	if (!w)
		return;
	while (gone < w->n && !seq_after(w->block[gone].right, una))
		gone++;
	w->n -= gone;
	memmove(w->block, w->block + gone, w->n * sizeof(*w->block));
	if (w->n && seq_before(w->block[0].left, una))
		w->block[0].left = una;
}

/* Returns *@pw with room for one more block, or NULL if there are too many. */
static struct tcp_sacked *enlarge(struct tcp_sacked **pw)
{
	struct tcp_sacked *w = *pw;
	uint32_t n = w ? w->n : 0, room = w ? w->room * 2 : 4;

	if (n == BLOCKS_MAX)
		return NULL;
	if (w && n < w->room)
		return w;
	w = xrealloc(w, sizeof(*w) + room * sizeof(*w->block));
	w->n = n;
	w->room = room;
	return *pw = w;
}

/* Adds @b, and joins it with the blocks that it overlaps or touches. */
static void add(struct tcp_sacked **pw, struct tcp_block b)
{
	struct tcp_sacked *w = enlarge(pw);
	uint32_t i = 0, end;

	if (!w)
		return;
	while (i < w->n && seq_before(w->block[i].right, b.left))
		i++;
	for (end = i; end < w->n && !seq_after(w->block[end].left, b.right); end++) {
		if (seq_before(w->block[end].left, b.left))
			b.left = w->block[end].left;
		if (seq_after(w->block[end].right, b.right))
			b.right = w->block[end].right;
	}
	memmove(w->block + i + 1, w->block + end, (w->n - end) * sizeof(b));
	w->block[i] = b;
	w->n = w->n + 1 + i - end;
}

void tcp_sacked_add(struct tcp_sacked **w, const struct tcp_seg *s, uint32_t una, uint32_t end)
{
	struct tcp_block b[TCP_SACK_MAX];
	unsigned i, n = tcp_seg_sack_blocks(s, b);

	for (i = 0; i < n; i++)
		if (seq_after(b[i].left, una) && seq_after(b[i].right, b[i].left) &&
		    !seq_after(b[i].right, end))
			add(w, b[i]);
}

uint32_t tcp_sacked_segments(const struct tcp_sacked *w, uint32_t mss)
{
	uint32_t i, segments = 0;

	for (i = 0; i < w->n; i++)
		segments += (w->block[i].right - w->block[i].left - 1) / mss + 1;
	return segments;
}
