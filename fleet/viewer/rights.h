/*
 * rights.h - the second process of a viewer or relay. It keeps the rights that the first process
 * gives up.
 *
 * A viewer reads messages from other machines, so it gives up its rights before it connects
 * (fleet/confined.h). Before that, it forks a second process, which keeps all rights and reads no
 * message from other machines. The second process signs only what the command line asks for: a
 * request, or plans of an administrator. It writes files in two folders, appends to the file of
 * known keys, and runs dtrace with the options of the command line.
 *
 * Only rights_start() runs with rights. All other functions are for the process without rights.
 */
#ifndef FLEET_VIEWER_RIGHTS_H
#define FLEET_VIEWER_RIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/answer.h"
#include "fleet/inventory.h"
#include "fleet/request.h"

struct strbuf;
struct view_opts;

struct rights_opts {
	const char *known;            /* file of known keys; NULL for none */
	const struct view_opts *view; /* the command line of a viewer; NULL for a relay */
	const char *dir;              /* private folder of a viewer, which is removed at the end */
	/* the command line of `expect` or `retire`; NULL for other commands */
	const struct planning *planning;
};

/* The plans that may be signed. */
struct planning {
	const char *key;   /* file of the secret key */
	const char *fleet; /* name of the fleet */
	enum plan plan;
	char *const *host; /* "NAME" or "NAME/ID" */
	size_t nhost;
};

/*
 * Forks the second process, which ends when this one ends. Returns false, after a message on
 * standard error, on failure. @o must stay valid.
 */
bool rights_start(const struct rights_opts *o);

/* Ends the second process, and waits until it has removed the private folder. */
void rights_stop(void);

/* Does what known_read() does, with the file of rights_opts. */
bool rights_known_read(struct known *k);

/* Does what known_write() does, with the file of rights_opts. */
bool rights_known_write(struct known *k);

/* A request that view_opts.key signs. */
struct asking {
	uint64_t part;     /* number of the part of the run, from 1 on; 0: the run has one part */
	uint64_t from, to; /* the part has the hosts whose target_share() is in [from, to] */
	bool stop;         /* ends the part of the run */
	bool census;       /* asks relays for their hosts (census.h), and asks no host */
	/*
	 * members of the run's request, to end a run that another viewer began; otherwise @fleet is
	 * NULL
	 */
	const char *fleet, *hosts;
	uint64_t until, rate;
};

/*
 * Makes a request from the command line (view_opts.ask) and @a, and signs it. If the run has parts,
 * the request's ID is that of the run, "-" and the number of the part; this number is 0 for a
 * census. Appends the signed message to @sealed, and stores the end of the run in @until. Returns
 * false, after a message, on failure.
 */
bool rights_sign(const struct asking *a, struct strbuf *sealed, uint64_t *until);

/*
 * Signs a plan for a host of the command line, and appends it to @sealed. For a relay of the
 * command line, @plan may also be PLAN_EXPECTED. Returns false, after a message, on failure.
 */
bool rights_plan(const char *host, const char *id, enum plan plan, struct strbuf *sealed);

/*
 * Writes a file in the private folder or, if @keep is set, in view_opts.keep. @name has no "/".
 * Failures are reported, and make the result of the next rights_merge() or rights_flush() false.
 */
void rights_put(bool keep, const char *name, const void *p, size_t n);

/* Waits until all files are written. Returns whether all could be written. */
bool rights_flush(void);

/* Removes all files of the private folder. */
void rights_clear(void);

/*
 * Lets dtrace merge and show the files in the private folder. Returns whether dtrace exited with
 * 0.
 */
bool rights_merge(void);

/* These do what follow_start(), follow_is_over() and follow_end() do, with the private folder. */
bool rights_follow(uint64_t rate_ms);
bool rights_follow_is_over(void);
bool rights_follow_end(void);

#endif
