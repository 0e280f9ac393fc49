/*
 * follow.h - a dtrace that shows the hosts' files as they change: on the screen, for Prometheus, or
 * over time.
 */
#ifndef FLEET_FOLLOW_H
#define FLEET_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct follower {
	pid_t pid;    /* 0: there is none (any more) */
	bool asked;   /* there was one */
	bool picture; /* what it shows it shows at the end: that is all there is to show then */
	bool screen;  /* the terminal is its */
};

/* Does the -x option ask for output that continues during the run? */
bool follow_asked(const char *xopt);

/*
 * Starts @dtrace with the @n options @xopt at the files of @folder, read every @rate_ms, if one of
 * the options asks for that; else @f is all 0.  False: it failed, standard error has why.
 */
bool follow_start(struct follower *f, const char *dtrace, const char *const *xopt, size_t n,
		  uint64_t rate_ms, const char *folder);

/* Has it ended by itself, as by the key q? */
bool follow_is_over(struct follower *f);

/* Ends it, after a last look at the files.  True: all was well. */
bool follow_end(struct follower *f);

#endif
