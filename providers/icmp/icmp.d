/*
 * icmp.d - messages of ICMP and ICMPv6, where IP sends and receives them.
 *
 * The owner of a packet's socket is args[1]: cs_pid, cs_execname. The variables pid and execname are
 * those of the thread that a packet interrupted.
 *
 * The probes fire at the hooks of ip.d.
 */
#pragma D attributes Evolving/Evolving/ISA provider icmp provider
#pragma D attributes Private/Private/Unknown provider icmp module
#pragma D attributes Private/Private/Unknown provider icmp function
#pragma D attributes Evolving/Evolving/ISA provider icmp name
#pragma D attributes Evolving/Evolving/ISA provider icmp args

provider icmp {
	/*
	 * This host sends or forwards a message. If it forwards the fragments of a message, the first
	 * fragment fires the probe. Other systems do not have this probe.
	 */
	probe send(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct net_device *dev,
	    struct icmphdr *icmp, struct iphdr *quoted, uint32_t len,
	    int out, struct udphdr *none) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), ifinfo_t *dev,
	    icmpinfo_t *(icmp, ip, quoted));
	/*
	 * This host gets a message that is for it or that it will forward. If the message is in
	 * fragments, the first fragment fires the probe. Other systems do not have this probe.
	 */
	probe receive(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct net_device *dev,
	    struct icmphdr *icmp, struct iphdr *quoted, uint32_t len,
	    int out, struct udphdr *none) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), ifinfo_t *dev,
	    icmpinfo_t *(icmp, ip, quoted));
};

/*
 * Is the packet at @h the first fragment of an ICMPv6 message? The fragment header has the
 * protocol, a reserved byte, and 16 bits with the offset and three flags (RFC 8200).
 */
inline int __is_first_icmp6[unsigned char *h] = ((struct ipv6hdr *)h)->nexthdr == IPPROTO_FRAGMENT &&
	h[40] == IPPROTO_ICMPV6 && (*(uint16_t *)(h + 42) & htons(0xfff8)) == 0;

/*
 * The offset of ICMP in the packet: after the IP header, and for IPv6 after one extension header if
 * there is one.
 */
inline uint32_t __icmp_at[struct iphdr *h] = h->version == 4 ? h->ihl * 4 :
	((struct ipv6hdr *)h)->nexthdr == IPPROTO_ICMPV6 ? 40 :
	((struct ipv6hdr *)h)->nexthdr == IPPROTO_FRAGMENT ? 48 : 48 + 8 * *((unsigned char *)h + 41);

/* Is the packet a message of at least eight bytes? Hosts drop shorter messages. */
inline int __is_icmp[struct iphdr *h, uint32_t len] = (h->version == 4 ?
	h->protocol == IPPROTO_ICMP && (h->frag_off & htons(0x1fff)) == 0 :
	h->version == 6 && (__ip_protocol[h] == IPPROTO_ICMPV6 || __is_first_icmp6[(unsigned char *)h])) &&
	__ip_length[h, len] >= __icmp_at[h] + 8;

inline struct icmphdr *__icmp[struct sk_buff *s, struct iphdr *h] =
	__there[s, (unsigned char *)h] < __icmp_at[h] + 8 ? NULL : (struct icmphdr *)((unsigned char *)h + __icmp_at[h]);

/*
 * The IP header of the packet that an error quotes. NULL if the message is no error, or if the
 * quoted header and the eight bytes after it are not all in memory and in the message. NULL also if
 * the quoted header has another version or an impossible length; its length of the packet may be
 * anything, because the error quotes only the start.
 */
inline struct iphdr *__quote[struct iphdr *h] = (struct iphdr *)((unsigned char *)h + __icmp_at[h] + 8);
inline int64_t __quote_room[struct sk_buff *s, struct iphdr *h, uint32_t len] =
	(__there[s, (unsigned char *)h] < __ip_length[h, len] ? __there[s, (unsigned char *)h] : __ip_length[h, len]) -
	__icmp_at[h] - 8;
