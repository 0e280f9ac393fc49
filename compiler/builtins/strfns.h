/*
 * strfns.h - subroutines that take strings apart, for the rows of subrs.c.
 */
#ifndef COMPILER_BUILTINS_STRFNS_H
#define COMPILER_BUILTINS_STRFNS_H

#include <stdint.h>

struct dest;
struct expr;
struct fire;

/*
 * chars_NAME() emits code that writes the result of a call of subroutine NAME, a string, to @d.
 * @call is the call, with typed arguments. emit_NAME() emits code for a number, and returns its
 * register. subrs.c has them as `chars` and `emit` of its rows.
 */
void chars_substr(struct fire *g, const struct expr *call, struct dest d);
void chars_toupper(struct fire *g, const struct expr *call, struct dest d);
void chars_tolower(struct fire *g, const struct expr *call, struct dest d);
void chars_json(struct fire *g, const struct expr *call, struct dest d);
/* inet_ntoa6(address, 1): the address as RFC 5952 writes it. */
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

/* strtoll(), index() and rindex(): `emit` of their rows. */
int emit_strtoll(struct fire *g, struct expr **arg, uint32_t narg);
int emit_index(struct fire *g, struct expr **arg, uint32_t narg);
int emit_rindex(struct fire *g, struct expr **arg, uint32_t narg);

/* copyinstr(): a string in a process's memory. */
void chars_copyinstr(struct fire *g, const struct expr *call, struct dest d);
/* __psargs(): the arguments of a process, from the memory of the process. */
void chars_psargs(struct fire *g, const struct expr *call, struct dest d);

#endif
