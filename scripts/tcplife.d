#!/usr/bin/env -S dtrace -s
/*
 * tcplife.d - a line for every TCP connection when it ends: owner, bytes, duration.
 *
 * usage: dtrace tcplife [wide] [-r CAPTURE]
 *
 * Shows connections whose beginning was seen. SENT and RECEIVED are bytes of data by sequence
 * numbers. So data that was sent again counts once, and data that a capture lacks counts too. A
 * connection ends when its last segment is acknowledged, or with a reset.
 *
 * LPORT is this host's port. A long address (IPv6) begins a new line. With the argument wide, a
 * line is wider than 80 columns and also has the user, the container, the network namespace and
 * both addresses.
 *
 * With -x slower=10s it prints only connections that lasted that long.
 *
 *	    PID COMMAND              SENT  RECEIVED      MS LPORT REMOTE           PORT
 *	   4711 curl                   18      1000       6 40000 192.0.2.2          80
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";

/* Printed before the remote address: a long one (IPv6) begins a new line. */
inline string NEXT = strlen(args[3]->tcps_raddr) > 15 ? "\n                                   " : " ";

inline int DATA = args[2]->ip_plength - args[4]->tcp_offset;

BEGIN
/$$1 != "" && !WIDE/
{
	printf("usage: dtrace tcplife [wide] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
/WIDE/
{
	printf("%7s %-15s %-12s %-12s %-15s %9s %9s %7s %-39s %5s %-39s %5s\n", "PID", "COMMAND", "USER", "CONTAINER", "NETNS",
	    "SENT", "RECEIVED", "MS", "LOCAL", "LPORT", "REMOTE", "PORT");
}

BEGIN
/!WIDE/
{
	printf("%7s %-15s %9s %9s %7s %5s %-15s %5s\n", "PID", "COMMAND", "SENT", "RECEIVED", "MS", "LPORT",
	    "REMOTE", "PORT");
}

/* Data within the handshake (Fast Open) counts.  sent_to, received_to: the highest sequence numbers. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_ESTABLISHED/
{
	begun[args[1]->cs_cid] = timestamp;
	sent[args[1]->cs_cid] = (uint32_t)(args[3]->tcps_snxt - args[3]->tcps_iss - 1);
	received[args[1]->cs_cid] = args[5]->tcps_state == TCP_STATE_SYN_RECEIVED ?
	    (uint32_t)(args[3]->tcps_rnxt - args[3]->tcps_irs - 1) : 0;
	sent_to[args[1]->cs_cid] = args[3]->tcps_snxt;
	received_to[args[1]->cs_cid] = args[3]->tcps_rnxt;
}

tcp:::send
/DATA > 0 && begun[args[1]->cs_cid] != 0 &&
 (int)(args[4]->tcp_seq + DATA - sent_to[args[1]->cs_cid]) > 0/
{
	sent[args[1]->cs_cid] += (uint32_t)(args[4]->tcp_seq + DATA - sent_to[args[1]->cs_cid]);
	sent_to[args[1]->cs_cid] = args[4]->tcp_seq + DATA;
}

tcp:::receive
/DATA > 0 && begun[args[1]->cs_cid] != 0 &&
 (int)(args[4]->tcp_seq + DATA - received_to[args[1]->cs_cid]) > 0/
{
	received[args[1]->cs_cid] += (uint32_t)(args[4]->tcp_seq + DATA - received_to[args[1]->cs_cid]);
	received_to[args[1]->cs_cid] = args[4]->tcp_seq + DATA;
}

inline int ENDS = (args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT) &&
	begun[args[1]->cs_cid] != 0;

tcp:::state-change
/WIDE && ENDS && timestamp - begun[args[1]->cs_cid] >= slower/
{
	this->ms = (timestamp - begun[args[1]->cs_cid]) / 1000000;
	printf("%7d %-15S %-12S %-12S %-15S %9d %9d %7d %-39s %5d %-39s %5d\n", args[1]->cs_pid, args[1]->cs_execname,
	    args[1]->cs_user, args[1]->cs_container, args[1]->cs_netns_name, sent[args[1]->cs_cid], received[args[1]->cs_cid],
	    this->ms, args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr,
	    args[3]->tcps_rport);
}

tcp:::state-change
/!WIDE && ENDS && timestamp - begun[args[1]->cs_cid] >= slower/
{
	this->ms = (timestamp - begun[args[1]->cs_cid]) / 1000000;
	printf("%7d %-15S %9d %9d %7d %5d%s%-15s %5d\n", args[1]->cs_pid, args[1]->cs_execname,
	    sent[args[1]->cs_cid], received[args[1]->cs_cid], this->ms,
	    args[3]->tcps_lport, NEXT, args[3]->tcps_raddr, args[3]->tcps_rport);
}

tcp:::state-change
/ENDS/
{
	begun[args[1]->cs_cid] = 0;
	sent[args[1]->cs_cid] = 0;
	received[args[1]->cs_cid] = 0;
	sent_to[args[1]->cs_cid] = 0;
	received_to[args[1]->cs_cid] = 0;
}
