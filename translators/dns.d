/*
 * dns.d - the stable struct of the dns provider: messages of DNS (RFC 1035).
 *
 * A message begins with a header of twelve bytes. The first question follows: a name, a type and a
 * class. A name is a list of labels; a length byte precedes each label. A later name of the message
 * may refer to an earlier name. The name in the first question has no earlier name, so it is whole.
 */

inline string dns_type_string[int t] = t == 1 ? "A" : t == 28 ? "AAAA" : t == 5 ? "CNAME" : t == 12 ? "PTR" :
	t == 15 ? "MX" : t == 2 ? "NS" : t == 6 ? "SOA" : t == 16 ? "TXT" : t == 33 ? "SRV" : t == 65 ? "HTTPS" :
	t == 64 ? "SVCB" : t == 35 ? "NAPTR" : t == 43 ? "DS" : t == 46 ? "RRSIG" : t == 47 ? "NSEC" :
	t == 48 ? "DNSKEY" : t == 50 ? "NSEC3" : t == 52 ? "TLSA" : t == 99 ? "SPF" : t == 257 ? "CAA" :
	t == 251 ? "IXFR" : t == 252 ? "AXFR" : t == 255 ? "ANY" : strjoin("TYPE", lltostr(t));

inline string dns_rcode_string[int r] = r == 0 ? "NOERROR" : r == 1 ? "FORMERR" : r == 2 ? "SERVFAIL" :
	r == 3 ? "NXDOMAIN" : r == 4 ? "NOTIMP" : r == 5 ? "REFUSED" : r == 6 ? "YXDOMAIN" : r == 7 ? "YXRRSET" :
	r == 8 ? "NXRRSET" : r == 9 ? "NOTAUTH" : r == 10 ? "NOTZONE" : r == 16 ? "BADVERS" :
	r == 23 ? "BADCOOKIE" : strjoin("RCODE", lltostr(r));

/* Bits of dns_flags. */
inline uint16_t DNS_QR = 0x8000;        /* the message is a response */
inline uint16_t DNS_AA = 0x0400;        /* the answer comes from an authoritative server */
inline uint16_t DNS_TC = 0x0200;        /* the server truncated the response; TCP can carry all of it */
inline uint16_t DNS_RD = 0x0100;        /* recursion desired: the server should ask other servers */
inline uint16_t DNS_RA = 0x0080;        /* recursion available: the server can ask other servers */
inline uint16_t DNS_AD = 0x0020;        /* the server has checked the signatures */
inline uint16_t DNS_CD = 0x0010;        /* the server should not check signatures */

/*
 * In the inlines below, D is the message, and its first N bytes are in memory. __dns_word is the
 * 16-bit word @i of the header. __dns_asks tells whether the message has a question. __dns_bytes is
 * the length of the question's name: -1 if the name is invalid, or 0 if its end is not in memory.
 */
inline uint16_t __dns_word[unsigned char *D, int i] = ntohs(*(uint16_t *)(D + 2 * i));
inline int __dns_bytes[unsigned char *D, int N] = __dns_length(D + 12, N - 12);
inline int __dns_asks[unsigned char *D] = D != NULL && __dns_word[D, 2] != 0;

/*
 * __dns_named: the question's name is in memory up to its end, or is invalid. __dns_typed: the name
 * is valid, and the type and the class after the name are in memory, too.
 */
inline int __dns_named[unsigned char *D, int N] = __dns_asks[D] && __dns_bytes[D, N] != 0;
inline int __dns_typed[unsigned char *D, int N] = __dns_asks[D] && __dns_bytes[D, N] > 0 &&
	__dns_bytes[D, N] + 16 <= N;
inline int __dns_type[unsigned char *D, int N] = ntohs(*(uint16_t *)(D + 12 + __dns_bytes[D, N]));

/*
 * A result above 15 has its upper bits in an OPT record (RFC 6891 6.1.3), at the end of the message.
 * These results come without other records, so the OPT record follows the question. __dns_opt is its
 * offset: N if the question's end is not in memory.
 */
