#!/usr/bin/env -S dtrace -s
/*
 * tcp1stbyte.d - how long the first data took to come, after a connection was established from here.
 *
 * usage: dtrace tcp1stbyte [SECONDS [TIMES]] [-r CAPTURE]
 *
 * Once, at the end; with SECONDS every so many seconds in which something was seen, TIMES times
 * (until it is ended).
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
#pragma D option defaultargs

inline int SECONDS = strtoll($$1);
inline int TIMES = strtoll($$2);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2];

int seconds, some, shown;

BEGIN
/WRONG/
{
	printf("usage: dtrace tcp1stbyte [SECONDS [TIMES]] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%s\n", "Timing first data until Ctrl-C or the end of the capture.");
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
	some = 1;
}

/* Nothing came. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT/
{
	opened[args[1]->cs_cid] = 0;
}

/* Every SECONDS, and what is left at the end. */
tick-1s, END
{
	this->due = probename == "END" ? !WRONG && (!SECONDS || some) && (!TIMES || shown < TIMES) :
	    SECONDS && ++seconds >= SECONDS;
}

tick-1s, END
/this->due && SECONDS/
{
	printf("%Y\n", walltimestamp);
}

tick-1s, END
/this->due/
{
	printa("%s %d%@d\n", @wait);
}

tick-1s
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@wait);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
