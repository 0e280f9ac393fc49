/*
 * follow.h - a dtrace process that shows the hosts' files as they change: on the screen, for
 * Prometheus, or over time.
 */
#ifndef FLEET_VIEWER_FOLLOW_H
#define FLEET_VIEWER_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct follower {
	pid_t pid;    /* 0: it does not run */
	bool asked;   /* an option asks for it */
	bool picture; /* it draws one picture when it ends, which replaces the final output */
	bool screen;  /* it uses the terminal */
};

/* Returns whether the -x option asks for output that continues during the run. */
bool follow_asked(const char *xopt);

/*
 * Starts @dtrace with the @n options @xopt on the files of @folder. dtrace reads the files every
 * @rate_ms. If follow_asked() is false for all options, only clears @f. Prints a message and
 * returns false on failure.
 */
bool follow_start(struct follower *f, const char *dtrace, const char *const *xopt, size_t n,
		  uint64_t rate_ms, const char *folder);

/* Returns whether the follower has just ended by itself, for example because the user pressed q. */
bool follow_is_over(struct follower *f);

/* Ends the follower, which first reads the files once more. Returns false if the follower failed.
 */
bool follow_end(struct follower *f);

#endif
