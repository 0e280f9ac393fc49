#!/usr/bin/env -S dtrace -s
/*
 * tcpconnlat.d - how long it took to open TCP connections to other hosts.
 *
 * usage: dtrace tcpconnlat [MS] [-r CAPTURE]
 *
 * Prints a line for each connection. With MS, the script prints only connections that took MS
 * milliseconds or longer. At the end, the script prints the times of all connections by remote
 * host, in microseconds. A time runs from the first SYN until the connection is established, even
 * if SYNs are retransmitted. In a capture, it ends with the ACK that ends the handshake. So it is the
 * time that the opener waited, also if the capture was taken near the other host.
 *
 * With -x slower=10ms, connections that opened faster are neither printed nor counted.
 *
 *	    PID COMMAND         REMOTE                                  RPORT   LAT(ms)
 *	   4711 curl            192.0.2.2                                  80     2.000
 *
 *	Microseconds, by remote host:
 *
 *	192.0.2.2
 *	           value  ------------- Distribution ------------- count
 *	            1024 |                                         0
 *	            2048 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3
 *	            4096 |                                         0
 *
 *	    MEAN(us)    MAX(us)  CONNECTIONS REMOTE
 *	        2500       3000            3 192.0.2.2
 */
#pragma D option quiet
#pragma D option defaultargs

inline int64_t LEAST = strtoll($$1);
inline int WRONG = $$1 != "" && (LEAST < 0 || lltostr(LEAST) != $$1);

BEGIN
/WRONG/
{
	printf("usage: dtrace tcpconnlat [MS] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%7s %-15s %-39s %5s %9s\n", "PID", "COMMAND", "REMOTE", "RPORT", "LAT(ms)");
}

/* This host's firewall may drop the first SYN, so connect-request would be too late. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_SYN_SENT/
{
	begun[args[1]->cs_cid] = timestamp;
}

/* A restored socket (TCP_REPAIR) is established without a segment, and has waited for nobody. */
tcp:::connect-established
/begun[args[1]->cs_cid] != 0 && args[4]->tcp_hdr != NULL && timestamp - begun[args[1]->cs_cid] >= slower/
{
	this->known = 1;
	this->us = (timestamp - begun[args[1]->cs_cid]) / 1000;
	@latency[args[3]->tcps_raddr] = quantize(this->us);
	@mean[args[3]->tcps_raddr] = avg(this->us);
	@longest[args[3]->tcps_raddr] = max(this->us);
	@connections[args[3]->tcps_raddr] = count();
}

tcp:::connect-established
/this->known && this->us >= LEAST * 1000/
{
	this->ms = this->us / 1000;
	this->thousandths = this->us % 1000;
	printf("%7d %-15S %-39s %5d %5d.%03d\n", args[1]->cs_pid, args[1]->cs_execname, args[3]->tcps_raddr,
	    args[3]->tcps_rport, this->ms, this->thousandths);
}

tcp:::connect-established
{
	begun[args[1]->cs_cid] = 0;
}

/* The connection was refused or given up. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED/
{
	begun[args[1]->cs_cid] = 0;
}

END
/!WRONG/
{
	printf("\n%s\n\n", "Microseconds, by remote host:");
	printa("%s%@d\n", @latency);
	printf("%12s %10s %12s %s\n", "MEAN(us)", "MAX(us)", "CONNECTIONS", "REMOTE");
	printa("%@12d %@10d %@12d %s\n", @mean, @longest, @connections);
}
