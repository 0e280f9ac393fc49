#!/usr/bin/env -S dtrace -s
/*
 * acceptlat.d - how long TCP connections waited in the queue until a process accepted them.
 *
 * usage: dtrace acceptlat [MS]
 *
 * Prints a line for each connection. With MS, the script prints only connections that waited MS
 * milliseconds or longer. At the end, the script prints the waits of all connections by the port of
 * the listener, in microseconds.
 *
 * The time runs from the end of the handshake to accept(2). PID is the process that accepts. NOW is
 * the number of connections that were still waiting at the end. GONE is the number of connections
 * that ended before a process accepted them. FULL is the number of segments that came to a full
 * queue: SYNs, and last segments of handshakes.
 *
 * With Fast Open, a process may accept a connection before its handshake ends. Such a connection is
 * not shown.
 *
 * With -x slower=10ms, waits that were shorter are neither printed nor counted.
 *
 * Live only.
 *
 *	    PID COMMAND         LPORT REMOTE                                   WAIT(ms)
 *	    981 nginx              80 192.0.2.1                                  20.000
 *
 *	Microseconds, by port:
 *
 *	80
 *	           value  ------------- Distribution ------------- count
 *	            8192 |                                         0
 *	           16384 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1
 *	           32768 |                                         0
 *
 *	   MEAN(us)    MAX(us)  ACCEPTED      NOW     GONE     FULL LPORT
 *	      20000      20000         1        0        0        0    80
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option live

inline int64_t LEAST = strtoll($$1);
inline int WRONG = $$1 != "" && (LEAST < 0 || lltostr(LEAST) != $$1);

BEGIN
/WRONG/
{
	printf("usage: dtrace acceptlat [MS]\n");
	exit(1);
}

BEGIN
{
	printf("%7s %-15s %5s %-39s %9s\n", "PID", "COMMAND", "LPORT", "REMOTE", "WAIT(ms)");
}

/* If the connection belongs to a process by now, the process has accepted it early (Fast Open). */
tcp:::accept-established
/((struct sock *)args[3]->tcps_addr)->sk_socket == NULL/
{
	since[args[1]->cs_cid] = timestamp;
	@now[args[3]->tcps_lport] = sum(1);
}

tcp:::accept
/since[args[1]->cs_cid] != 0/
{
	this->ns = timestamp - since[args[1]->cs_cid];
	this->known = this->ns >= slower;
	this->us = this->ns / 1000;
	since[args[1]->cs_cid] = 0;
	@now[args[3]->tcps_lport] = sum(-1);
}

tcp:::accept
/this->known/
{
	@wait[args[3]->tcps_lport] = quantize(this->us);
	@mean[args[3]->tcps_lport] = avg(this->us);
	@most[args[3]->tcps_lport] = max(this->us);
	@accepted[args[3]->tcps_lport] = count();
}

tcp:::accept
/this->known && this->us >= LEAST * 1000/
{
	this->ms = this->us / 1000;
	this->thousandths = this->us % 1000;
	printf("%7d %-15S %5d %-39s %5d.%03d\n", args[1]->cs_pid, args[1]->cs_execname, args[3]->tcps_lport,
	    args[3]->tcps_raddr, this->ms, this->thousandths);
}

/* No process accepted the connection: the listener was closed, or the connection was reset. */
tcp:::destroy
/since[args[1]->cs_cid] != 0/
{
	since[args[1]->cs_cid] = 0;
	@gone[args[3]->tcps_lport] = count();
	@now[args[3]->tcps_lport] = sum(-1);
}

tcp:::listen-overflow
{
	@full[args[3]->tcps_lport] = count();
}

END
/!WRONG/
{
	printf("\n%s\n\n", "Microseconds, by port:");
	printa("%d%@d\n", @wait);
	printf("%11s %10s %9s %8s %8s %8s %5s\n", "MEAN(us)", "MAX(us)", "ACCEPTED", "NOW", "GONE", "FULL", "LPORT");
	printa("%@11d %@10d %@9d %@8d %@8d %@8d %5d\n", @mean, @most, @accepted, @now, @gone, @full);
}
