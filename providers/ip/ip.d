/*
 * ip.d - packets that IP sends and receives, IPv4 and IPv6.
 *
 * The owner of a packet's socket is args[1]: cs_pid, cs_execname. The variables pid and execname are
 * those of the thread that a packet or a timer interrupted.
 */
#pragma D attributes Evolving/Evolving/ISA provider ip provider
#pragma D attributes Private/Private/Unknown provider ip module
#pragma D attributes Private/Private/Unknown provider ip function
#pragma D attributes Evolving/Evolving/ISA provider ip name
#pragma D attributes Evolving/Evolving/ISA provider ip args

provider ip {
	/*
	 * IP sends a packet. The probe fires once for each datagram of a socket of this host,
	 * before fragmentation and segmentation, and once for each packet that is forwarded or sent
	 * without a socket. In replay it fires for each packet, also for a fragment.
	 */
	probe send(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct net_device *dev,
	    struct iphdr *ip4, struct ipv6hdr *ip6, uint32_t len,
	    int out, struct udphdr *l4) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), ifinfo_t *dev, ipv4info_t *ip4,
	    ipv6info_t *ip6);
	/*
	 * IP gets a packet that is for this host or that it will forward. The probe fires once,
	 * also if the packet came through a bridge, bond or VLAN. If IP refuses the header of
	 * a packet, only ip:::drop fires for that packet. On kernels without function tracing, the probe fires
	 * when the network stack gets the packet.
	 */
	probe receive(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct net_device *dev,
	    struct iphdr *ip4, struct ipv6hdr *ip6, uint32_t len,
	    int out, struct udphdr *l4) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), ifinfo_t *dev, ipv4info_t *ip4,
	    ipv6info_t *ip6);

	/*
	 * The kernel drops a packet without having used it. If the IP header is wrong or cut, so
	 * that IP does not accept it, args[2], args[4] and args[5] have no header. Other systems do
	 * not have this probe, and it fires in live runs only.
	 */
	probe drop(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct net_device *dev,
	    struct iphdr *ip4, struct ipv6hdr *ip6, uint32_t len,
	    int reason, void *location, int out, struct udphdr *l4) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), ifinfo_t *dev, ipv4info_t *ip4,
	    ipv6info_t *ip6, dropinfo_t *(reason, location, skb));
};

/*
 * The header of a packet just received. If it is in pages instead of the linear part, it is copied.
 */
inline struct iphdr *__rx_ip = (struct iphdr *)__ip_header(args[0]);

/* The same header as __rx_ip, but found after VLAN tags that are still in the frame. */
inline struct iphdr *__rx_untagged = (struct iphdr *)__ip_header(args[0], 1);
inline int __is_ip[int p] = p == htons(__ETH_P_IP) || p == htons(__ETH_P_IPV6);
inline int __is_tag[int p] = p == htons(__ETH_P_8021Q) || p == htons(__ETH_P_8021AD);
inline uint32_t __rx_len = args[0]->len - (__is_ip[args[0]->protocol] ? 0 :
	__is_tag[*(uint16_t *)(args[0]->data + 2)] ? 8 : 4);

/*
 * The IP header of a packet just received. The data begins at that header, or at VLAN tags if they
 * are still in the frame.
 */
inline struct iphdr *__rx_in_place = (struct iphdr *)(args[0]->data +
	(__is_ip[args[0]->protocol] ? 0 : __is_tag[*(uint16_t *)(args[0]->data + 2)] ? 8 : 4));

/*
 * Does IP accept header @h of a received packet, where @len bytes begin? It drops other packets at
 * once (ip_rcv_core(), ip6_rcv_core()), so they do not count. Only TCP in a packet that receive
 * offload has merged (gso_size) may have a total length of 0. Of hop-by-hop options, the first one is
 * checked, if it is in the linear buffer; @h may be a copy of the header at @at. Replay has done these checks before.
 */
