#!/usr/bin/env -S dtrace -s
/*
 * tcpcong.d - TCP segments sent in each state of congestion control, by connection.
 *
 * usage: dtrace tcpcong [SECONDS [TIMES]] [wide]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds, even if nothing
 * happened, and ends after TIMES times or with Ctrl-C.
 *
 * A packet that a device will cut counts as all its segments. OPEN: no sign of a loss. DISORDER: perhaps a loss. CWR: congestion without loss (ECN, or a full
 * queue here), so TCP sends less. RECOVERY: TCP retransmits lost segments. LOSS: TCP retransmits
 * lost segments after a timeout. With a long address (IPv6), the counts begin a new line. With the
 * argument wide, long addresses stay in the line, which is then wider than 80 columns.
 *
 * Live only.
 *
 *	LPORT REMOTE           PORT     OPEN DISORDER      CWR RECOVERY     LOSS
 *	   80 198.51.100.7    40000     1200        3        0       12        0
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option live

inline int WIDE = $$1 == "wide" || $$2 == "wide" || $$3 == "wide";
inline int SECONDS = strtoll($$1);
inline int TIMES = strtoll($$2);
inline int GIVEN[string s] = s == "" || s == "wide" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2] || !GIVEN[$$3];

int seconds, some, shown;

BEGIN
/WRONG/
{
	printf("usage: dtrace tcpcong [SECONDS [TIMES]] [wide]\n");
	exit(1);
}

/* The text after the remote address: a blank, or a new line if the address is long. */
inline string NEXT = !WIDE && strlen(args[3]->tcps_raddr) > 15 ? "\n                            " : " ";

BEGIN
{
	printf("%s\n", "Watching congestion control until Ctrl-C.");
}

tcp:::send
/args[3]->tcps_addr != 0 && args[3]->tcps_ca_name != "<unknown>"/
{
	@open[args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, NEXT] =
	    sum(args[3]->tcps_ca_state == TCP_CA_OPEN ? args[4]->tcp_segments : 0);
	@disorder[args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, NEXT] =
	    sum(args[3]->tcps_ca_state == TCP_CA_DISORDER ? args[4]->tcp_segments : 0);
	@cwr[args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, NEXT] =
	    sum(args[3]->tcps_ca_state == TCP_CA_CWR ? args[4]->tcp_segments : 0);
	@recovery[args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, NEXT] =
	    sum(args[3]->tcps_ca_state == TCP_CA_RECOVERY ? args[4]->tcp_segments : 0);
	@loss[args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, NEXT] =
	    sum(args[3]->tcps_ca_state == TCP_CA_LOSS ? args[4]->tcp_segments : 0);
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
/this->due && WIDE/
{
	printf("%5s %-39s %5s %8s %8s %8s %8s %8s\n", "LPORT", "REMOTE", "PORT", "OPEN", "DISORDER", "CWR", "RECOVERY",
	    "LOSS");
	printa("%5d %-39s %5d%s%@8d %@8d %@8d %@8d %@8d\n", @open, @disorder, @cwr, @recovery, @loss);
}

tick-1s, END
/this->due && !WIDE/
{
	printf("%5s %-15s %5s %8s %8s %8s %8s %8s\n", "LPORT", "REMOTE", "PORT", "OPEN", "DISORDER", "CWR", "RECOVERY",
	    "LOSS");
	printa("%5d %-15s %5d%s%@8d %@8d %@8d %@8d %@8d\n", @open, @disorder, @cwr, @recovery, @loss);
}

tick-1s
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@open);
	trunc(@disorder);
	trunc(@cwr);
	trunc(@recovery);
	trunc(@loss);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
