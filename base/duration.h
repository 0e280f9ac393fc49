/*
 * duration.h - the suffixes of durations in D, such as "ms" in tick-10ms and -x switchrate=10ms.
 */
#ifndef BASE_DURATION_H
#define BASE_DURATION_H

#include <stdint.h>

/*
 * Returns the number of nanoseconds in the unit @suffix, or 0 if there is no such unit. Upper and
 * lower case are the same.
 */
uint64_t duration_unit(const char *suffix);

#endif
