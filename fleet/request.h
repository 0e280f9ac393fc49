/* request.h - requests from a viewer to hosts. */
#ifndef FLEET_REQUEST_H
#define FLEET_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "fleet/message.h"

struct policy;
struct strbuf;

enum { PROGRAM_MAX = 64 << 10 };

/* All pointers borrow from the message or from the caller. */
struct request {
	const char *id;     /* ID of the run, for which is_run_id() is true */
	const char *fleet;  /* name of the fleet whose hosts may run the program */
	const char *hosts;  /* target that selects the hosts to ask (labels.h) */
	const char *replay; /* path of a capture on each host, or NULL to trace live */
	/*
	 * only in a request that asks relays for their hosts (census.h), and otherwise NULL: the
	 * seed of target_share()
	 */
	const char *census;
	const char *program;
	uint64_t until;   /* end of the run on all hosts, in seconds since 1970 */
	uint64_t seconds; /* duration of the run from its start */
	uint64_t rate;    /* ms between snapshots */
	bool stop;        /* this is a request to end the run now */
};

/* Appends the request as a message. */
void request_write(struct strbuf *out, const struct request *r);

/*
 * Reads @m as a request. Returns NULL, or the reason why @m is not a request. The program is copied
 * to @m's memory.
 */
const char *request_read(struct request *r, struct message *m);

/*
 * Parses the signed request in @data without checking the signature, for requests that were
 * accepted before. @r borrows from @m. Returns false if the request is invalid. The caller releases
 * @m in both cases.
 */
bool request_signed(struct request *r, struct message *m, const void *data, size_t size);

/*
 * Returns whether the subject belongs to the request. The server keeps the first message of each
 * subject, so a request under a foreign subject must not count.
 */
bool request_is_of(const struct request *r, const char *subject);

/*
 * Returns whether the policy allows the request of @signer (policy_signer()) at host @host, with
 * the labels @labels (labels.h), and time @now (seconds since 1970). If not, appends the reason to
 * @why.
 */
bool request_allowed(const struct request *r, const struct policy *p, const char *signer,
		     const char *host, const char *labels, uint64_t now, struct strbuf *why);

/* Returns whether the policy lets the keys of @signer be used at host @host, with @labels. */
bool request_is_for_host(const struct policy *p, const char *signer, const char *host,
			 const char *labels);

/*
 * Opens the capture @path if the policy lets requests read it. If @path has a symbolic link, the
 * policy must allow the link's target too. Checks the file after opening it, so nobody can exchange
 * the file between check and use. Returns a descriptor, which the caller closes, or -1 with the
 * reason appended to @why.
 */
int capture_open_allowed(const struct policy *p, const char *path, struct strbuf *why);

#endif
