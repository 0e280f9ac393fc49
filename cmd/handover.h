/*
 * handover.h - implements -G and -h, which make objects and headers for static probes. The dtrace
 * command of systemtap does the work.
 */
#ifndef CMD_HANDOVER_H
#define CMD_HANDOVER_H

/* The path of systemtap's dtrace. */
#define HANDOVER_TO "/usr/bin/dtrace"

/*
 * Replaces this process by systemtap's dtrace with the same arguments. Returns only on failure,
 * with a positive errno. ENOENT means that systemtap's dtrace is not installed.
 */
int handover(char **argv);

#endif
