/*
 * pcap.h - functions for pcap() and __capture(), called through the table in actions.c.
 */
#ifndef COMPILER_BUILTINS_PCAP_H
#define COMPILER_BUILTINS_PCAP_H

struct action_info;
struct compiler;
struct dest;
struct expr;
struct fire;

/* The functions `check`, `emit` and `write` in the table; struct action_def describes them. */
int pcap_check(struct compiler *c, struct expr *call);
int capture_check(struct compiler *c, struct expr *call);
void pcap_emit(struct fire *g, const struct expr *call, struct action_info *out);
void pcap_write(struct fire *g, const struct expr *call, struct dest d);

#endif
