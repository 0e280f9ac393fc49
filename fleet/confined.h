/* confined.h - takes the rights of processes of dtrace-fleet that read bytes of others. */
#ifndef FLEET_CONFINED_H
#define FLEET_CONFINED_H

#include <stdbool.h>

#include "base/strbuf.h"

enum confined {
	CONFINED_ALONE, /* a process with a bound for its memory */
	CONFINED_FREE,  /* a process that adds up the results of any number of hosts */
};

/*
 * Takes all rights of this process except those of a client of a server: to connect, to look up
 * names, and to use its open files (confine.h). Root becomes another user, whose root folder has
 * only the files for looking up names. The process must have no threads yet, because these would
 * keep their rights. Returns false, with the reason in @wrong, if a right could not be given up:
 * the caller must not continue then.
 */
bool confine_client(enum confined kind, struct strbuf *wrong);

#endif
