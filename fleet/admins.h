/*
 * admins.h - the keys of administrators, which sign plans (inventory.h).
 *
 * Viewers and relays have a file of these keys. Its lines are "key HEX NAME", as in a policy
 * (host/policy.h). A plan counts only with the signature of such a key. So neither a server that an
 * attacker controls, nor an administrator's certificate alone, can retire a host or name a relay.
 */
#ifndef FLEET_ADMINS_H
#define FLEET_ADMINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/host/policy.h"

struct strbuf;

struct admins {
	struct policy keys;
	const char *fleet; /* name of the fleet whose plans count */
};

/*
 * Reads the file @path. @fleet must stay valid. Returns false, with the reason in @wrong, if the
 * file cannot be read, if other users may write to it, if it lists no key, or if it has a line
 * "limit", which has no effect here. The caller calls admins_release() in both cases.
 */
bool admins_read(struct admins *a, const char *path, const char *fleet, struct strbuf *wrong);
void admins_release(struct admins *a);

/*
 * Returns whether the plan in @data counts: a listed key has signed it, and it is for the fleet. If
 * @a is NULL, each plan counts, even without a signature. Sets @p and @n to the plan, which borrows
 * from @data. Sets @time to the time of signing, ns since 1970 by the administrator's clock, if the
 * plan has this time.
 */
bool admins_open(const struct admins *a, const void *data, size_t size, const void **p, size_t *n,
		 uint64_t *time);

#endif
