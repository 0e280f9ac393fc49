/*
 * broker.h - runs commands and opens files for a replay that has given up its rights.
 *
 * The broker is a process that is forked before dtrace reads the capture. So the broker has the
 * compiled program and all rights. The consumer sends it requests over a socket (sandbox/rpc.h). A
 * request names an action of a clause, and has the bytes that the clause recorded. The broker
 * itself builds the command or file name from the format in the program. So an attacker who
 * controls the consumer can run only the commands of the program.
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
 * Returns whether @p has an action for which dtrace runs a command or opens a file: system(),
 * freopen() or pcap().
 */
bool broker_is_needed(const struct program *p);

/*
 * Forks the broker for program @p, which is borrowed. @out is the stream that its commands print
 * to, until freopen() redirects the output. Returns NULL with the error in @d. The broker ends when
 * broker_stop() is called, and also when this process dies.
 */
struct broker *broker_start(const struct program *p, FILE *out, struct diag *d);

/*
 * Returns the functions that send requests to @b, for the member outside of struct consumer_opts.
 * They borrow @b.
 */
const struct outside *broker_outside(const struct broker *b);

/* Ends the broker, waits for it and frees @b, which may be NULL. */
void broker_stop(struct broker *b);

/*
 * Runs the main loop of the broker: answers requests on @sock. Returns true when the other end
 * closes @sock. Returns false after a malformed request, which was not carried out.
 */
bool broker_serve(int sock, const struct program *p, FILE *out);

#endif
