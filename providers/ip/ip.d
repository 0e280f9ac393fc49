/*
 * ip.d - the ip provider: packets that IP sends and receives.
 *
 * receive: before anything else the stack does with a packet, once, for packets
 * to this host or to be forwarded.  send: once per datagram of a local socket,
 * before fragmentation and segmentation; once per packet forwarded or sent
 * without a socket.
 */

/* include/uapi/linux/if_ether.h, if_packet.h; include/linux/netdevice.h, net/tcp_states.h */
inline int __ETH_P_IP = 0x0800;
inline int __ETH_P_IPV6 = 0x86dd;
inline int __PACKET_OTHERHOST = 3;
inline int __IFF_SLAVE = 0x800;
inline int __IFF_BRIDGE_PORT = 0x200;
inline int __TCP_TIME_WAIT = 6;
inline int __TCP_NEW_SYN_RECV = 12;
inline int __SOCK_STREAM = 1;

provider ip {
	probe send(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct net_device *dev,
	    struct iphdr *ip4, struct ipv6hdr *ip6, uint32_t len) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), ifinfo_t *dev, ipv4info_t *ip4,
	    ipv6info_t *ip6);
	probe receive(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct net_device *dev,
	    struct iphdr *ip4, struct ipv6hdr *ip6, uint32_t len) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), ifinfo_t *dev, ipv4info_t *ip4,
	    ipv6info_t *ip6);
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

inline struct iphdr *__tx_ip = (struct iphdr *)args[0]->data;
inline struct iphdr *__queued_ip = (struct iphdr *)(args[0]->head + args[0]->network_header);

/*
 * A reset or ACK over IPv6 that the stack makes by itself for a socket (6.13 and
 * later; over IPv4, and before, it is not the socket's or not hidden).  Segments
 * that the socket sends have a time; in a capture (namespace 0) it may be 0.
 */
inline int __tx_stamped = args[0]->protocol != htons(__ETH_P_IPV6) ||
	args[0]->sk->__sk_common.skc_state == __TCP_NEW_SYN_RECV ||
	args[0]->sk->sk_type != __SOCK_STREAM || args[0]->sk->sk_protocol != 6 ||
	args[0]->tstamp != 0 || args[0]->dev->nd_net.net->ns.inum == 0;

/*
 * The second hook adds what the first does not see: packets without a socket
 * (forwarded, IPv6 resets), those of TIME_WAIT sockets and IPv6 resets for others.
 * Below a bridge, bond or VLAN device the same packet would be queued once more.
 */
ip:::send
	on cgroup_skb:::egress
	(args[0], args[0]->sk, __tx_ip, args[0]->dev, __tx_ip->version == 4 ? __tx_ip : NULL,
	 __tx_ip->version == 6 ? (struct ipv6hdr *)__tx_ip : NULL, args[0]->len)

	on rawtp:::net_dev_queue
	/ (args[0]->protocol == htons(__ETH_P_IP) || args[0]->protocol == htons(__ETH_P_IPV6)) &&
	  (args[0]->sk == NULL || args[0]->sk->__sk_common.skc_state == __TCP_TIME_WAIT ||
	   !__tx_stamped) &&
	  args[0]->vlan_proto == 0 && !(args[0]->dev->flags & __IFF_SLAVE) &&
	  !(args[0]->dev->priv_flags & __IFF_BRIDGE_PORT) /
	(args[0], NULL, __queued_ip, args[0]->dev, __queued_ip->version == 4 ? __queued_ip : NULL,
	 __queued_ip->version == 6 ? (struct ipv6hdr *)__queued_ip : NULL,
	 args[0]->len - (uint32_t)(args[0]->head + args[0]->network_header - args[0]->data))
;
