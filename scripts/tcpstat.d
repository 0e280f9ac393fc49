#!/usr/bin/env -S dtrace -s
/*
 * tcpstat.d - every second, TCP segments, bytes, connections, retransmissions, resets.
 *
 * usage: dtrace tcpstat [SECONDS [TIMES]] [-r CAPTURE]
 *
 * OUT, IN and RETRANS are segments on the network. A packet counts as all segments into which a
 * device will cut it, or from which GRO has made it (TcpInSegs counts it as one). KB are 1024 bytes
 * of data; data that is sent again counts again. ACTIVE and PASSIVE are connections established by
 * this host and by other hosts. REFUSED counts connections of this host that the other host refused.
 *
 * With SECONDS, a line covers SECONDS seconds. TIME is the end of these seconds: a line may cover
 * more if a capture has a gap of more than 1,000 seconds. Ends after TIMES lines or with Ctrl-C.
 *
 *	TIME         OUT KB-OUT      IN  KB-IN ACTIVE PASSIVE REFUSED RETRANS RESETS
 *	22:13:21    1200   1650     610     12      3       1       0       2      0
 */
#pragma D option quiet
#pragma D option defaultargs

inline int SECONDS = strtoll($$1) ? strtoll($$1) : 1;
inline int TIMES = strtoll($$2);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2];

BEGIN
/WRONG/
{
	printf("usage: dtrace tcpstat [SECONDS [TIMES]] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%-8s %7s %6s %7s %6s %6s %7s %7s %7s %6s\n", "TIME", "OUT", "KB-OUT", "IN", "KB-IN", "ACTIVE",
	    "PASSIVE", "REFUSED", "RETRANS", "RESETS");
	@out = sum(0); /* so that an interval without packets prints a line of zeros */
	@kb_out = sum(0);
	@kb_in = sum(0);
	normalize(@kb_out, 1024);
	normalize(@kb_in, 1024);
}

tcp:::send { @out = sum(args[4]->tcp_segments); @kb_out = sum(args[4]->tcp_plength); some = 1; }
tcp:::receive { @in = sum(args[4]->tcp_segments); @kb_in = sum(args[4]->tcp_plength); some = 1; }
tcp:::connect-established { @active = sum(1); }
tcp:::accept-established { @passive = sum(1); }
tcp:::connect-refused { @refused = sum(1); }
tcp:::retransmit { @retrans = sum(args[4]->tcp_segments); }
tcp:::reset-sent { @resets = sum(1); }

tick-1s, END
/probename == "END" ? some && (!TIMES || shown < TIMES) : ++seconds >= SECONDS/
{
	seconds = 0;
	some = 0;
	shown++;
	@time = max(walltimestamp);
	printa("%@.8Y %@7d %@6d %@7d %@6d %@6d %@7d %@7d %@7d %@6d\n", @time, @out, @kb_out, @in, @kb_in, @active,
	    @passive, @refused, @retrans, @resets);
	clear(@out);
	clear(@kb_out);
	clear(@in);
	clear(@kb_in);
	clear(@active);
	clear(@passive);
	clear(@refused);
	clear(@retrans);
	clear(@resets);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
