/*
 * net.d - packets between the network stack and its devices, and the results of routing and of
 * neighbour discovery.
 *
 * The owner of a packet's socket is args[1]: cs_pid, cs_execname. The variables pid and execname are
 * those of the thread that a packet or a timer interrupted.
 *
 * Other systems do not have this provider. Its probes fire in live runs only.
 */
#pragma D attributes Evolving/Evolving/ISA provider net provider
#pragma D attributes Private/Private/Unknown provider net module
#pragma D attributes Private/Private/Unknown provider net function
#pragma D attributes Evolving/Evolving/ISA provider net name
#pragma D attributes Evolving/Evolving/ISA provider net args

/*
 * The native arguments (arguments before translation) of the probes. The argument ip is NULL if the
 * packet is not IP. The argument queue is -1, and qdisc is NULL, if they are unknown. Filters such
 * as -x port= use out and l4; the member net_data also needs l4.
 */
provider net {
	/*
	 * queue: A packet is about to go to the queueing discipline of a device. If the device has
	 * no such discipline (noqueue), the packet goes to the device immediately. The probe fires
	 * before a device or the kernel cuts the packet into segments.
	 *
	 * dequeue: A queueing discipline releases a packet to the device. If the discipline
	 * releases several packets together, the probe fires for each, at most the first eight.
	 *
	 * start-xmit: A device's driver gets a packet.
	 *
	 * backlog: A packet is put in the queue of a CPU, whose softirq will give it to the network
	 * stack: at loopback, veth and tunnels.
	 *
	 * gro: A driver gives a received packet to GRO, which may merge it with others. gro-done
	 * tells the result.
	 *
	 * rx: A device gives a packet to the network stack, of any protocol. The probe fires once
	 * more for each device on top of that device (bridge, bond, VLAN).
	 */
	probe queue, dequeue, start__xmit, backlog, gro, rx(struct sk_buff *skb, struct sock *sk, struct iphdr *ip,
	    struct net_device *dev, struct Qdisc *qdisc, uint32_t len, int queue, int out,
	    struct udphdr *l4) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), ifinfo_t *dev,
	    netinfo_t *(skb, len, queue, qdisc, ip, l4));

	/*
	 * The driver's function for sending has returned. The packet may be gone by then, so args[0]
	 * has only its address. args[1] and args[2] are NULL.
	 */
	probe xmit__done(uintptr_t skb, struct sock *sk, struct iphdr *ip, struct net_device *dev,
	    int result, uint32_t len, int out, struct udphdr *l4) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), ifinfo_t *dev,
	    xmitinfo_t *(result, len));

	/*
	 * GRO has handled a packet. If GRO has merged it with others, the packet may be freed
	 * already, so args[0] has only its address. Filters do not apply, because there is nothing
	 * to compare.
	 */
	probe gro__done(uintptr_t skb, int result) : (pktinfo_t *skb, groinfo_t *result);

	/*
	 * The kernel frees a packet that was used, sent or dropped. After that, another packet may
	 * get the same address, so programs that remember packets by address forget the packet
	 * here. args[0] has only the address, and filters do not apply. TCP frees the packets that
	 * it has given to a process, or merged in its queue, without this event.
	 */
	probe free(uintptr_t skb) : (pktinfo_t *skb);

	/*
	 * drop: The kernel drops a packet of any protocol without having used it. If a queueing
	 * discipline drops the packet, the reason is a special one where the kernel has it
	 * ("QDISC_OVERLIMIT").
	 *
	 * neigh-failed: A packet is dropped because its next hop does not answer: no ARP reply, no
	 * neighbour advertisement.
	 */
	probe drop, neigh__failed(struct sk_buff *skb, struct sock *sk, struct iphdr *ip,
	    struct net_device *dev, struct Qdisc *qdisc, uint32_t len, int queue, int out,
	    struct udphdr *l4, int reason, void *location) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), ifinfo_t *dev,
	    netinfo_t *(skb, len, queue, qdisc, ip, l4), dropinfo_t *(reason, location, skb));

	/*
	 * The kernel has looked up a route in a table. One packet may need several look-ups, and
	 * most packets of connections need none. There is no packet: args[0] and args[1] are NULL,
	 * args[2] has the addresses that were looked up, and args[3] is the device of the route.
	 */
	probe route(struct sk_buff *skb, struct sock *sk, struct flowi_common *flow, struct net_device *dev,
	    struct fib_nh_common *hop, int version, uint32_t table, int error, struct iphdr *none, int out,
	    struct udphdr *l4) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(flow, version), ifinfo_t *dev,
	    routeinfo_t *(hop, table, error));
};

