/*
 * view.h - dtrace-fleet run and show: asks hosts, and shows what they answer as one.
 */
#ifndef FLEET_VIEW_H
#define FLEET_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/net.h"
#include "fleet/request.h"

struct view_opts {
	struct net_opts net;
	/* file of the seed to sign with; NULL: nothing is asked, only shown */
	const char *key;
	struct request ask;      /* with id; of show and stop nothing else */
	const char *dtrace;      /* the command that shows files */
	const char *const *xopt; /* -x options for it */
	size_t nxopt;
	const char *keep;     /* a folder for the hosts' files; NULL: they are not kept */
	uint64_t interval_ms; /* from one picture of it all to the next; 0: only at the end */
	uint64_t grace_s;     /* after that a host that has not ended counts as silent */
};

/* The server, with the streams that are needed if @streams; NULL: standard error has why. */
struct net *view_connect(const struct net_opts *o, bool streams);

/* Exit status: 1 if somebody who was asked is silent, refused or left out. */
int view_main(struct view_opts *o);

/* Ends run o->ask.id everywhere. */
int view_stop(struct view_opts *o);

#endif
