/*
 * handover.h - -G and -h: objects and headers for static probes, which systemtap's dtrace makes.
 */
#ifndef CMD_HANDOVER_H
#define CMD_HANDOVER_H

/* The path of systemtap's dtrace. */
#define HANDOVER_TO "/usr/bin/dtrace"

/*
 * Replaces this process by systemtap's dtrace with the same arguments.  Returns only if that fails:
 * an errno, ENOENT if that dtrace is not installed.
 */
int handover(char **argv);

#endif
