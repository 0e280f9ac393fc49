/*
 * strfns.h - the subroutines that take strings apart: what the rows of subrs.c name.
 */
#ifndef BUILTINS_STRFNS_H
#define BUILTINS_STRFNS_H

#include <stdint.h>

struct dest;
struct expr;
struct fire;

/* The subroutines of those names: what `chars` of a row is, or `emit`. */
void chars_substr(struct fire *g, const struct expr *call, struct dest d);
void chars_toupper(struct fire *g, const struct expr *call, struct dest d);
void chars_tolower(struct fire *g, const struct expr *call, struct dest d);
void chars_json(struct fire *g, const struct expr *call, struct dest d);
/* inet_ntoa6(address, 1): as RFC 5952 wants it. */
void chars_strict6(struct fire *g, const struct expr *call, struct dest d);
void chars_link_ntop(struct fire *g, const struct expr *call, struct dest d);
void chars_strstr(struct fire *g, const struct expr *call, struct dest d);
void chars_strchr(struct fire *g, const struct expr *call, struct dest d);
void chars_strrchr(struct fire *g, const struct expr *call, struct dest d);
void chars_strtok(struct fire *g, const struct expr *call, struct dest d);
void chars_dns_name(struct fire *g, const struct expr *call, struct dest d);
int emit_dns_length(struct fire *g, struct expr **arg, uint32_t narg);
void chars_basename(struct fire *g, const struct expr *call, struct dest d);
void chars_dirname(struct fire *g, const struct expr *call, struct dest d);
void chars_cleanpath(struct fire *g, const struct expr *call, struct dest d);

/* strtoll(), and index() and rindex(): as `emit` of a row. */
int emit_strtoll(struct fire *g, struct expr **arg, uint32_t narg);
int emit_index(struct fire *g, struct expr **arg, uint32_t narg);
int emit_rindex(struct fire *g, struct expr **arg, uint32_t narg);

/* copyinstr(): what a process has in memory. */
void chars_copyinstr(struct fire *g, const struct expr *call, struct dest d);
/* The arguments of a process, where it has them. */
void chars_psargs(struct fire *g, const struct expr *call, struct dest d);

#endif
