/*
 * args.h - where the arguments of a static probe are, as its note says.
 */
#ifndef PROVIDERS_USDT_ARGS_H
#define PROVIDERS_USDT_ARGS_H

#include <stdint.h>

struct arena;
struct arg_place;

/*
 * Reads "-4@%edi 8@-8(%rbp) 8@$5" (x86-64) or "-4@w0 8@[sp, 8] 8@5" (arm64).  Returns the places, *@n
 * of them; what is not understood has PLACE_UNKNOWN.
 */
struct arg_place *usdt_args(struct arena *a, const char *text, uint32_t *n);

#endif
