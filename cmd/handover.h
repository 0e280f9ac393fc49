/*
 * handover.h - objects and headers for probes in programs (-G, -h).
 */
#ifndef CMD_HANDOVER_H
#define CMD_HANDOVER_H

/*
 * Runs the command that makes them, systemtap's of the same name, in place of this one, with
 * the same arguments.  Returns only if it cannot be run: errno; ENOENT if it is not there.
 */
int handover(char **argv);

/* Where that one is. */
#define HANDOVER_TO "/usr/bin/dtrace"

#endif
