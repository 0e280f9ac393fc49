/*
 * follow.h - the follower: a dtrace process that shows the sum of the hosts' files as the files
 * change. It shows the sum on the screen, serves it to Prometheus, or draws it over time.
 */
#ifndef FLEET_VIEWER_FOLLOW_H
#define FLEET_VIEWER_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct follower {
	pid_t pid;    /* process ID of the follower, or 0 if it does not run */
	bool asked;   /* an option asks for a follower */
	bool picture; /* the follower draws one picture at its end, in place of the final output */
	bool screen;  /* the follower uses the terminal */
};

/*
 * Returns whether the -x option @xopt asks for output during the run, so that a follower is needed.
 */
bool follow_asked(const char *xopt);

/*
 * Starts a follower: @dtrace with the @n options @xopt on the files of @folder. dtrace reads the
 * files every @rate_ms. If follow_asked() is false for all options, only clears @f and returns
 * true. Prints a message and returns false on failure.
 */
bool follow_start(struct follower *f, const char *dtrace, const char *const *xopt, size_t n,
		  uint64_t rate_ms, const char *folder);

/* Sets the members of @f that the -x options decide. */
void follow_kinds(struct follower *f, const char *const *xopt, size_t n);

/* Returns whether the follower has just ended by itself, for example because the user pressed q. */
bool follow_is_over(struct follower *f);

/*
 * Ends the follower, which reads the files once more before it ends. Returns false if the follower
 * failed.
 */
bool follow_end(struct follower *f);

#endif
