/*
 * check.h - before anything is enabled: dtrace -l says which probes a program is about, the policy whether they are
 * for others.
 */
#ifndef FLEET_CHECK_H
#define FLEET_CHECK_H

#include <stdbool.h>
#include <stdint.h>

struct policy;
struct strbuf;

/*
 * Is it, where links lead, a file that may be asked about?  That is @real then, of PATH_MAX bytes, which is what is to
 * be opened.
 */
bool capture_allowed(const struct policy *p, const char *path, char *real, struct strbuf *why);

struct check {
	const struct policy *policy;
	const char *const *argv;       /* of dtrace -l */
	const char *dir;               /* its output goes there, and away again */
	uint64_t ms;                   /* it may take so long */
	void (*meanwhile)(void *ctx);  /* called now and then until it has ended; NULL: nothing else is to be done */
	void *ctx;
};

/* Are all probes that it lists for others?  False: why, in dtrace's words if they are its. */
bool check_probes(const struct check *c, uint64_t *matched, struct strbuf *why);

/* The same of what it has printed; @list is changed. */
bool list_allowed(const struct policy *p, char *list, uint64_t *matched, struct strbuf *why);

#endif
