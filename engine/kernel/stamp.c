/*
 * stamp.c - reads the differences between the clocks that programs compare, and makes the kernel
 * stamp packets with their arrival times.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "engine/kernel/impl.h"
#include "ir/program.h"

/*
 * Returns the difference walltimestamp - TAI in ns. The difference is a number of whole seconds, so
 * rounding removes the time that passes between the two clock readings.
 */
static int64_t tai_offset(void)
{
	const int64_t sec = 1000000000;
	uint64_t tai = now_of(CLOCK_TAI);
	int64_t ns = (int64_t)(now_real() - tai);

	return (ns + (ns < 0 ? -sec / 2 : sec / 2)) / sec * sec;
}

/*
 * Returns the difference CLOCK_REALTIME - CLOCK_MONOTONIC in ns, which only changes when the clock
 * is set. Makes many attempts and uses the one with the least time between the two readings.
 */
static int64_t real_offset(void)
{
	int64_t best = INT64_MAX, off = 0;

	for (int i = 0; i < 200; i++) {
		int64_t before = (int64_t)now_monotonic(), real = (int64_t)now_real(),
			span = (int64_t)now_monotonic() - before;

		if (span < best) {
			best = span;
			off = real - before - span / 2;
		}
	}
	return off;
}

void kclock_read(struct kernel *k)
{
	__atomic_store_n(&k->globals->tai_offset, tai_offset(), __ATOMIC_SEQ_CST);
	if (k->p->stamps)
		__atomic_store_n(&k->globals->real_offset, real_offset(), __ATOMIC_SEQ_CST);
}

/*
 * Starts timer @fd, which expires in the year 2242. The kernel cancels it when CLOCK_REALTIME is
 * set.
 */
static int arm(int fd)
{
	const struct itimerspec never = {.it_value = {.tv_sec = (time_t)1 << 33}};

	return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

void kclock_was_set(struct kernel *k)
{
	uint64_t n;

	if (read(k->clock_fd, &n, sizeof(n)) < 0 && errno != ECANCELED)
		return;
	arm(k->clock_fd);
	/* From now on, the age of a packet that arrived before this moment is unknown. */
	__atomic_store_n(&k->globals->clock_set, now_monotonic(), __ATOMIC_SEQ_CST);
	kclock_read(k);
}

int kstamps_open(struct kernel *k, struct diag *d)
{
	const int on = 1;

	if (!k->p->stamps)
		return 0;
	k->clock_fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	if (k->clock_fd < 0 || arm(k->clock_fd))
		return diag_error(d, D_SYS, NOLOC,
				  "cannot watch for changes of the system clock: %s",
				  strerror(errno));
	kclock_read(k);
	k->stamps = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (k->stamps < 0 || setsockopt(k->stamps, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)))
		return diag_error(d, D_SYS, NOLOC,
				  "cannot make the kernel timestamp arriving packets: %s",
				  strerror(errno));
	return 0;
}

void kstamps_close(struct kernel *k)
{
	if (k->stamps >= 0)
		close(k->stamps);
	if (k->clock_fd >= 0)
		close(k->clock_fd);
	k->stamps = k->clock_fd = -1;
}
