/*
 * view.h - dtrace-fleet run and show: sends a request to hosts, and shows the sum of their answers.
 */
#ifndef FLEET_VIEWER_VIEW_H
#define FLEET_VIEWER_VIEW_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/nats/net.h"
#include "fleet/request.h"

struct view_opts {
	struct net_opts net;
	/* file of the secret key that signs the request; NULL to only show the answers to a run */
	const char *key;
	/* the request; for show and stop, only the ID: the viewer reads the rest from the server */
	struct request ask;
	const char *dtrace;      /* path of the dtrace command, which shows the hosts' files */
	const char *const *xopt; /* -x options for dtrace */
	size_t nxopt;
	const char *keep;     /* folder that keeps the hosts' files; NULL to keep none */
	uint64_t interval_ms; /* time between outputs; 0 for one output at the end */
	size_t canary, batch; /* arguments of rollout_plan() */
	size_t max_hosts;     /* a run for more expected hosts is refused; 0 for no limit */
	uint64_t grace_s;     /* seconds to wait for hosts that have not answered */
};

struct inventory;

/*
 * Reads the file of known keys, and the file of administrators' keys (admins.h) for the fleet
 * @fleet, into @in. Must be called before view_connect(), which gives up the rights to read files.
 * Returns false, after a message, on failure. The caller releases @in in both cases.
 */
bool view_known(struct inventory *in, const char *fleet);

/*
 * Gives up the rights of this process (confined.h), and connects to the server. If @streams is set,
 * creates the streams that net_setup() names, if they are missing. Returns NULL, after a message on
 * standard error, on failure.
 */
struct net *view_connect(const struct net_opts *o, bool streams);

/*
 * Reads the inventory. Prints the lines of in->forged, and sets in->doubtful if there are any.
 * Returns false, after a message, on failure.
 */
bool view_inventory(struct net *n, struct inventory *in);

/*
 * Writes the keys of new hosts to the file of known keys, by rights_known_write(). Returns false,
 * after a message, on failure, or if a known name has a new ID and a new key. Also returns false if
 * in->doubtful is set.
 */
bool view_keep_keys(struct inventory *in);

/* Reads the secret key in file @path. Prints an error and returns false on failure. */
bool view_seed(const char *path, uint8_t *seed);

/*
 * Starts the second process (rights.h) of a viewer. This process removes the private folder @dir at
 * its end. Returns false, after a message, on failure.
 */
bool view_rights(const struct view_opts *o, const char *dir);

/*
 * Sends the request o->ask and shows the answers. If o->key is NULL, sends nothing and shows the
 * answers to the run o->ask.id. Returns the exit status, which is 0 if all hosts are whole and all
 * of their results were shown.
 */
int view_main(struct view_opts *o);

/*
 * Creates a private folder and stores its path in @dir. Returns false, after a message, on failure.
 */
bool view_folder(char dir[PATH_MAX]);

/* Lets dtrace show the sum of the files in @folder. Returns whether dtrace had status 0. */
bool view_merge(const struct view_opts *o, const char *folder);

/* Sends a request to end run o->ask.id to all hosts. Returns the exit status. */
int view_stop(struct view_opts *o);

#endif
