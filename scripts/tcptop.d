#!/usr/bin/env -S dtrace -s
/*
 * tcptop.d - every second, the TCP connections that carried most data.
 *
 * usage: dtrace tcptop [HOW-MANY [SECONDS [TIMES]]] [wide] [-r CAPTURE]
 *
 * Shows the HOW-MANY (10) largest, every SECONDS (1) seconds. Ends after TIMES times or with
 * Ctrl-C.
 *
 * Counts data only; data that is sent again counts again. -> means sent, <- means received. A second
 * without data has a heading and no lines. With a long address (IPv6), the remote address begins a
 * new line. With the argument wide, long addresses stay in the line, which is then wider than 80
 * columns.
 *
 *	    PID COMMAND             BYTES LOCAL            PORT    REMOTE           PORT
 *	2023 Nov 14 22:13:21
 *	   4711 curl                 1000 192.0.2.1       40000 <- 192.0.2.2          80
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortrev

inline int WIDE = $$1 == "wide" || $$2 == "wide" || $$3 == "wide" || $$4 == "wide";
inline int ADDRESS = WIDE ? 39 : 15; /* width of the column for an address */
inline int GIVEN[string s] = s == "" || s == "wide" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);

inline int N = strtoll($$1) ? strtoll($$1) : 10;
inline int SECONDS = strtoll($$2) ? strtoll($$2) : 1;
inline int TIMES = strtoll($$3);

inline string DIRECTION = probename == "send" ? "->" : "<-";

/*
 * The text before the remote address: a blank, or a new line if an address is long. Only IPv6 has
 * long addresses, so the version is tested first, which is cheap.
 */
inline int IS_LONG = args[2]->ip_ver == 6 && (strlen(args[3]->tcps_laddr) > 15 || strlen(args[3]->tcps_raddr) > 15);
inline string NEXT = !WIDE && IS_LONG ? "\n                               " : " ";

int seconds, some, shown;

BEGIN
/!GIVEN[$$1] || !GIVEN[$$2] || !GIVEN[$$3] || !GIVEN[$$4]/
{
	printf("usage: dtrace tcptop [HOW-MANY [SECONDS [TIMES]]] [wide] [-r CAPTURE]\n");
	exit(1);
}

tcp:::send, tcp:::receive
/args[4]->tcp_plength > 0/
{
	@bytes[args[1]->cs_pid, args[1]->cs_execname, args[3]->tcps_laddr, args[3]->tcps_lport, NEXT,
	    DIRECTION, args[3]->tcps_raddr, args[3]->tcps_rport] =
	    sum(args[4]->tcp_plength);
	some = 1;
}

tick-1s, END
{
	this->due = probename == "END" ? some && (!TIMES || shown < TIMES) : ++seconds >= SECONDS;
}

/* Prints the heading at the start, to show that the script runs, and above later intervals. */
BEGIN, tick-1s, END
/probename == "BEGIN" || (this->due && shown)/
{
	printf("%7s %-15s %9s %-*s %5s    %-*s %5s\n", "PID", "COMMAND", "BYTES", ADDRESS, "LOCAL", "PORT", ADDRESS,
	    "REMOTE", "PORT");
}

tick-1s, END
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@bytes, N);
	printf("%Y\n", walltimestamp);
}

tick-1s, END
/WIDE && this->due/
{
	printa("%7d %-15S %@9d %-39s %5d%s%s %-39s %5d\n", @bytes);
}

tick-1s, END
/!WIDE && this->due/
{
	printa("%7d %-15S %@9d %-15s %5d%s%s %-15s %5d\n", @bytes);
}

tick-1s, END
/this->due/
{
	trunc(@bytes);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
