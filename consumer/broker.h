/*
 * broker.h - runs commands and opens files for a replay that has given up its rights.
 *
 * The broker is a process that is forked before dtrace reads the capture, so it has the compiled
 * program and all rights. The consumer asks it over a socket (sandbox/rpc.h) to do action N of
 * clause M with the bytes that the clause recorded. The broker itself builds the command or file
 * name from the format in the program. So an attacker who controls the reader of the capture can
 * run only the commands of the program.
 */
#ifndef CONSUMER_BROKER_H
#define CONSUMER_BROKER_H

#include <stdbool.h>
#include <stdio.h>

struct broker;
struct diag;
struct outside;
struct program;

/*
 * Returns whether @p has an action that is done outside of dtrace: system(), freopen() or pcap().
 */
bool broker_is_needed(const struct program *p);

/*
 * Forks the broker for program @p. @out: the output of its commands, until freopen() redirects it.
 * Returns NULL with the error in @d. The broker ends with broker_stop(), and also when this process
 * dies. Borrows @p.
 */
struct broker *broker_start(const struct program *p, FILE *out, struct diag *d);

/* Returns the functions that ask @b, for struct consumer_opts. They borrow @b. */
const struct outside *broker_outside(const struct broker *b);

/* Ends the broker, waits for it and frees @b, which may be NULL. */
void broker_stop(struct broker *b);

/*
 * Runs the main loop of the broker: answers requests on @sock. Returns true when the other end
 * closes @sock. Returns false after a malformed request, which was not carried out.
 */
bool broker_serve(int sock, const struct program *p, FILE *out);

#endif
