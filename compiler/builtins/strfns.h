/* strfns.h - subroutines that find, copy or change parts of strings, for the table in subrs.c. */
#ifndef COMPILER_BUILTINS_STRFNS_H
#define COMPILER_BUILTINS_STRFNS_H

#include <stdint.h>

struct dest;
struct expr;
struct fire;

/*
 * chars_NAME() emits code for @call, a call of subroutine NAME, whose result is a string; the code
 * writes the string to @d. emit_NAME() emits code for a call whose result is a number, and returns
 * a register with the number. The arguments are type-checked already. In the table of subrs.c,
 * these functions are the members `chars` and `emit`.
 */
void chars_substr(struct fire *g, const struct expr *call, struct dest d);
void chars_toupper(struct fire *g, const struct expr *call, struct dest d);
void chars_tolower(struct fire *g, const struct expr *call, struct dest d);
void chars_json(struct fire *g, const struct expr *call, struct dest d);
/* Writes inet_ntoa6(address, 1), the address in the form of RFC 5952. */
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

/* The functions `emit` of strtoll(), index() and rindex() in the table of subrs.c. */
int emit_strtoll(struct fire *g, struct expr **arg, uint32_t narg);
int emit_index(struct fire *g, struct expr **arg, uint32_t narg);
int emit_rindex(struct fire *g, struct expr **arg, uint32_t narg);

/* Writes copyinstr(), a string in the memory of a process. */
void chars_copyinstr(struct fire *g, const struct expr *call, struct dest d);
/* Writes __psargs(), the arguments in the memory of a process. */
void chars_psargs(struct fire *g, const struct expr *call, struct dest d);

#endif