inline int __dns_opt[unsigned char *D, int N] = !__dns_asks[D] ? 12 :
	__dns_typed[D, N] && __dns_word[D, 2] == 1 ? 16 + __dns_bytes[D, N] : N;
inline int __dns_has_opt[unsigned char *D, int N] = __dns_word[D, 3] == 0 && __dns_word[D, 4] == 0 &&
	__dns_word[D, 5] != 0 && __dns_opt[D, N] + 6 <= N && *(D + __dns_opt[D, N]) == 0 &&
	*(uint16_t *)(D + __dns_opt[D, N] + 1) == htons(41);
inline int __dns_result[unsigned char *D, int N] = (__dns_word[D, 1] & 15) |
	(__dns_has_opt[D, N] ? *(D + __dns_opt[D, N] + 5) << 4 : 0);

/* A message of DNS: its header and its first question. Numbers are in host order. */
typedef struct dnsinfo {
	uint16_t dns_id;		/* number of the query; a response has the same number */
	uint16_t dns_flags;		/* the flags DNS_QR, DNS_AA, DNS_TC, DNS_RD, DNS_RA,
					 * DNS_AD and DNS_CD, or-ed. As on the wire, the word
					 * also has dns_opcode (bits 11 to 14) and the lowest
					 * bits of dns_rcode (bits 0 to 3) */
	uint8_t dns_opcode;		/* operation: 0 for a standard query and its response */
	uint16_t dns_rcode;		/* result: 0 is NOERROR, 3 is NXDOMAIN ...; 0 in a
					 * query. With the upper bits of an OPT record (RFC
					 * 6891), if that record is the first after the question */
	string dns_rcodestr;		/* name of dns_rcode: "NXDOMAIN" */
	string dns_name;		/* name in the question, without the final dot; "." for
					 * the root. A dot within a label is "\.", a backslash
					 * is "\\", and a byte that is not visible ASCII is
					 * "\DDD", in decimal (RFC 1035, RFC 4343). "?" if the
					 * name is invalid, or refers to another name.
					 * "<unknown>" if the message has no question, or if the
					 * end of the name is not in the capture or not in the
					 * first part of the packet's memory */
	uint16_t dns_type;		/* type of record in the question: 1 is A, 28 is AAAA
					 * ...; 0 if not readable */
	string dns_typestr;		/* name of dns_type: "AAAA"; "TYPE4711" if type 4711 has
					 * no name; "<unknown>" if not readable */
	uint16_t dns_class;		/* class in the question: 1 is the Internet; 0 if not
					 * readable */
	uint16_t dns_answers;		/* number of records in the answer; 0 in a query */
	int64_t dns_latency;		/* in a response: nanoseconds since the socket first
					 * sent the query; -1 in a query, and if dtrace did not
					 * see the query */
	uint8_t dns_tcp;		/* 1 if the message is in a TCP segment (captures only),
					 * else 0 */
} dnsinfo_t;

translator dnsinfo_t < unsigned char *D, int N, uint64_t asked, int tcp > {
	dns_id = D == NULL ? 0 : __dns_word[D, 0];
	dns_flags = D == NULL ? 0 : __dns_word[D, 1];
	dns_opcode = D == NULL ? 0 : __dns_word[D, 1] >> 11 & 15;
	dns_rcode = D == NULL ? 0 : __dns_result[D, N];
	dns_rcodestr = D == NULL ? "<unknown>" : dns_rcode_string[__dns_result[D, N]];
	dns_name = __dns_named[D, N] ? __dns_name(D + 12, N - 12) : "<unknown>";
	dns_type = __dns_typed[D, N] ? __dns_type[D, N] : 0;
	dns_typestr = __dns_typed[D, N] ? dns_type_string[__dns_type[D, N]] : "<unknown>";
	dns_class = __dns_typed[D, N] ? ntohs(*(uint16_t *)(D + 14 + __dns_bytes[D, N])) : 0;
	dns_answers = D == NULL ? 0 : __dns_word[D, 3];
	dns_latency = asked == 0 ? -1 : timestamp - asked;
	dns_tcp = tcp;
};
