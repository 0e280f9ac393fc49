#!/usr/bin/env -S dtrace -s
/*
 * tcp1stbyte.d - time from an established outgoing TCP connection to its first data.
 *
 * usage: dtrace tcp1stbyte [SECONDS [TIMES]] [-r CAPTURE]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds, even if nothing
 * happened, and ends after TIMES times or with Ctrl-C.
 *
 * Times are in microseconds, by remote host and port. They contain the time until this host sent
 * its request, and the time until the other side answered.
 *
 * With -x slower=10ms, the script counts only connections whose first data took 10 ms or longer.
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
	this->known = args[4]->tcp_plength > 0 && slower == 0;
}

/* With Fast Open, the segment of the SYN may have the first data. */
tcp:::connect-established
/this->known/
{
	opened[args[1]->cs_cid] = 0;
	@wait[args[3]->tcps_raddr, args[3]->tcps_rport] = quantize(0);
	some = 1;
}

tcp:::receive
/opened[args[1]->cs_cid] != 0 && args[4]->tcp_plength > 0/
{
	this->ns = timestamp - opened[args[1]->cs_cid];
	this->known = this->ns >= slower;
	opened[args[1]->cs_cid] = 0;
}

tcp:::receive
/this->known/
{
	@wait[args[3]->tcps_raddr, args[3]->tcps_rport] = quantize(this->ns / 1000);
	some = 1;
}

/* The connection ended before any data came. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT/
{
	opened[args[1]->cs_cid] = 0;
}

/* Sets this->due when it is time to print: every SECONDS seconds, and at the end. */
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
