/* signals.c - counts the signals that end a run. */
#include "cmd/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/errors.h"
#include "consumer/screen/screen.h"

/*
 * Two signals within this time count as one. timeout(1) sends one signal to its child and another
 * one to the process group of that child.
 */
#define SAME_PRESS_NS 500000000u

volatile sig_atomic_t interrupted, interrupted_by;
static int out_fd, null_fd = -1;

/*
 * Counts the signal. A write to the output can block for ever, so the second signal replaces the
 * output by /dev/null.
 */
static void on_signal(int sig)
{
	static uint64_t pressed;
	uint64_t now = now_monotonic();
	int saved_errno = errno;

	if (interrupted && now - pressed < SAME_PRESS_NS)
		return;
	pressed = now;
	if (!interrupted)
		interrupted_by = sig;
	if (++interrupted > 2) {
		screen_restore();
		_exit(EXIT_FATAL);
	}
	if (interrupted == 2 && null_fd >= 0)
		dup2(null_fd, out_fd);
	errno = saved_errno;
}

void signals_prepare(void)
{
	if (null_fd < 0)
		null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
}

void signals_catch(FILE *out)
{
	/*
	 * SA_RESTART resumes an interrupted write. A wait for events returns even with SA_RESTART.
	 */
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, hup;

	out_fd = fileno(out);
	sigaddset(&sa.sa_mask, SIGINT);
	sigaddset(&sa.sa_mask, SIGTERM);
	sigaddset(&sa.sa_mask, SIGHUP);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}