inline int __JUMBO = 0xc2;
inline int __rx_gso = __either(((struct skb_shared_info *)(args[0]->head + args[0]->end))->gso_size != 0, 1);
inline int __rx_is4[struct iphdr *h, uint32_t len] = h->version == 4 && h->ihl >= 5 && h->ihl * 4 <= len &&
	(h->tot_len == 0 ? __rx_gso : ntohs(h->tot_len) >= h->ihl * 4 && ntohs(h->tot_len) <= len);
inline int __rx_is6[struct iphdr *h, uint32_t len, unsigned char *at] = h->version == 6 &&
	__ip_says_length[h, len] <= len && (((struct ipv6hdr *)h)->nexthdr != IPPROTO_HOPOPTS ||
	 __there[args[0], at] < 48 || (48 + 8 * *(at + 41) <= __ip_says_length[h, len] &&
	 (*(at + 42) == 0 || 4 + *(at + 43) <= 8 + 8 * *(at + 41)) && (*(at + 42) != __JUMBO ||
	 (((struct ipv6hdr *)h)->payload_len == 0 && ntohl(*(uint32_t *)(at + 44)) > 65535 &&
	  ntohl(*(uint32_t *)(at + 44)) <= len - 40))));
inline int __rx_is[struct iphdr *h, int protocol, uint32_t len] = h != NULL && (!__live ||
	(h->version == 4 ? protocol != htons(__ETH_P_IPV6) && __rx_is4[h, len] :
	 protocol != htons(__ETH_P_IP) && __rx_is6[h, len, (unsigned char *)__rx_in_place]));

/* The number of the packet's bytes that are in one piece of memory from address @h on. */
inline int64_t __there[struct sk_buff *s, unsigned char *h] = (int64_t)(s->data - h) + s->len - s->data_len;

/*
 * __rx_ours: the frame is not addressed to another host, and its device is no port of a bridge. A
 * frame that the bridge keeps comes again at the bridge's own device. __rx_again: the frame was
 * seen before, and has come back through another device (ifb). __rx_vlan: the frame has no VLAN
 * tag, or its device has VLANs.
 */
inline int __rx_ours = args[0]->pkt_type != __PACKET_OTHERHOST &&
	!(args[0]->dev->priv_flags & __IFF_BRIDGE_PORT);
inline int __rx_again = args[0]->tc_skip_classify;
inline int __rx_vlan = (__is_ip[args[0]->protocol] && (args[0]->vlan_tci & 0xfff) == 0) ||
	args[0]->dev->vlan_info != NULL;

/*
 * The word "or" separates groups of hooks, and the first group whose hooks exist is used. The first
 * group needs function tracing, and shows packets that IP gets. The other groups show frames that
 * devices give to the stack: on kernels with VLANs, on other kernels, and in replay.
 */
ip:::receive
	on fbt::ip_rcv_core:entry
	/ args[0]->pkt_type != __PACKET_OTHERHOST && __rx_ip != NULL && __rx_is4[__rx_ip, args[0]->len] /
	(args[0], NULL, __rx_ip, args[0]->dev, __rx_ip, NULL, args[0]->len,
	 0, __l4_behind[args[0], __rx_ip])

	on fbt::ip6_rcv_core:entry
	/ args[0]->pkt_type != __PACKET_OTHERHOST && __rx_ip != NULL && __rx_is6[__rx_ip, args[0]->len, args[0]->data] /
	(args[0], NULL, __rx_ip, args[0]->dev, NULL, (struct ipv6hdr *)__rx_ip, args[0]->len,
	 0, __l4_behind[args[0], __rx_ip])
or
	on rawtp:::netif_receive_skb
	/ __rx_ours && !__rx_again && __rx_vlan && __rx_is[__rx_untagged, args[0]->protocol, __rx_len] /
	(args[0], NULL, __rx_untagged, args[0]->dev, __rx_untagged->version == 4 ? __rx_untagged : NULL,
	 __rx_untagged->version == 6 ? (struct ipv6hdr *)__rx_untagged : NULL, __rx_len,
	 0, __l4_behind[args[0], __rx_untagged])
