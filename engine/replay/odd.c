/* odd.c - counts frames and packets that fire fewer probes, by reason. */
#include "engine/replay/odd.h"

#include <inttypes.h>

#include "base/strbuf.h"

#define ODD_ROW(name, text, digits) {text, digits},
static const struct {
	const char *text;
	int digits;
} reasons[] = {ODD_REASONS(ODD_ROW)};

/* Ethertypes of frames that have a frame or a packet inside. */
static const struct {
	uint16_t number;
	const char *name;
} ethertypes[] = {
	{0x22f3, "TRILL"},      {0x4305, "batman-adv"}, {0x88e5, "MACsec"},  {0x88e7, "802.1ah"},
	{0x8903, "FabricPath"}, {0x8926, "VN-Tag"},     {0x893f, "802.1BR"}, {0x894f, "NSH"},
};

static bool is_impossible(uint8_t reason)
{
	return reason >= ODD_802_3;
}

void odd_count(struct odd *o, uint8_t reason, uint16_t number, uint64_t n)
{
	struct odd_class *c = &o->of[is_impossible(reason)];
	struct odd_entry *e = c->v, *end = c->v + ODD_ENTRIES;

	while (e < end && e->n && (e->reason != reason || e->number != number))
		e++;
	if (e < end)
		*e = (struct odd_entry){e->n + n, number, reason};
	else
		c->rest += n;
}

void odd_add(struct odd *to, const struct odd *from)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct odd_entry *e = from->of[i].v;

		for (; e < from->of[i].v + ODD_ENTRIES && e->n; e++)
			odd_count(to, e->reason, e->number, e->n);
		to->of[i].rest += from->of[i].rest;
	}
}

static void add_entry(struct strbuf *b, const struct odd_entry *e)
{
	int digits = reasons[e->reason].digits;

	strbuf_addf(b, "%s%s", b->len ? ", " : "", reasons[e->reason].text);
	if (digits == ODD_DECIMAL)
		strbuf_addf(b, " %u", e->number);
	else if (digits)
		strbuf_addf(b, " 0x%0*x", digits, e->number);
	for (size_t i = 0; i < sizeof(ethertypes) / sizeof(*ethertypes); i++)
		if (e->reason == ODD_ETHERTYPE && ethertypes[i].number == e->number)
			strbuf_addf(b, " (%s)", ethertypes[i].name);
	strbuf_addf(b, " %" PRIu64, e->n);
}

uint64_t odd_list(const struct odd *o, bool impossible, struct strbuf *b)
{
	const struct odd_class *c = &o->of[impossible];
	uint64_t sum = c->rest;

	strbuf_reset(b);
	for (const struct odd_entry *e = c->v; e < c->v + ODD_ENTRIES && e->n; e++) {
		if (e->reason >= ODD_END || is_impossible(e->reason) != impossible)
			continue;
		sum += e->n;
		add_entry(b, e);
	}
	if (c->rest)
		strbuf_addf(b, "%sothers %" PRIu64, b->len ? ", " : "", c->rest);
	return sum;
}
