/* progress.c - draws the progress of a replay on one line of a terminal. */
#include "engine/replay/progress.h"

#include <unistd.h>

#include "base/clock.h"

#define EVERY_NS 250000000u

void progress_init(struct progress *p, FILE *to)
{
	*p = (struct progress){0};
	if (!to || !isatty(fileno(to)))
		return;
	p->to = to;
	p->begin_ns = now_monotonic();
	p->due_ns = p->begin_ns + EVERY_NS;
}

static void draw(struct progress *p, uint64_t n, uint64_t pos, uint64_t size, uint64_t now)
{
	double rate = (double)n * 1e9 / (double)(now - p->begin_ns);

	fprintf(p->to, "\r%llu packets", (unsigned long long)n);
	if (size)
		fprintf(p->to, ", %.0f%%", (double)pos * 100 / (double)size);
	fprintf(p->to, ", %.0f packets/s\033[K", rate);
	fflush(p->to);
	p->shown = true;
}

void progress_update(struct progress *p, uint64_t packets, uint64_t pos, uint64_t size)
{
	uint64_t now;

	if (!p->to)
		return;
	now = now_monotonic();
	if (now < p->due_ns)
		return;
	p->due_ns = now + EVERY_NS;
	draw(p, packets, pos, size, now);
}

void progress_erase(struct progress *p)
{
	if (!p->shown)
		return;
	fputs("\r\033[K", p->to);
	fflush(p->to);
	p->shown = false;
}
