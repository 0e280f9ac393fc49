/*
 * net.d - names that every network provider shares.
 *
 * Values are Linux's; where systems differ the portable way is the name.
 */

typedef struct in6_addr in6_addr_t;

inline int AF_INET = 2;
inline int AF_INET6 = 10;

inline int IPPROTO_IP = 0;
inline int IPPROTO_HOPOPTS = 0;
inline int IPPROTO_ICMP = 1;
inline int IPPROTO_IGMP = 2;
inline int IPPROTO_IPIP = 4;
inline int IPPROTO_IPV4 = 4;
inline int IPPROTO_TCP = 6;
inline int IPPROTO_EGP = 8;
inline int IPPROTO_PUP = 12;
inline int IPPROTO_UDP = 17;
inline int IPPROTO_IDP = 22;
inline int IPPROTO_TP = 29;
inline int IPPROTO_DCCP = 33;
inline int IPPROTO_IPV6 = 41;
inline int IPPROTO_ROUTING = 43;
inline int IPPROTO_FRAGMENT = 44;
inline int IPPROTO_RSVP = 46;
inline int IPPROTO_GRE = 47;
inline int IPPROTO_ESP = 50;
inline int IPPROTO_AH = 51;
inline int IPPROTO_MOBILE = 55;
inline int IPPROTO_ICMPV6 = 58;
inline int IPPROTO_NONE = 59;
inline int IPPROTO_DSTOPTS = 60;
inline int IPPROTO_OSPF = 89;
inline int IPPROTO_MTP = 92;
inline int IPPROTO_BEETPH = 94;
inline int IPPROTO_ETHERIP = 97;
inline int IPPROTO_ENCAP = 98;
inline int IPPROTO_PIM = 103;
inline int IPPROTO_COMP = 108;
inline int IPPROTO_IPCOMP = 108;
inline int IPPROTO_SCTP = 132;
inline int IPPROTO_MH = 135;
inline int IPPROTO_UDPLITE = 136;
inline int IPPROTO_RAW = 255;
inline int IPPROTO_MAX = 256;

inline int IPH_DF = 0x4000;
inline int IPH_MF = 0x2000;
inline int IFF_LOOPBACK = 0x8;

/* What ipv4_protostr and ipv6_nextstr show: a name, else the number. */
inline string __protostr[int p] =
	p == 6 ? "TCP" : p == 17 ? "UDP" : p == 1 ? "ICMP" : p == 58 ? "ICMPv6" :
	p == 0 ? "IP" : p == 2 ? "IGMP" : p == 8 ? "EGP" : p == 41 ? "IPv6" :
	p == 43 ? "ROUTE" : p == 50 ? "ESP" : p == 51 ? "AH" : p == 89 ? "OSPF" :
	p == 103 ? "PIM" : p == 132 ? "SCTP" : p == 255 ? "RAW" : lltostr(p);

/* FreeBSD's table of protocol names. */
inline string protocols[int p] =
	p == 0 ? "IP" : p == 1 ? "ICMP" : p == 2 ? "IGMP" : p == 4 ? "IPV4" : p == 6 ? "TCP" :
	p == 17 ? "UDP" : p == 41 ? "IPV6" : p == 43 ? "ROUTING" : p == 44 ? "FRAGMENT" :
	p == 46 ? "RSVP" : p == 47 ? "GRE" : p == 50 ? "ESP" : p == 51 ? "AH" : p == 55 ? "MOBILE" :
	p == 58 ? "ICMPV6" : p == 60 ? "DSTOPTS" : p == 97 ? "ETHERIP" : p == 103 ? "PIM" :
	p == 108 ? "IPCOMP" : p == 132 ? "SCTP" : p == 255 ? "RAW" : "<unknown>";
