/*
 * view.h - dtrace-fleet run and show: sends a request to hosts, and shows the sum of their answers.
 */
#ifndef FLEET_VIEWER_VIEW_H
#define FLEET_VIEWER_VIEW_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/net.h"
#include "fleet/request.h"

struct view_opts {
	struct net_opts net;
	/* file of the seed to sign with; NULL: only shows answers */
	const char *key;
	struct request ask;      /* the request; of show and stop, first only the run's id */
	const char *dtrace;      /* command that shows files */
	const char *const *xopt; /* its -x options */
	size_t nxopt;
	const char *keep;     /* folder for the hosts' files; NULL: not kept */
	uint64_t interval_ms; /* time between outputs; 0: only at the end */
	size_t canary, batch; /* hosts of the first part of the run, and of the others; 0: all */
	size_t max_hosts;     /* refuse a run for more expected hosts; 0: no limit */
	uint64_t grace_s;     /* seconds after the end of the run until a host counts as silent */
};

/*
 * Connects to the server; with @streams, creates the streams. Returns NULL, after a message on
 * standard error, on failure.
 */
struct net *view_connect(const struct net_opts *o, bool streams);

struct inventory;

/* Reads the inventory, which the caller releases. Returns false, after a message, on failure. */
bool view_inventory(struct net *n, struct inventory *in);

/*
 * Writes the keys of hosts that the viewer did not know to its file of known keys. Returns false,
 * after a message, on failure, or if a known name has a new ID and a new key.
 */
bool view_keep_keys(struct inventory *in);

/* Returns the exit status: 0 if all hosts have answered and all of their results were shown. */
int view_main(struct view_opts *o);

/* Creates a private folder, whose path it stores. Returns false, after a message, on failure. */
bool view_folder(char dir[PATH_MAX]);

/* Lets dtrace show the sum of the files in @folder. Returns whether it has. */
bool view_merge(const struct view_opts *o, const char *folder);

/* Ends run o->ask.id on all hosts. Returns the exit status. */
int view_stop(struct view_opts *o);

#endif
