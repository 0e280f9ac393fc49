/* waiting.c - decides when a relay stops waiting for the answers of its hosts to a run. */
#include "fleet/waiting.h"

void waiting_note(struct waiting *w, struct host_state *h, uint64_t now)
{
	if (!h->heard && !w->late)
		w->heard = now;
	h->heard = now;
}

static bool is_over(const struct waiting *w, const struct hosts *hosts, bool expected)
{
	size_t answered = 0;

	for (size_t i = 0; i < hosts->v.n; i++) {
		const struct host_state *h = hosts->v.v[i];

		if (h->sequence ? h->phase < PHASE_ENDED || h->shown < h->out : !w->late)
			return false;
		answered += h->sequence > 0;
	}
	return expected && (answered || w->late);
}

bool waiting_update(struct waiting *w, const struct hosts *hosts, bool expected, uint64_t now,
		    uint64_t seconds)
{
	bool before = w->over;

	w->late |= expected && now - w->heard > w->grace_s * 1000000000ull;
	w->over = seconds >= w->until + w->grace_s || is_over(w, hosts, expected);
	return w->over != before;
}
