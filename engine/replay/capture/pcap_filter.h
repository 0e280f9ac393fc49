/*
 * pcap_filter.h - chooses the packets of a capture by the expression of -x filter, which is in
 * tcpdump's language.
 */
#ifndef ENGINE_REPLAY_CAPTURE_PCAP_FILTER_H
#define ENGINE_REPLAY_CAPTURE_PCAP_FILTER_H

struct diag;
struct packet;
struct pcap_filter;
struct src;

/*
 * Loads libpcap, and compiles @expression for each link type that replay can dissect. The compiler
 * may read /etc/services and ask the DNS, so call this function before rights are given up.
 * @expression must outlive the filter and its errors, which point into the text. Returns NULL, with
 * the error in @d, if libpcap is missing. An error in the expression is reported by
 * pcap_filter_matches(), because the expression may be wrong for some link types only.
 */
struct pcap_filter *pcap_filter_new(const struct src *expression, struct diag *d);

void pcap_filter_free(struct pcap_filter *s);

/*
 * Returns 1 if @p passes the filter, or has a link type that replay does not know; 0 if it does not
 * pass; -1, with the error in @d, if the expression does not compile for its link type.
 */
int pcap_filter_matches(struct pcap_filter *s, const struct packet *p, struct diag *d);

#endif
