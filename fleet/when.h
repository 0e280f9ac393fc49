/* when.h - times on the command line and in output. */
#ifndef FLEET_WHEN_H
#define FLEET_WHEN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Parses a time of the command line. @text is one of these:
 *
 *	now
 *	-2h                      two hours before @now; the units are s, m, h and d
 *	@SECONDS                 seconds since 1970
 *	HH:MM                    on the day of @now, in the local time zone
 *	YYYY-MM-DD               the beginning of the day, in the local time zone
 *	YYYY-MM-DD HH:MM[:SS]    in the local time zone; "T" may replace the blank
 *
 * @now and *@ns are in ns since 1970. Returns false if @text is not such a time.
 */
bool when_parse(const char *text, uint64_t now, uint64_t *ns);

enum { WHEN_SIZE = 64 };

/*
 * Writes the time @ns since 1970 to @text, in the local time zone and with its name: "2026-01-12
 * 22:13:21 CET". Returns @text.
 */
const char *when_text(char text[WHEN_SIZE], uint64_t ns);

#endif