inline struct iphdr *__quoted[struct sk_buff *s, struct iphdr *h, uint32_t len] =
	__quote_room[s, h, len] < (h->version == 4 ? 28 : 48) ? NULL :
	__icmp_quotes[h, *((unsigned char *)h + __icmp_at[h])] && __quote[h]->version == h->version &&
	(h->version == 6 || (__quote[h]->ihl >= 5 && __quote[h]->ihl * 4 + 8 <= __quote_room[s, h, len])) ?
	__quote[h] : NULL;

icmp:::receive
	on fbt::ip_rcv_core:entry
	/ args[0]->pkt_type != __PACKET_OTHERHOST && __rx_ip != NULL && __rx_is4[__rx_ip, args[0]->len] && __is_icmp[__rx_ip, args[0]->len] /
	(args[0], NULL, __rx_ip, args[0]->dev, __icmp[args[0], __data_ip], __quoted[args[0], __data_ip, args[0]->len], args[0]->len,
	 0, NULL)

	on fbt::ip6_rcv_core:entry
	/ args[0]->pkt_type != __PACKET_OTHERHOST && __rx_ip != NULL && __rx_is6[__rx_ip, args[0]->len, args[0]->data] && __is_icmp[__rx_ip, args[0]->len] /
	(args[0], NULL, __rx_ip, args[0]->dev, __icmp[args[0], __data_ip], __quoted[args[0], __data_ip, args[0]->len], args[0]->len,
	 0, NULL)
or
	on rawtp:::netif_receive_skb
	/ __rx_ours && !__rx_again && __rx_vlan && __rx_is[__rx_untagged, args[0]->protocol, __rx_len] && __is_icmp[__rx_untagged, __rx_len] /
	(args[0], NULL, __rx_untagged, args[0]->dev, __icmp[args[0], __rx_in_place], __quoted[args[0], __rx_in_place, __rx_len],
	 __rx_len, 0, NULL)
or
	on rawtp:::netif_receive_skb
	/ __rx_ours && __is_ip[args[0]->protocol] && __rx_is[__rx_ip, args[0]->protocol, args[0]->len] && __is_icmp[__rx_ip, args[0]->len] /
	(args[0], NULL, __rx_ip, args[0]->dev, __icmp[args[0], __data_ip], __quoted[args[0], __data_ip, args[0]->len], args[0]->len,
	 0, NULL)
;

icmp:::send
	on cgroup_skb:::egress
	/ __is_icmp[__data_ip, args[0]->len] /
	(args[0], args[0]->sk, __data_ip, args[0]->dev, __icmp[args[0], __data_ip], __quoted[args[0], __data_ip, args[0]->len],
	 args[0]->len, 1, NULL)

	on rawtp:::net_dev_queue
	/ __unseen_send && __is_icmp[__noted_ip, __noted_len] /
	(args[0], NULL, __noted_ip, args[0]->dev, __icmp[args[0], __noted_ip], __quoted[args[0], __noted_ip, __noted_len],
	 args[0]->len - (uint32_t)(args[0]->head + args[0]->network_header - args[0]->data), 1, NULL)
or
	on cgroup_skb:::egress
	/ __is_icmp[__data_ip, args[0]->len] /
	(args[0], args[0]->sk, __data_ip, args[0]->dev, __icmp[args[0], __data_ip], __quoted[args[0], __data_ip, args[0]->len],
	 args[0]->len, 1, NULL)
or
	on fbt::ip_finish_output:entry
	/ __is_icmp[__ip_of[args[2]], args[2]->len] /
	(args[2], __out_sk, __ip_of[args[2]], args[2]->dev, __icmp[args[2], __ip_of[args[2]]],
	 __quoted[args[2], __ip_of[args[2]], args[2]->len], args[2]->len, 1, NULL)

	on fbt::ip6_finish_output:entry
	/ __is_icmp[__ip_of[args[2]], args[2]->len] /
	(args[2], __out_sk, __ip_of[args[2]], args[2]->dev, __icmp[args[2], __ip_of[args[2]]],
	 __quoted[args[2], __ip_of[args[2]], args[2]->len], args[2]->len, 1, NULL)
;
