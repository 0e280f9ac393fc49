/* confined.h - gives up the rights of a process that reads messages from other machines. */
#ifndef FLEET_CONFINED_H
#define FLEET_CONFINED_H

#include <stdbool.h>

#include "base/strbuf.h"

enum confined {
	CONFINED_ALONE, /* limits the memory of the process */
	CONFINED_FREE,  /* no limit: the process adds up the results of any number of hosts */
};

/*
 * Gives up all rights of this process, except the rights to connect to a server, to look up names,
 * and to use its open files (confine.h). Root becomes another user, whose root folder has only the
 * files for looking up names. The process must have no threads yet, because these would keep their
 * rights. Returns false, with the reason in @wrong, if a right could not be given up: the caller
 * must not continue then.
 */
bool confine_client(enum confined kind, struct strbuf *wrong);

#endif
