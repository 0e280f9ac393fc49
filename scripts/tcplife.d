#!/usr/bin/env -S dtrace -s
/*
 * tcplife.d - a line for every TCP connection when it ends: owner, bytes, duration.
 *
 * usage: dtrace tcplife [wide] [-r CAPTURE]
 *
 * Shows connections whose beginning was seen. SENT and RECEIVED are bytes of data, as TCP itself
 * counts them. So retransmitted data counts once, and data that a capture lacks counts if it was
 * acknowledged. Data that came after a gap, or after the process closed the connection, does not
 * count as received. A connection ends when its last segment is acknowledged, or with a reset. A
 * connection by Fast Open that has carried data has a line even if its handshake never ended.
 *
 * LPORT is this host's port. A long address (IPv6) begins a new line. With the argument wide, a
 * line is wider than 80 columns and also has the user, the container, the network namespace and
 * both addresses.
 *
 * With -x slower=10s, the script prints only connections that lasted 10 s or longer.
 *
 *	    PID COMMAND              SENT  RECEIVED      MS LPORT REMOTE           PORT
 *	   4711 curl                   18      1000       6 40000 192.0.2.2          80
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";

/* The text before the remote address: a blank, or a new line if the address is long. */
inline string NEXT = strlen(args[3]->tcps_raddr) > 15 ? "\n                                   " : " ";

/*
 * The script reads TCP's own counters once, because probes at every segment would cost far more. These
 * counters also count SYN and FIN as a byte each, except the SYN of an end that accepts.
 */
inline uint64_t OUT = args[3]->tcps_bytes_acked + (uint32_t)(args[3]->tcps_snxt - args[3]->tcps_suna);
inline uint64_t RECEIVED = args[3]->tcps_bytes_received - args[3]->tcps_fin_received;

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

/*
 * Stores the start of the connection in nanoseconds, times two, plus one if OUT counts the SYN: if
 * this host opened the connection. A restored socket (TCP_REPAIR) goes through SYN_SENT, too, but
 * has sent nothing yet. Fast Open carries data in SYN_RECEIVED, before the handshake ends.
 */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_SYN_RECEIVED/
{
	begun[args[1]->cs_cid] = timestamp << 1 | (args[5]->tcps_state == TCP_STATE_SYN_SENT);
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_ESTABLISHED/
{
	begun[args[1]->cs_cid] = timestamp << 1 | (args[5]->tcps_state == TCP_STATE_SYN_SENT ? OUT != 0 :
	    begun[args[1]->cs_cid] & 1);
}

/* Looks the start up and deletes it once, for all clauses below. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT/
{
	this->begun = begun[args[1]->cs_cid];
	begun[args[1]->cs_cid] = 0;
	this->ns = timestamp - (this->begun >> 1);
}

inline uint64_t SENT = OUT - args[3]->tcps_fin_sent - (this->begun & 1);
inline int64_t ms = this->ns / 1000000;
inline int SHOWN = this->begun != 0 && this->ns >= slower &&
    (args[5]->tcps_state != TCP_STATE_SYN_RECEIVED || RECEIVED != 0 || SENT != 0);

tcp:::state-change
/WIDE && SHOWN/
{
	printf("%7d %-15S %-12S %-12S %-15S %9d %9d %7d %-39s %5d %-39s %5d\n", args[1]->cs_pid, args[1]->cs_execname,
	    args[1]->cs_user, args[1]->cs_container, args[1]->cs_netns_name, SENT, RECEIVED, ms,
	    args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport);
}

tcp:::state-change
/!WIDE && SHOWN/
{
	printf("%7d %-15S %9d %9d %7d %5d%s%-15s %5d\n", args[1]->cs_pid, args[1]->cs_execname,
	    SENT, RECEIVED, ms, args[3]->tcps_lport, NEXT, args[3]->tcps_raddr, args[3]->tcps_rport);
}
