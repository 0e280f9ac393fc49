/* when.h - times on the command line. */
#ifndef FLEET_WHEN_H
#define FLEET_WHEN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads a time: "now", "-2h" before @now (s, m, h or d), "@SECONDS" since 1970, "HH:MM" of the day
 * of
 * @now, or "YYYY-MM-DD[ HH:MM[:SS]]", in the local time zone. @now and the result are ns since
 * 1970. Returns false if @text is no such time.
 */
bool when_parse(const char *text, uint64_t now, uint64_t *ns);

#endif
