/*
 * local.c - parses and matches the list of local addresses.
 */
#include "engine/replay/local.h"

#include <string.h>

#include "base/diag.h"
#include "base/xalloc.h"

void local_add(struct local *l, const struct prefix *p, bool group)
{
	if (group)
		vec_push(&l->group, *p);
	else
		vec_push(&l->net, *p);
}

static int parse_list(struct local *l, const char *spec, struct diag *d)
{
	char *copy = xstrdup(spec), *rest = copy, *item;
	struct prefix n;
	int err = 0;

	while (!err && (item = strsep(&rest, ","))) {
		if (!prefix_read(item, &n)) {
			local_add(l, &n, false);
		} else {
			err = diag_error(d, D_PRAGMA_OPTSET, NOLOC,
					 "option 'local': '%s' is neither 'auto' nor an address "
					 "with an optional prefix length",
					 item);
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
	vec_free(&l->net);
	vec_free(&l->group);
	*l = (struct local){0};
}

static bool in_net(const struct prefix *n, const unsigned char *addr)
{
	unsigned whole = n->bits / 8, part = n->bits % 8;

	if (memcmp(n->addr, addr, whole))
		return false;
	return !part || !((n->addr[whole] ^ addr[whole]) >> (8 - part));
}

static bool in_one(const struct prefix *v, size_t n, bool v6, const unsigned char *addr)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].v6 == v6 && in_net(&v[i], addr))
			return true;
	return false;
}

bool local_has(const struct local *l, int version, const unsigned char *addr)
{
	return in_one(l->net.v, l->net.n, version == 6, addr);
}

bool local_has_multicast(const struct local *l, int version, const unsigned char *addr)
{
	return in_one(l->group.v, l->group.n, version == 6, addr);
}
