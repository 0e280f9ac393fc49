/*
 * sieve.h - -x filter: which packets of a capture are looked at, as tcpdump says it.
 *
 * libpcap's compiler makes a program of it for each type of link in the file.
 */
#ifndef REPLAY_SIEVE_H
#define REPLAY_SIEVE_H

struct diag;
struct packet;
struct sieve;
struct src;

/*
 * Loads libpcap.  @expression is looked at when the first packet comes, as it depends on the link;
 * it must live as long as the sieve, and as errors in it, which point into it.  NULL with the
 * error in @d: there is no libpcap.
 */
struct sieve *sieve_new(const struct src *expression, struct diag *d);

void sieve_free(struct sieve *s);

/*
 * 1: the packet is to be looked at; 0: it is not; -1 with the error in @d: the expression is none.
 */
int sieve_passes(struct sieve *s, const struct packet *p, struct diag *d);

#endif
