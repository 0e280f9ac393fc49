/*
 * pcap_filter.h - -x filter: which packets of a capture are looked at, as tcpdump says it.
 *
 * libpcap's compiler makes a program of it for each type of link in the file.
 */
#ifndef REPLAY_PCAP_FILTER_H
#define REPLAY_PCAP_FILTER_H

struct diag;
struct packet;
struct pcap_filter;
struct src;

/*
 * Loads libpcap.  @expression is looked at when the first packet comes, as it depends on the link;
 * it must live as long as the pcap_filter, and as errors in it, which point into it.  NULL with the
 * error in @d: there is no libpcap.
 */
struct pcap_filter *pcap_filter_new(const struct src *expression, struct diag *d);

void pcap_filter_free(struct pcap_filter *s);

/*
 * 1: the packet is to be looked at; 0: it is not; -1 with the error in @d: the expression is none.
 */
int pcap_filter_matches(struct pcap_filter *s, const struct packet *p, struct diag *d);

#endif
