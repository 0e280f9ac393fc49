#!/usr/bin/env -S dtrace -s
/*
 * tcpscan.d - hosts that look for open ports here, and how they do it.
 *
 * usage: dtrace tcpscan [HOW-MANY [SECONDS [TIMES]]] [-r CAPTURE]
 *
 * Prints at the end, or every SECONDS seconds; ends after TIMES times or with Ctrl-C. The first
 * table has the HOW-MANY (100) ports that were tried most, each with the host that tried it. The
 * second has the hosts: how often each tried, the lowest and highest port, and the time of its
 * first and last attempt, in milliseconds since the start.
 *
 * HOW is one of these. refused: a SYN to a port where nobody listens. half: a handshake that was
 * reset before its end. null: a segment without flags. xmas: a segment with FIN, PUSH and URG. fin:
 * a segment with FIN alone. No connection needs null, xmas or fin. ack: an acknowledgement that
 * belongs to no connection, so a reset answers it; it may have FIN, except in captures. A few acks
 * may just be late segments. udp: a datagram to a port that no socket has.
 *
 * A host that opens connections normally, to ports where a process listens, is not shown; see
 * tcpconnlog.
 *
 *	HOW         TIMES FROM             PORT
 *	xmas            1 198.51.100.7       22
 *
 *	HOW         TIMES PORTS       FIRST(ms)  LAST(ms) FROM
 *	xmas            1    22-22         1000      1000 198.51.100.7
 */
#pragma D option quiet
#pragma D option defaultargs

inline int N = strtoll($$1) ? strtoll($$1) : 100;
inline int SECONDS = strtoll($$2);
inline int TIMES = strtoll($$3);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2] || !GIVEN[$$3];

int seconds, some, shown;
uint32_t odd[uint32_t];
string odd_from[uint32_t];

this int how;
this string from;
this int port;
inline string HOW[int n] = n == 1 ? "refused" : n == 2 ? "half" : n == 3 ? "null" : n == 4 ? "xmas" : n == 5 ? "fin" :
	n == 6 ? "ack" : "udp";

/* The text before the host's address: a blank, or a new line if the address is long. */
inline string NEXT = strlen(this->from) > 30 ? "\n                                         " : " ";

BEGIN
/WRONG/
{
	printf("usage: dtrace tcpscan [HOW-MANY [SECONDS [TIMES]]] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%s\n", "Watching for scans until Ctrl-C or the end of the capture.");
	start = timestamp;
}

/* This host sends the reset, so the scanner is the destination of the reset. */
tcp:::accept-refused
{
	this->how = 1;
	this->from = args[2]->ip_daddr;
	this->port = args[4]->tcp_sport;
}

/* Until the handshake ends, the listener gets the segments. */
tcp:::receive
{
	this->how = (args[4]->tcp_flags & TH_RST) && (args[3]->tcps_state == TCP_STATE_LISTEN ||
	    (args[3]->tcps_state == TCP_STATE_SYN_RECEIVED && args[3]->tcps_bytes_received == 0)) ? 2 : args[4]->tcp_flags == 0 ? 3 :
	    args[4]->tcp_flags == (TH_FIN | TH_PUSH | TH_URG) ? 4 : args[4]->tcp_flags == TH_FIN ? 5 : 0;
}

tcp:::receive
/this->how/
{
	this->from = args[2]->ip_saddr;
	this->port = args[4]->tcp_dport;
}

/*
 * The segment belongs to no socket, so this host answers with a reset. The reset may be missing in a
 * capture. So the arrays have a fixed number of places, and a newer segment may take the place of an
 * older one.
 */
inline uint32_t BOTH[uint16_t here, uint16_t there] = (uint32_t)here << 16 | there;
inline int PLACES = 4099;

tcp:::receive
/args[3]->tcps_addr == 0 && (args[4]->tcp_flags & (TH_ACK | TH_SYN | TH_RST)) == TH_ACK/
{
	this->ports = BOTH[args[4]->tcp_dport, args[4]->tcp_sport];
	odd_from[this->ports % PLACES] = args[2]->ip_saddr;
	odd[this->ports % PLACES] = this->ports;
}

tcp:::reset-sent
{
	this->ports = BOTH[args[4]->tcp_sport, args[4]->tcp_dport];
	this->how = odd[this->ports % PLACES] == this->ports && odd_from[this->ports % PLACES] == args[2]->ip_daddr ? 6 : 0;
}

tcp:::reset-sent
/this->how/
{
	this->from = args[2]->ip_daddr;
	this->port = args[4]->tcp_sport;
	odd[this->ports % PLACES] = 0;
	odd_from[this->ports % PLACES] = 0;
}

icmp:::send
{
	this->how = args[4]->icmp_name == "unreachable" && args[4]->icmp_code == (args[2]->ip_ver == 4 ? 3 : 4) &&
	    args[4]->icmp_about_protocol == IPPROTO_UDP ? 7 : 0;
}

icmp:::send
/this->how/
{
	this->from = args[4]->icmp_about_saddr;
	this->port = args[4]->icmp_about_dport;
}

tcp:::accept-refused, tcp:::receive, tcp:::reset-sent, icmp:::send
/this->how/
{
	@scans[HOW[this->how], this->from, this->port] = count();
	@times[HOW[this->how], NEXT, this->from] = count();
	@low[HOW[this->how], NEXT, this->from] = min(this->port);
	@high[HOW[this->how], NEXT, this->from] = max(this->port);
	@first_ms[HOW[this->how], NEXT, this->from] = min((timestamp - start) / 1000000);
	@last_ms[HOW[this->how], NEXT, this->from] = max((timestamp - start) / 1000000);
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
	seconds = 0;
	some = 0;
	shown++;
	trunc(@scans, N);
	printf("%-7s %9s %-15s %5s\n", "HOW", "TIMES", "FROM", "PORT");
	printa("%-7s %@9d %-15s %5d\n", @scans);
	printf("\n%-7s %9s %-11s %9s %9s %s\n", "HOW", "TIMES", "PORTS", "FIRST(ms)", "LAST(ms)", "FROM");
	printa("%-7s %@9d %@5d-%@-5d %@9d %@9d%s%s\n", @times, @low, @high, @first_ms, @last_ms);
	trunc(@scans);
	trunc(@times);
	trunc(@low);
	trunc(@high);
	trunc(@first_ms);
	trunc(@last_ms);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
