/*
 * confine.h - the process gives away what reading a capture does not need.
 */
#ifndef CMD_CONFINE_H
#define CMD_CONFINE_H

/*
 * From here on no file is opened for writing, nothing is run, no socket or process is
 * touched, by a system-call filter, and there are no capabilities: a capture is somebody
 * else's bytes.  Open files stay.  Where the kernel refuses the filter the rest is done
 * all the same.  Not to be undone.
 */
void confine(void);

#endif
