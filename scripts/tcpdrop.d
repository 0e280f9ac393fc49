#!/usr/bin/env -S dtrace -s
/*
 * tcpdrop.d - a line for every TCP segment that the kernel drops, and why.
 *
 * usage: dtrace tcpdrop [wide | stack]
 *
 * Prints the number of segments for each reason at the end. There, a packet that a device will cut
 * counts as all its segments; it has one line. REASON is the kernel's own name. A
 * SYN to a listener whose queue is full is shown as TCP_LISTEN_OVERFLOW, because the kernel
 * gives no reason for it.
 *
 * MS is milliseconds since the start. PID is the process that owns the socket, or -1. DEVICE is the
 * name of the device on which the segment came in or goes out, #N if the kernel only knows its
 * number, or - if it is unknown.
 *
 * With a long address or a long reason, the destination begins a new line. With the argument stack,
 * the kernel's stack follows each line. With the argument wide, a line is wider than 80 columns and
 * also has the process's name, the device, the socket's state, the state of connection tracking
 * (CT; none if connection tracking has not seen the segment), the firewall's table and chain that
 * dropped the segment (- if no firewall did), and the place in the kernel where it was dropped.
 *
 * Live only.
 *
 *	    MS     PID SOURCE           PORT DESTINATION      PORT REASON
 *	  1000      -1 192.0.2.1       40000 192.0.2.2          81 NO_SOCKET
 *
 *	REASON                         SOCKET             DEVICE          SEGMENTS
 *	NO_SOCKET                      state-closed       eth0                   1
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option live

inline int WIDE = $$1 == "wide";
inline int STACK = $$1 == "stack";
inline int WRONG = $$1 != "" && !WIDE && !STACK;

/* In a socket's queue, the kernel uses skb->dev for other data. */
inline struct sk_buff *SKB = (struct sk_buff *)args[0]->pkt_addr;
inline int KNOWN = SKB->dev != NULL && (SKB->skb_iif == 0 || SKB->dev->ifindex == SKB->skb_iif);
this string device;

inline string FIREWALL = args[5]->drop_table == "-" || args[5]->drop_table == "<unknown>" ? args[5]->drop_table :
	strjoin(args[5]->drop_table, strjoin("/", args[5]->drop_chain));

/* The text before the destination: a blank, or a new line if an address is long. */
inline string NEXT = strlen(args[2]->ip_saddr) > 15 || strlen(args[2]->ip_daddr) > 15 ||
	args[5]->drop_reason == "TCP_INVALID_ACK_SEQUENCE" || args[5]->drop_reason == "TCP_INVALID_END_SEQUENCE" ?
	"\n               " : " ";
inline string NEXT_SYN = strlen(args[2]->ip_saddr) > 15 || strlen(args[2]->ip_daddr) > 15 ? "\n               " : " ";

/* The last segment of a handshake that meets a full queue fires tcp:::drop, so only SYNs count here. */
inline int IS_SYN = (args[4]->tcp_flags & TH_SYN) != 0;

BEGIN
/WRONG/
{
	printf("usage: dtrace tcpdrop [wide | stack]\n");
	exit(1);
}

BEGIN
{
	start = timestamp;
}

BEGIN
/WIDE/
{
	printf("%7s %7s %-15s %-15s %-18s %-11s %-39s %5s %-39s %5s %-30s %-24s %s\n", "MS", "PID", "COMMAND", "DEVICE", "STATE",
	    "CT", "SOURCE", "PORT", "DESTINATION", "PORT", "REASON", "TABLE/CHAIN", "WHERE");
}

BEGIN
/!WIDE/
{
	printf("%6s %7s %-15s %5s %-15s %5s %s\n", "MS", "PID", "SOURCE", "PORT", "DESTINATION", "PORT", "REASON");
}

tcp:::drop
{
	this->time_ms = (timestamp - start) / 1000000;
	this->device = KNOWN ? stringof(SKB->dev->name) : SKB->skb_iif != 0 ? strjoin("#", lltostr(SKB->skb_iif)) : "-";
	@reasons[args[5]->drop_reason, tcp_state_string[args[3]->tcps_state], this->device] = sum(args[4]->tcp_segments);
}

tcp:::drop
/WIDE/
{
	printf("%7d %7d %-15S %-15S %-18s %-11s %-39s %5d %-39s %5d %-30s %-24S %a\n", this->time_ms, args[1]->cs_pid,
	    args[1]->cs_execname, this->device, tcp_state_string[args[3]->tcps_state], args[0]->pkt_ct_state, args[2]->ip_saddr,
	    args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport, args[5]->drop_reason, FIREWALL, args[5]->drop_location);
}

tcp:::drop
/!WIDE && !STACK/
{
	printf("%6d %7d %-15s %5d%s%-15s %5d %s\n", this->time_ms, args[1]->cs_pid, args[2]->ip_saddr,
	    args[4]->tcp_sport, NEXT, args[2]->ip_daddr, args[4]->tcp_dport, args[5]->drop_reason);
}

tcp:::drop
/STACK/
{
	printf("%6d %7d %-15s %5d%s%-15s %5d %s\n", this->time_ms, args[1]->cs_pid, args[2]->ip_saddr,
	    args[4]->tcp_sport, NEXT, args[2]->ip_daddr, args[4]->tcp_dport, args[5]->drop_reason);
	stack();
}

tcp:::listen-overflow
/IS_SYN/
{
	this->time_ms = (timestamp - start) / 1000000;
	this->device = KNOWN ? stringof(SKB->dev->name) : SKB->skb_iif != 0 ? strjoin("#", lltostr(SKB->skb_iif)) : "-";
	@reasons["TCP_LISTEN_OVERFLOW", tcp_state_string[args[3]->tcps_state], this->device] = sum(args[4]->tcp_segments);
}

tcp:::listen-overflow
/IS_SYN && WIDE/
{
	printf("%7d %7d %-15S %-15S %-18s %-11s %-39s %5d %-39s %5d %-30s %-24s %s\n", this->time_ms, args[1]->cs_pid,
	    args[1]->cs_execname, this->device, tcp_state_string[args[3]->tcps_state], args[0]->pkt_ct_state, args[2]->ip_saddr,
	    args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport, "TCP_LISTEN_OVERFLOW", "-", "-");
}

tcp:::listen-overflow
/IS_SYN && !WIDE/
{
	printf("%6d %7d %-15s %5d%s%-15s %5d %s\n", this->time_ms, args[1]->cs_pid, args[2]->ip_saddr,
	    args[4]->tcp_sport, NEXT_SYN, args[2]->ip_daddr, args[4]->tcp_dport, "TCP_LISTEN_OVERFLOW");
}

END
/!WRONG/
{
	printf("\n%-30s %-18s %-15s %8s\n", "REASON", "SOCKET", "DEVICE", "SEGMENTS");
	printa("%-30s %-18s %-15S %@8d\n", @reasons);
}
