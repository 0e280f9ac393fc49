/*
 * packet_filter.h - compiles the expression of -x filter for a live run.
 */
#ifndef CMD_PACKET_FILTER_H
#define CMD_PACKET_FILTER_H

#include "base/diag.h"
#include "ir/classic.h"

/* The program that libpcap made of an expression. If all members are zero, there is no filter. */
struct packet_filter {
	struct src src; /* the expression; positions of errors point into it */
	struct classic_program program;
};

/*
 * Loads libpcap and compiles @expression for packets that begin at their IP header. @expression
 * must outlive @f and @d. Compiling may read /etc/services and ask the DNS, so call this function
 * before rights are given up.
 *
 * Returns 0, or -1 with the error in @d: libpcap is missing, the expression is wrong or too long,
 * or it asks for data that a live packet does not have. The caller calls packet_filter_release() in
 * both cases.
 */
int packet_filter_compile(struct packet_filter *f, const char *expression, struct diag *d);

void packet_filter_release(struct packet_filter *f);

#endif
