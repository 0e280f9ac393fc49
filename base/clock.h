/*
 * clock.h - what clock_gettime() knows, in nanoseconds.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* @id: CLOCK_TAI and so on. */
static inline uint64_t now_of(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Since 1970; it jumps when somebody sets it. */
static inline uint64_t now_real(void)
{
	return now_of(CLOCK_REALTIME);
}

/* Since some moment, and never back: what the kernel's timestamps are. */
static inline uint64_t now_monotonic(void)
{
	return now_of(CLOCK_MONOTONIC);
}

/* Since the machine started, its sleep included. */
static inline uint64_t now_boot(void)
{
	return now_of(CLOCK_BOOTTIME);
}

#endif
