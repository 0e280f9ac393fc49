/*
 * confine.h - the process gives away what it does not need any more.
 */
#ifndef CMD_CONFINE_H
#define CMD_CONFINE_H

#include <stdbool.h>

/*
 * From here on no file is opened for writing, nothing is run, no socket or process is
 * touched, by a system-call filter, and there are no capabilities: a capture is somebody
 * else's bytes.  Open files stay.  Where the kernel refuses the filter the rest is done
 * all the same.  Not to be undone.
 */
void confine(void);

/*
 * Of the capabilities those alone stay that it takes to read what the kernel hands over, and to
 * find the names of addresses, in the kernel and in processes; CAP_SYS_ADMIN, too, if without it @enough
 * (NULL: they are) says that they are not enough.  Not to be undone.
 */
void confine_tracing(bool (*enough)(void));

/* As confine(), but an interface is read (-r): more may be heard of sockets that are open. */
void confine_hearing(void);

/* The same, and whoever connects to a socket that listens already is answered. */
void confine_serving(void);

#endif