inline struct iphdr *__net_ip[struct sk_buff *s] = __is_ip[s->protocol] ? __ip_of[s] : NULL;
inline void *__net_l4[struct sk_buff *s] = __is_ip[s->protocol] ? __l4_behind[s, __ip_of[s]] : NULL;
/* The IP header and the transport header of a frame that is received. */
inline struct iphdr *__got_ip = __is_ip[args[0]->protocol] ? __rx_ip : NULL;
inline void *__got_l4 = __is_ip[args[0]->protocol] ? __l4_behind[args[0], __rx_ip] : NULL;

net:::queue
	on rawtp:::net_dev_queue
	(args[0], args[0]->sk, __net_ip[args[0]], args[0]->dev, __qdisc_of[args[0]], args[0]->len,
	 args[0]->queue_mapping, 1, __net_l4[args[0]])
;

net:::start-xmit
	on rawtp:::net_dev_start_xmit
	(args[0], args[0]->sk, __net_ip[args[0]], args[1], __qdisc_of[args[0]], args[0]->len,
	 args[0]->queue_mapping, 1, __net_l4[args[0]])
;

/* The driver may have freed the packet, so the argument is only its address as a number. */
net:::xmit-done
	on rawtp:::net_dev_xmit
	((uintptr_t)args[0], NULL, NULL, args[2], args[1], args[3], 1, NULL)
;

/* Packets that the discipline releases together are linked by ->next. */
net:::dequeue
	on rawtp:::qdisc_dequeue
	/ args[3] != NULL /
	(args[3], args[3]->sk, __net_ip[args[3]], args[3]->dev, args[0], args[3]->len,
	 args[3]->queue_mapping, 1, __net_l4[args[3]])

	on rawtp:::qdisc_dequeue
	/ args[3] != NULL && args[3]->next != NULL /
	(args[3]->next, args[3]->next->sk, __net_ip[args[3]->next], args[3]->next->dev, args[0], args[3]->next->len,
	 args[3]->next->queue_mapping, 1, __net_l4[args[3]->next])

	on rawtp:::qdisc_dequeue
	/ args[3] != NULL && args[3]->next != NULL && args[3]->next->next != NULL /
	(args[3]->next->next, args[3]->next->next->sk, __net_ip[args[3]->next->next], args[3]->next->next->dev, args[0], args[3]->next->next->len,
	 args[3]->next->next->queue_mapping, 1, __net_l4[args[3]->next->next])

	on rawtp:::qdisc_dequeue
	/ args[3] != NULL && args[3]->next != NULL && args[3]->next->next != NULL && args[3]->next->next->next != NULL /
	(args[3]->next->next->next, args[3]->next->next->next->sk, __net_ip[args[3]->next->next->next], args[3]->next->next->next->dev, args[0], args[3]->next->next->next->len,
	 args[3]->next->next->next->queue_mapping, 1, __net_l4[args[3]->next->next->next])

	on rawtp:::qdisc_dequeue
	/ args[3] != NULL && args[3]->next != NULL && args[3]->next->next != NULL && args[3]->next->next->next != NULL && args[3]->next->next->next->next != NULL /
	(args[3]->next->next->next->next, args[3]->next->next->next->next->sk, __net_ip[args[3]->next->next->next->next], args[3]->next->next->next->next->dev, args[0], args[3]->next->next->next->next->len,
	 args[3]->next->next->next->next->queue_mapping, 1, __net_l4[args[3]->next->next->next->next])

	on rawtp:::qdisc_dequeue
	/ args[3] != NULL && args[3]->next != NULL && args[3]->next->next != NULL && args[3]->next->next->next != NULL && args[3]->next->next->next->next != NULL && args[3]->next->next->next->next->next != NULL /
	(args[3]->next->next->next->next->next, args[3]->next->next->next->next->next->sk, __net_ip[args[3]->next->next->next->next->next], args[3]->next->next->next->next->next->dev, args[0], args[3]->next->next->next->next->next->len,
	 args[3]->next->next->next->next->next->queue_mapping, 1, __net_l4[args[3]->next->next->next->next->next])

	on rawtp:::qdisc_dequeue
	/ args[3] != NULL && args[3]->next != NULL && args[3]->next->next != NULL && args[3]->next->next->next != NULL && args[3]->next->next->next->next != NULL && args[3]->next->next->next->next->next != NULL && args[3]->next->next->next->next->next->next != NULL /
	(args[3]->next->next->next->next->next->next, args[3]->next->next->next->next->next->next->sk, __net_ip[args[3]->next->next->next->next->next->next], args[3]->next->next->next->next->next->next->dev, args[0], args[3]->next->next->next->next->next->next->len,
	 args[3]->next->next->next->next->next->next->queue_mapping, 1, __net_l4[args[3]->next->next->next->next->next->next])

	on rawtp:::qdisc_dequeue
	/ args[3] != NULL && args[3]->next != NULL && args[3]->next->next != NULL && args[3]->next->next->next != NULL && args[3]->next->next->next->next != NULL && args[3]->next->next->next->next->next != NULL && args[3]->next->next->next->next->next->next != NULL && args[3]->next->next->next->next->next->next->next != NULL /
	(args[3]->next->next->next->next->next->next->next, args[3]->next->next->next->next->next->next->next->sk, __net_ip[args[3]->next->next->next->next->next->next->next], args[3]->next->next->next->next->next->next->next->dev, args[0], args[3]->next->next->next->next->next->next->next->len,
	 args[3]->next->next->next->next->next->next->next->queue_mapping, 1, __net_l4[args[3]->next->next->next->next->next->next->next])
