/* when.h - times on the command line and in output. */
#ifndef FLEET_WHEN_H
#define FLEET_WHEN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Parses a time of the command line. @text may be "now", a time before @now such as "-2h" (with the
 * units s, m, h and d), "@SECONDS" since 1970, "HH:MM" on the day of @now, or "YYYY-MM-DD", which
 * "HH:MM" or "HH:MM:SS" may follow. The last two are in the local time zone. @now and *@ns are in
 * ns since 1970. Returns false if @text is not such a time.
 */
bool when_parse(const char *text, uint64_t now, uint64_t *ns);

enum { WHEN_SIZE = 64 };

/*
 * Writes the time @ns since 1970 to @text, in the local time zone and with its name: "2026-01-12
 * 22:13:21 CET". Returns @text.
 */
const char *when_text(char text[WHEN_SIZE], uint64_t ns);

#endif
