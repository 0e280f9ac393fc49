/*
 * clock.h - the clocks of clock_gettime(), in nanoseconds.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Reads the clock @id, for example CLOCK_TAI. */
static inline uint64_t now_of(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns the time since 1970. This clock jumps when somebody sets the time. */
static inline uint64_t now_real(void)
{
	return now_of(CLOCK_REALTIME);
}

/*
 * Returns the time by a clock that never runs backwards. The kernel's timestamps use the same
 * clock.
 */
static inline uint64_t now_monotonic(void)
{
	return now_of(CLOCK_MONOTONIC);
}

/* Returns the time since the machine started, including time spent suspended. */
static inline uint64_t now_boot(void)
{
	return now_of(CLOCK_BOOTTIME);
}

#endif
