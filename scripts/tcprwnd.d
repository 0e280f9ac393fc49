#!/usr/bin/env -S dtrace -s
/*
 * tcprwnd.d - how long TCP receive windows stayed closed, so that nothing could be sent.
 *
 * usage: dtrace tcprwnd [SECONDS [TIMES]] [wide] [-r CAPTURE]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds, even if nothing
 * happened, and ends after TIMES times or with Ctrl-C.
 *
 * WHERE is here if this host had no room, and there if the remote host had none. A time runs from the
 * segment that closed the window to the segment that opened it again, in microseconds. PID is the
 * process on this host. A long address (IPv6) begins a new line. With the argument wide, long
 * addresses stay in the line, which is then wider than 80 columns.
 *
 *	WHERE   MEAN(us) STDDEV(us)  TIMES     PID COMMAND         REMOTE           PORT
 *	there      35000      15000      2    4711 curl            192.0.2.2          80
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide" || $$2 == "wide" || $$3 == "wide";
inline int SECONDS = strtoll($$1);
inline int TIMES = strtoll($$2);
inline int GIVEN[string s] = s == "" || s == "wide" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2] || !GIVEN[$$3];

int seconds, some, shown;

BEGIN
/WRONG/
{
	printf("usage: dtrace tcprwnd [SECONDS [TIMES]] [wide] [-r CAPTURE]\n");
	exit(1);
}

/* The text before the remote address: a blank, or a new line if the address is long. */
inline string NEXT = !WIDE && strlen(args[3]->tcps_raddr) > 15 ? "\n                                   " : " ";

uint64_t here[uint64_t], there[uint64_t];

/* Segments without a connection, such as refused SYNs, have nothing in common but cs_cid. */
inline int CONNECTION = args[3]->tcps_state != TCP_STATE_CLOSED &&
    args[3]->tcps_state != TCP_STATE_LISTEN && args[3]->tcps_state != TCP_STATE_TIME_WAIT;
inline int CLOSES = args[4]->tcp_window == 0 && !(args[4]->tcp_flags & TH_RST);

BEGIN
{
	printf("%s\n", "Timing closed windows until Ctrl-C or the end of the capture.");
}

/* The window of a reset has no meaning. */
tcp:::send
/CLOSES && CONNECTION && here[args[1]->cs_cid] == 0/
{
	here[args[1]->cs_cid] = timestamp;
}

tcp:::send
/args[4]->tcp_window != 0 && here[args[1]->cs_cid] != 0/
{
	this->us = (timestamp - here[args[1]->cs_cid]) / 1000;
	@mean["here", args[1]->cs_pid, args[1]->cs_execname, NEXT, args[3]->tcps_raddr,
	    args[3]->tcps_rport] = avg(this->us);
	@stddev["here", args[1]->cs_pid, args[1]->cs_execname, NEXT, args[3]->tcps_raddr,
	    args[3]->tcps_rport] = stddev(this->us);
	@times["here", args[1]->cs_pid, args[1]->cs_execname, NEXT, args[3]->tcps_raddr,
	    args[3]->tcps_rport] = count();
	here[args[1]->cs_cid] = 0;
	some = 1;
}

tcp:::receive
/CLOSES && CONNECTION && there[args[1]->cs_cid] == 0/
{
	there[args[1]->cs_cid] = timestamp;
}

tcp:::receive
/args[4]->tcp_window != 0 && there[args[1]->cs_cid] != 0/
{
	this->us = (timestamp - there[args[1]->cs_cid]) / 1000;
	@mean["there", args[1]->cs_pid, args[1]->cs_execname, NEXT, args[3]->tcps_raddr,
	    args[3]->tcps_rport] = avg(this->us);
	@stddev["there", args[1]->cs_pid, args[1]->cs_execname, NEXT, args[3]->tcps_raddr,
	    args[3]->tcps_rport] = stddev(this->us);
	@times["there", args[1]->cs_pid, args[1]->cs_execname, NEXT, args[3]->tcps_raddr,
	    args[3]->tcps_rport] = count();
	there[args[1]->cs_cid] = 0;
	some = 1;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT/
{
	here[args[1]->cs_cid] = 0;
	there[args[1]->cs_cid] = 0;
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
/this->due && WIDE/
{
	printf("%-5s %10s %10s %6s %7s %-15s %-39s %5s\n", "WHERE", "MEAN(us)", "STDDEV(us)", "TIMES", "PID", "COMMAND",
	    "REMOTE", "PORT");
	printa("%-5s %@10d %@10d %@6d %7d %-15S%s%-39s %5d\n", @mean, @stddev, @times);
}

tick-1s, END
/this->due && !WIDE/
{
	printf("%-5s %10s %10s %6s %7s %-15s %-15s %5s\n", "WHERE", "MEAN(us)", "STDDEV(us)", "TIMES", "PID", "COMMAND",
	    "REMOTE", "PORT");
	printa("%-5s %@10d %@10d %@6d %7d %-15S%s%-15s %5d\n", @mean, @stddev, @times);
}

tick-1s
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@mean);
	trunc(@stddev);
	trunc(@times);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
