#!/usr/bin/env -S dtrace -s
/*
 * udpstat.d - every second, UDP datagrams and bytes of data, by IP version.
 *
 * usage: dtrace udpstat [SECONDS [TIMES]] [-r CAPTURE]
 *
 * A datagram is counted when a socket sends it, and when a socket gets it. Live, a datagram that
 * the socket refuses (buffer full, filter) is not counted. With UDP_SEGMENT and UDP_GRO, all
 * datagrams of a call count as one, as in UdpOutDatagrams and UdpInDatagrams. If a line ends while
 * a socket refuses a datagram, the datagram is subtracted from the next line.
 *
 * With SECONDS, a line covers SECONDS seconds. TIME is the end of these seconds: a line may cover
 * more if a capture has a gap of more than 1,000 seconds. Ends after TIMES lines or with Ctrl-C.
 *
 *	TIME       OUT4 BYTES-OUT4    IN4  BYTES-IN4   OUT6 BYTES-OUT6    IN6 BYTES-IN6
 *	22:13:21     12       1200     12       1800      0          0      0         0
 */
#pragma D option quiet
#pragma D option defaultargs
/* A capture has no drops. */
#pragma D option zdefs
#pragma D option noskips

inline int SECONDS = strtoll($$1) ? strtoll($$1) : 1;
inline int TIMES = strtoll($$2);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2];
inline int V4 = args[2]->ip_ver == 4;
inline int DATA = args[4]->udp_length > 8 ? args[4]->udp_length - 8 : 0; /* 0 without a header */

BEGIN
/WRONG/
{
	printf("usage: dtrace udpstat [SECONDS [TIMES]] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%-8s %6s %10s %6s %10s %6s %10s %6s %9s\n", "TIME", "OUT4", "BYTES-OUT4", "IN4", "BYTES-IN4", "OUT6",
	    "BYTES-OUT6", "IN6", "BYTES-IN6");
	@out4 = sum(0); /* so that an interval without packets prints a line of zeros */
}

udp:::send
{
	@out4 = sum(V4);
	@bytes_out4 = sum(V4 ? DATA : 0);
	@out6 = sum(!V4);
	@bytes_out6 = sum(V4 ? 0 : DATA);
	some = 1;
}

udp:::receive
{
	@in4 = sum(V4);
	@bytes_in4 = sum(V4 ? DATA : 0);
	@in6 = sum(!V4);
	@bytes_in6 = sum(V4 ? 0 : DATA);
	some = 1;
}

/* A socket refuses a datagram, for which udp:::receive has just fired. */
udp:::drop
/args[1]->cs_addr != 0/
{
	@in4 = sum(-V4);
	@bytes_in4 = sum(V4 ? -DATA : 0);
	@in6 = sum(-!V4);
	@bytes_in6 = sum(V4 ? 0 : -DATA);
}

tick-1s, END
/probename == "END" ? some && (!TIMES || shown < TIMES) : ++seconds >= SECONDS/
{
	seconds = 0;
	some = 0;
	shown++;
	@time = max(walltimestamp);
	printa("%@.8Y %@6d %@10d %@6d %@10d %@6d %@10d %@6d %@9d\n", @time, @out4, @bytes_out4, @in4, @bytes_in4,
	    @out6, @bytes_out6, @in6, @bytes_in6);
	clear(@out4);
	clear(@bytes_out4);
	clear(@in4);
	clear(@bytes_in4);
	clear(@out6);
	clear(@bytes_out6);
	clear(@in6);
	clear(@bytes_in6);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
