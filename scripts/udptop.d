#!/usr/bin/env -S dtrace -s
/*
 * udptop.d - every second, the sockets and remote hosts that exchanged most bytes over UDP.
 *
 * usage: dtrace udptop [HOW-MANY [SECONDS [TIMES]]] [wide] [-r CAPTURE]
 *
 * Shows the HOW-MANY (10) largest, every SECONDS (1) seconds. Ends after TIMES times or with
 * Ctrl-C.
 *
 * Counts data only. -> means sent, <- means received. Live, datagrams that the socket refuses (buffer
 * full, filter) do not count. A second without data has a heading and no lines. With a long address (IPv6), the remote address begins a new line. With the argument
 * wide, long addresses stay in the line, which is then wider than 80 columns.
 *
 *	    PID COMMAND             BYTES LOCAL            PORT    REMOTE           PORT
 *	2023 Nov 14 22:13:21
 *	    612 resolver               42 192.0.2.1        1000 -> 192.0.2.2          53
 */
#pragma D option quiet
#pragma D option defaultargs
/* A capture has no drops. */
#pragma D option zdefs
#pragma D option noskips
#pragma D option aggsortrev

inline int WIDE = $$1 == "wide" || $$2 == "wide" || $$3 == "wide" || $$4 == "wide";
inline int ADDRESS = WIDE ? 39 : 15; /* width of the column for an address */
inline int GIVEN[string s] = s == "" || s == "wide" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);

inline int N = strtoll($$1) ? strtoll($$1) : 10;
inline int SECONDS = strtoll($$2) ? strtoll($$2) : 1;
inline int TIMES = strtoll($$3);

inline int DATA = args[4]->udp_length > 8 ? args[4]->udp_length - 8 : 0; /* 0 without a header */

this string direction;

/*
 * The text before the remote address: a blank, or a new line if one of the two addresses is long.
 */
inline string NEXT = !WIDE && (strlen(args[3]->udps_laddr) > 15 || strlen(args[3]->udps_raddr) > 15) ?
	"\n                               " : " ";

int seconds, some, shown;

BEGIN
/!GIVEN[$$1] || !GIVEN[$$2] || !GIVEN[$$3] || !GIVEN[$$4]/
{
	printf("usage: dtrace udptop [HOW-MANY [SECONDS [TIMES]]] [wide] [-r CAPTURE]\n");
	exit(1);
}

udp:::send, udp:::receive
{
	this->direction = probename == "send" ? "->" : "<-";
	@bytes[args[1]->cs_pid, args[1]->cs_execname, args[3]->udps_laddr, args[3]->udps_lport, NEXT,
	    this->direction, args[3]->udps_raddr, args[3]->udps_rport] = sum(DATA);
	some = 1;
}

/* A socket refuses a datagram, for which udp:::receive has just fired. */
udp:::drop
/args[1]->cs_addr != 0/
{
	this->direction = "<-";
	@bytes[args[1]->cs_pid, args[1]->cs_execname, args[3]->udps_laddr, args[3]->udps_lport, NEXT,
	    this->direction, args[3]->udps_raddr, args[3]->udps_rport] = sum(-DATA);
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
