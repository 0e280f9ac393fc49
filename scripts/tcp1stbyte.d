#!/usr/bin/env -S dtrace -s
/*
 * tcp1stbyte.d - how long the first data took to come, after a connection was established from here.
 *
 * usage: tcp1stbyte.d [-r CAPTURE]
 *
 * By remote host and port, in microseconds.  What the other side does before it answers
 * is in it, and how long we took to ask.
 *
 *	192.0.2.2 80
 *	           value  ------------- Distribution ------------- count
 *	            2048 |                                         0
 *	            4096 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1
 *	            8192 |                                         0
 */
#pragma D option quiet

BEGIN
{
	printf("Timing first data; Ctrl-C ends.\n");
}

tcp:::connect-established
{
	opened[args[1]->cs_cid] = timestamp;
}

tcp:::receive
/opened[args[1]->cs_cid] != 0 && args[2]->ip_plength > args[4]->tcp_offset/
{
	@wait[args[3]->tcps_raddr, args[3]->tcps_rport] = quantize((timestamp - opened[args[1]->cs_cid]) / 1000);
	opened[args[1]->cs_cid] = 0;
}

/* Nothing came. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT/
{
	opened[args[1]->cs_cid] = 0;
}

END
{
	printa("%s %d%@d\n", @wait);
}
