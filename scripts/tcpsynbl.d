#!/usr/bin/env -S dtrace -s
/*
 * tcpsynbl.d - connections that wait to be accepted when another one arrives, by listener.
 *
 * usage: dtrace tcpsynbl [SECONDS [TIMES]]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds, even if nothing
 * happened, and ends after TIMES times or with Ctrl-C.
 *
 * If MOST is close to LIMIT, Linux will soon drop new connections. In that case the process does
 * not accept fast enough, or the backlog of its listen(2) is too small.
 *
 * Live only.
 *
 *	0.0.0.0 80
 *	           value  ------------- Distribution ------------- count
 *	              -1 |                                         0
 *	               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 12
 *	               1 |                                         0
 *
 *	    SYNS     MOST    LIMIT     PID COMMAND          PORT ADDRESS
 *	      12        0      128     981 nginx              80 0.0.0.0
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option live

inline int SECONDS = strtoll($$1);
inline int TIMES = strtoll($$2);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2];

int seconds, some, shown;

BEGIN
/WRONG/
{
	printf("usage: dtrace tcpsynbl [SECONDS [TIMES]]\n");
	exit(1);
}

BEGIN
{
	printf("%s\n", "Watching listeners until Ctrl-C.");
}

tcp:::receive
/args[4]->tcp_flags & TH_SYN && args[3]->tcps_state == TCP_STATE_LISTEN && args[3]->tcps_backlog_max != 0/
{
	@waiting[args[3]->tcps_laddr, args[3]->tcps_lport] = quantize(args[3]->tcps_backlog);
	@syns[args[1]->cs_pid, args[1]->cs_execname, args[3]->tcps_lport, args[3]->tcps_laddr] = count();
	@most[args[1]->cs_pid, args[1]->cs_execname, args[3]->tcps_lport, args[3]->tcps_laddr] = max(args[3]->tcps_backlog);
	@limit[args[1]->cs_pid, args[1]->cs_execname, args[3]->tcps_lport, args[3]->tcps_laddr] =
	    max(args[3]->tcps_backlog_max);
	some = 1;
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
	printa("%s %d%@d\n", @waiting);
	printf("%8s %8s %8s %7s %-15s %5s %s\n", "SYNS", "MOST", "LIMIT", "PID", "COMMAND", "PORT", "ADDRESS");
	printa("%@8d %@8d %@8d %7d %-15S %5d %s\n", @syns, @most, @limit);
}

tick-1s
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@waiting);
	trunc(@syns);
	trunc(@most);
	trunc(@limit);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