or
	on rawtp:::netif_receive_skb
	/ __rx_ours && !__rx_again && __is_ip[args[0]->protocol] && __rx_is[__rx_ip, args[0]->protocol, args[0]->len] /
	(args[0], NULL, __rx_ip, args[0]->dev, __rx_ip->version == 4 ? __rx_ip : NULL,
	 __rx_ip->version == 6 ? (struct ipv6hdr *)__rx_ip : NULL, args[0]->len,
	 0, __l4_behind[args[0], __rx_ip])
or
	on rawtp:::netif_receive_skb
	/ __rx_ours && __is_ip[args[0]->protocol] && __rx_is[__rx_ip, args[0]->protocol, args[0]->len] /
	(args[0], NULL, __rx_ip, args[0]->dev, __rx_ip->version == 4 ? __rx_ip : NULL,
	 __rx_ip->version == 6 ? (struct ipv6hdr *)__rx_ip : NULL, args[0]->len,
	 0, __l4_behind[args[0], __rx_ip])
;

/*
 * The second hook adds packets that the first hook does not see: those without a socket (such as
 * forwarded packets), those of TIME_WAIT sockets, some resets, ACKs and SYN+ACKs over IPv6, and the
 * outer packets of tunnels (see __unseen). The second group is for replay.
 */
ip:::send
	on cgroup_skb:::egress
	(args[0], args[0]->sk, __data_ip, args[0]->dev, __data_ip->version == 4 ? __data_ip : NULL,
	 __data_ip->version == 6 ? (struct ipv6hdr *)__data_ip : NULL, args[0]->len,
	 1, __l4_behind[args[0], __data_ip])

	on rawtp:::net_dev_queue
	/ __unseen_send /
	(args[0], NULL, __noted_ip, args[0]->dev, __noted_ip->version == 4 ? __noted_ip : NULL,
	 __noted_ip->version == 6 ? (struct ipv6hdr *)__noted_ip : NULL,
	 args[0]->len - (uint32_t)(args[0]->head + args[0]->network_header - args[0]->data),
	 1, __l4_behind[args[0], __noted_ip])
or
	on cgroup_skb:::egress
	(args[0], args[0]->sk, __data_ip, args[0]->dev, __data_ip->version == 4 ? __data_ip : NULL,
	 __data_ip->version == 6 ? (struct ipv6hdr *)__data_ip : NULL, args[0]->len,
	 1, __l4_behind[args[0], __data_ip])
or
	/* for Linux 6.1: all packets pass these two functions once, whatever their origin */
	on fbt::ip_finish_output:entry
	(args[2], __out_sk, __ip_of[args[2]], args[2]->dev, __ip_of[args[2]], NULL, args[2]->len,
	 1, __l4_behind[args[2], __ip_of[args[2]]])

	on fbt::ip6_finish_output:entry
	(args[2], __out_sk, __ip_of[args[2]], args[2]->dev, NULL, (struct ipv6hdr *)__ip_of[args[2]],
	 args[2]->len, 1, __l4_behind[args[2], __ip_of[args[2]]])
;

/* Fires for any IP packet that the kernel drops, at any place. */
ip:::drop
	on rawtp:::kfree_skb
	/ __dropped && __is_drop /
	(args[0], args[3], __drop_ip, args[0]->dev, __noted_is4 ? __noted_ip : NULL,
	 __noted_is6 ? (struct ipv6hdr *)__noted_ip : NULL, __noted_len, args[2], args[1],
	 __drop_out, __dropped_ip ? __l4_behind[args[0], __noted_ip] : NULL)
or
	on rawtp:::kfree_skb
	/ __dropped && __is_early_drop /
	(args[0], NULL, __drop_ip, args[0]->dev, __noted_is4 ? __noted_ip : NULL,
	 __noted_is6 ? (struct ipv6hdr *)__noted_ip : NULL, __noted_len, args[2], args[1],
	 __drop_out, __dropped_ip ? __l4_behind[args[0], __noted_ip] : NULL)
;
