/*
 * mountinfo.h - parses the lines of /proc/PID/mountinfo. Source: proc_pid_mountinfo(5).
 */
#ifndef PROCINFO_MOUNTINFO_H
#define PROCINFO_MOUNTINFO_H

#include <stdbool.h>
#include <stdint.h>

/* A mount. The strings are parts of the parsed line, without escapes. */
struct mountinfo {
	uint64_t id;
	/* device numbers of the file system; stat(2) of a file may return other numbers */
	unsigned major, minor;
	char *root;    /* the directory of the file system that is mounted */
	char *at;      /* the mount point */
	char *type;    /* the type of the file system, such as "cgroup2" */
	char *options; /* the options of the file system, or NULL if the line has none */
};

/*
 * Parses @line, such as "36 35 98:0 /root /where rw,noatime shared:1 - ext3 /dev/root rw". The
 * function changes the line, and @m borrows from it. Returns false if the line is malformed.
 */
bool mountinfo_parse(struct mountinfo *m, char *line);

#endif
