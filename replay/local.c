/*
 * local.c - parses and matches the list of local addresses.
 */
#include "replay/local.h"

#include <string.h>

#include "base/diag.h"
#include "base/xalloc.h"

static int parse_list(struct local *l, const char *spec, struct diag *d)
{
	char *copy = xstrdup(spec), *rest = copy, *item;
	struct prefix n;
	int err = 0;

	while (!err && (item = strsep(&rest, ","))) {
		if (!prefix_read(item, &n)) {
			l->net = xrealloc(l->net, (l->nnet + 1) * sizeof(*l->net));
			l->net[l->nnet++] = n;
		} else {
			err = diag_error(d, D_PRAGMA_OPTSET, NOLOC,
					 "option 'local': '%s' is neither 'auto' nor an address "
					 "with an optional prefix length", item);
		}
	}
	xfree(copy);
	return err;
}

int local_init(struct local *l, const char *spec, struct diag *d)
{
	*l = (struct local){0};
	if (!spec)
		return 0;
	if (!strcmp(spec, "auto")) {
		l->mode = LOCAL_AUTO;
		return 0;
	}
	l->mode = LOCAL_LIST;
	if (!parse_list(l, spec, d))
		return 0;
	local_release(l);
	return -1;
}

void local_release(struct local *l)
{
	xfree(l->net);
	*l = (struct local){0};
}

static bool in_net(const struct prefix *n, const unsigned char *addr)
{
	unsigned whole = n->bits / 8, part = n->bits % 8;

	if (memcmp(n->addr, addr, whole))
		return false;
	return !part || !((n->addr[whole] ^ addr[whole]) >> (8 - part));
}

bool local_has(const struct local *l, int version, const unsigned char *addr)
{
	uint32_t i;

	for (i = 0; i < l->nnet; i++)
		if (l->net[i].v6 == (version == 6) && in_net(&l->net[i], addr))
			return true;
	return false;
}