;

net:::backlog
	on rawtp:::netif_rx
	(args[0], NULL, __got_ip, args[0]->dev, NULL, args[0]->len,
	 args[0]->queue_mapping - 1, 0, __got_l4)
;

net:::gro
	on rawtp:::napi_gro_receive_entry
	(args[0], NULL, __got_ip, args[0]->dev, NULL, args[0]->len,
	 args[0]->queue_mapping - 1, 0, __got_l4)

	on rawtp:::napi_gro_frags_entry
	(args[0], NULL, __got_ip, args[0]->dev, NULL, args[0]->len,
	 args[0]->queue_mapping - 1, 0, __got_l4)
;

/*
 * The tracepoint at GRO's end has no packet, so a clause saves the packet at GRO's beginning. On
 * each CPU, GRO handles one packet at a time.
 */
uintptr_t __gro_packet[int];            /* address of the packet; the key is the CPU */

rawtp:::napi_gro_receive_entry, rawtp:::napi_gro_frags_entry
{
	__gro_packet[cpu] = (uintptr_t)args[0];
}

net:::gro-done
	on rawtp:::napi_gro_receive_exit
	(__gro_packet[cpu], args[0])

	on rawtp:::napi_gro_frags_exit
	(__gro_packet[cpu], args[0])
;

net:::rx
	on rawtp:::netif_receive_skb
	(args[0], NULL, __got_ip, args[0]->dev, NULL, args[0]->len,
	 args[0]->queue_mapping - 1, 0, __got_l4)
;

inline int __from_device = args[0]->protocol != 0 && !__is_copy;
net:::drop
	on rawtp:::kfree_skb
	/ __from_device && __is_drop /
	(args[0], args[3], __drop_ip, args[0]->dev, NULL, args[0]->len, __drop_out ? args[0]->queue_mapping : -1,
	 __drop_out, __drop_ip != NULL ? __l4_behind[args[0], __noted_ip] : NULL, args[2], args[1])
or
	on rawtp:::kfree_skb
	/ __from_device && __is_early_drop /
	(args[0], args[0]->sk, __drop_ip, args[0]->dev, NULL, args[0]->len, __drop_out ? args[0]->queue_mapping : -1,
	 __drop_out, __drop_ip != NULL ? __l4_behind[args[0], __noted_ip] : NULL, args[2], args[1])
;

net:::neigh-failed
	on rawtp:::kfree_skb
	/ args[2] == SKB_DROP_REASON_NEIGH_FAILED /
	(args[0], args[0]->sk, __drop_ip, args[0]->dev, NULL, args[0]->len, -1,
	 1, __drop_ip != NULL ? __l4_behind[args[0], __noted_ip] : NULL, args[2], args[1])
;

/*
 * Fires after the drop probes. So in a drop probe, a program can still look up what it has stored
 * under the address of the packet.
 */
net:::free
	on rawtp:::consume_skb
	((uintptr_t)args[0])

	on rawtp:::kfree_skb
	((uintptr_t)args[0])
;

/*
 * The errno of a route type, RTN_* of include/uapi/linux/rtnetlink.h, as in fib6_prop[] of
 * net/ipv6/route.c.
 */
inline int __route_error[int type] = type == 6 ? 22 : type == 7 ? 113 : type == 8 ? 13 : type == 9 ? 11 : 0;
inline struct fib_nh_common *__hop6 = (struct fib_nh_common *)args[1]->nh;

net:::route
	on rawtp:::fib_table_lookup
	(NULL, NULL, (struct flowi_common *)args[1], args[2] == NULL ? NULL : args[2]->nhc_dev, args[2], 4,
	 args[0], -(int)args[3], NULL, 1, NULL)

	on rawtp:::fib6_table_lookup
	(NULL, NULL, (struct flowi_common *)args[3], __hop6 == NULL ? NULL : __hop6->nhc_dev, __hop6, 6,
	 args[2]->tb6_id, __route_error[args[1]->fib6_type], NULL, 1, NULL)
;

/*
 * Forgets the netfilter chain of a dropped packet. This clause comes after all probes of the drop.
 */
rawtp:::kfree_skb
/ args[2] == SKB_DROP_REASON_NETFILTER_DROP /
{
	__chain[(uintptr_t)args[0]] = 0;
}
