#!/usr/bin/env -S dtrace -s
/*
 * tcpconnlat.d - how long TCP connections took to be established from here, by remote host.
 *
 * usage: tcpconnlat.d [-r CAPTURE]
 *
 * From the first SYN to the established connection, so SYNs that had to be sent again
 * count in full.  Microseconds.
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

BEGIN
{
	printf("Timing connections; Ctrl-C ends.\n");
}

tcp:::connect-request
{
	begun[args[1]->cs_cid] = timestamp;
}

tcp:::connect-established
/begun[args[1]->cs_cid] != 0/
{
	this->us = (timestamp - begun[args[1]->cs_cid]) / 1000;
	@latency[args[3]->tcps_raddr] = quantize(this->us);
	@mean[args[3]->tcps_raddr] = avg(this->us);
	@longest[args[3]->tcps_raddr] = max(this->us);
	@connections[args[3]->tcps_raddr] = count();
	begun[args[1]->cs_cid] = 0;
}

/* Refused, or given up. */
tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_SENT && args[3]->tcps_state == TCP_STATE_CLOSED/
{
	begun[args[1]->cs_cid] = 0;
}

END
{
	printa("%s%@d\n", @latency);
	printf("%12s %10s %12s %s\n", "MEAN(us)", "MAX(us)", "CONNECTIONS", "REMOTE");
	printa("%@12d %@10d %@12d %s\n", @mean, @longest, @connections);
}
