/*
 * broker.h - runs commands and opens files for a replay that has given up its rights.
 *
 * The broker is a process that is forked before anything of the capture is read, so it has the
 * program as it was compiled, and all rights.  The consumer asks it over a socket (sandbox/rpc.h)
 * to do action N of clause M, with the bytes that the clause recorded.  The broker makes the
 * command or the name of the file itself, by the format in the program.  So whoever takes over the
 * process that reads the capture gets no other command run than one that the program has.
 */
#ifndef CONSUMER_BROKER_H
#define CONSUMER_BROKER_H

#include <stdbool.h>
#include <stdio.h>

struct broker;
struct diag;
struct outside;
struct program;

/* Has @p actions that are done outside of dtrace: system(), freopen(), pcap()? */
bool broker_is_needed(const struct program *p);

/*
 * Forks the broker for program @p, whose output goes to @out at first.  NULL with the error in @d.
 * It ends when broker_stop() is called, or this process ends, however that is.
 */
struct broker *broker_start(const struct program *p, FILE *out, struct diag *d);

/* The functions that ask @b, for consumer_opts. */
const struct outside *broker_outside(const struct broker *b);

/* Ends the broker, waits for it and frees @b, which may be NULL. */
void broker_stop(struct broker *b);

/*
 * The main loop of the broker: answers requests on @sock.  True: the other end closed it.  False: a
 * request was malformed, and nothing of it was done.
 */
bool broker_serve(int sock, const struct program *p, FILE *out);

#endif
