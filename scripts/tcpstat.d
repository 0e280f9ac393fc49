#!/usr/bin/env -S dtrace -s
/*
 * tcpstat.d - every second, TCP segments, bytes, connections, retransmissions, resets.
 *
 * usage: dtrace tcpstat [SECONDS [TIMES]] [-r CAPTURE]
 *
 * OUT and IN are segments. ACTIVE and PASSIVE are connections established by this host and by other
 * hosts. REFUSED counts connections of this host that the other host refused. With SECONDS, a line
 * covers SECONDS seconds. Ends after TIMES lines or with Ctrl-C.
 *
 *	      OUT KB-OUT       IN  KB-IN ACTIVE PASSIVE REFUSED RETRANS RESETS
 *	     1200   1650      610     12      3       1       0       2      0
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
	printf("%9s %6s %8s %6s %6s %7s %7s %7s %6s\n", "OUT", "KB-OUT", "IN", "KB-IN", "ACTIVE", "PASSIVE", "REFUSED",
	    "RETRANS", "RESETS");
	@out = sum(0); /* so that an interval without packets prints a line of zeros */
}

tcp:::send { @out = sum(1); @bytes_out = sum(args[4]->tcp_plength); some = 1; }
tcp:::receive { @in = sum(1); @bytes_in = sum(args[4]->tcp_plength); some = 1; }
tcp:::connect-established { @active = sum(1); }
tcp:::accept-established { @passive = sum(1); }
tcp:::connect-refused { @refused = sum(1); }
tcp:::retransmit { @retrans = sum(1); }
tcp:::reset-sent { @resets = sum(1); }

tick-1s, END
/probename == "END" ? some && (!TIMES || shown < TIMES) : ++seconds >= SECONDS/
{
	seconds = 0;
	some = 0;
	shown++;
	normalize(@bytes_out, 1024);
	normalize(@bytes_in, 1024);
	printa("%@9d %@6d %@8d %@6d %@6d %@7d %@7d %@7d %@6d\n", @out, @bytes_out, @in, @bytes_in, @active, @passive,
	    @refused, @retrans, @resets);
	clear(@out);
	clear(@bytes_out);
	clear(@in);
	clear(@bytes_in);
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
