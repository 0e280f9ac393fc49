/*
 * admins.h - the keys of administrators, which sign plans (inventory.h).
 *
 * Viewers and relays have a file of these keys, with lines as in a policy: "key HEX NAME". So a
 * server in hostile hands, or somebody with only the certificate of an administrator, cannot retire
 * a host or name a relay.
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
 * file cannot be read, if other users may write to it, if it lists no key, or if it limits a key,
 * which would have no effect. The caller calls admins_release() in both cases.
 */
bool admins_read(struct admins *a, const char *path, const char *fleet, struct strbuf *wrong);
void admins_release(struct admins *a);

/*
 * Returns whether a listed key has signed the plan in @data, and whether the plan is for the fleet.
 * Stores the plan, which borrows from @data, in @p and @n, and when it was signed, in ns since 1970
 * by the administrator's clock, in @time. If @a is NULL, all plans count, also those that are not
 * signed; @time then keeps its value if the plan does not have it.
 */
bool admins_open(const struct admins *a, const void *data, size_t size, const void **p, size_t *n,
		 uint64_t *time);

#endif
