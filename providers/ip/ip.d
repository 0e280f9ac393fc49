/*
 * ip.d - the ip provider: packets that IP sends and receives.
 *
 * receive: before anything else the stack does with a packet, once, for packets
 * to this host or to be forwarded.  send: once per datagram of a local socket,
 * before fragmentation and segmentation; once per packet forwarded or sent
 * without a socket.
 */

provider ip {
	probe send(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct net_device *dev,
	    struct iphdr *ip4, struct ipv6hdr *ip6, uint32_t len) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), ifinfo_t *dev, ipv4info_t *ip4,
	    ipv6info_t *ip6);
	probe receive(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct net_device *dev,
	    struct iphdr *ip4, struct ipv6hdr *ip6, uint32_t len) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), ifinfo_t *dev, ipv4info_t *ip4,
	    ipv6info_t *ip6);

	/* Linux's own */
	probe drop(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct net_device *dev,
	    struct iphdr *ip4, struct ipv6hdr *ip6, uint32_t len, int reason, void *location) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), ifinfo_t *dev, ipv4info_t *ip4,
	    ipv6info_t *ip6, dropinfo_t *(reason, location));
};

/* The header of a packet just received.  In pages rather than in the linear part, it is copied. */
inline struct iphdr *__rx_ip = (struct iphdr *)__ip_header(args[0]);

/* What the IP layer itself would drop at once is no packet. */
inline int __rx_valid =
	(args[0]->protocol == htons(__ETH_P_IP) || args[0]->protocol == htons(__ETH_P_IPV6)) &&
	__rx_ip != NULL &&
	(__rx_ip->version == 4 ? args[0]->protocol == htons(__ETH_P_IP) && __rx_ip->ihl >= 5 &&
	    (__rx_ip->tot_len == 0 || ntohs(__rx_ip->tot_len) >= __rx_ip->ihl * 4) :
	    __rx_ip->version == 6 && args[0]->protocol == htons(__ETH_P_IPV6));

/*
 * Frames for other hosts, and frames that a bridge may only switch, are not
 * received; what a bridge keeps comes again with the bridge as its device.
 */
ip:::receive
	on rawtp:::netif_receive_skb
	/ args[0]->pkt_type != __PACKET_OTHERHOST &&
	  !(args[0]->dev->priv_flags & __IFF_BRIDGE_PORT) && __rx_valid /
	(args[0], NULL, __rx_ip, args[0]->dev, __rx_ip->version == 4 ? __rx_ip : NULL,
	 __rx_ip->version == 6 ? (struct ipv6hdr *)__rx_ip : NULL, args[0]->len)
;

/*
 * The second hook adds what the first does not see: packets without a socket
 * (forwarded, IPv6 resets), those of TIME_WAIT sockets and IPv6 resets for others.
 * Below a bridge, bond or VLAN device the same packet would be queued once more.
 */
ip:::send
	on cgroup_skb:::egress
	(args[0], args[0]->sk, __data_ip, args[0]->dev, __data_ip->version == 4 ? __data_ip : NULL,
	 __data_ip->version == 6 ? (struct ipv6hdr *)__data_ip : NULL, args[0]->len)

	on rawtp:::net_dev_queue
	/ __unseen_send /
	(args[0], NULL, __noted_ip, args[0]->dev, __noted_ip->version == 4 ? __noted_ip : NULL,
	 __noted_ip->version == 6 ? (struct ipv6hdr *)__noted_ip : NULL,
	 args[0]->len - (uint32_t)(args[0]->head + args[0]->network_header - args[0]->data))
or
	/* 6.1: all of these pass here, once, whoever sent them. */
	on fbt::ip_finish_output:entry
	(args[2], __out_sk, __ip_of[args[2]], args[2]->dev, __ip_of[args[2]], NULL, args[2]->len)

	on fbt::ip6_finish_output:entry
	(args[2], __out_sk, __ip_of[args[2]], args[2]->dev, NULL, (struct ipv6hdr *)__ip_of[args[2]],
	 args[2]->len)
;

/* Any IP packet that the kernel drops, wherever it was. */
ip:::drop
	on rawtp:::kfree_skb
	/ __dropped_ip && __is_drop /
	(args[0], args[3], __noted_ip, args[0]->dev, __noted_ip->version == 4 ? __noted_ip : NULL,
	 __noted_ip->version == 6 ? (struct ipv6hdr *)__noted_ip : NULL, __noted_len, args[2], args[1])
or
	on rawtp:::kfree_skb
	/ __dropped_ip && args[2] > __DROP_CONSUMED /
	(args[0], NULL, __noted_ip, args[0]->dev, __noted_ip->version == 4 ? __noted_ip : NULL,
	 __noted_ip->version == 6 ? (struct ipv6hdr *)__noted_ip : NULL, __noted_len, args[2], args[1])
;
