#!/usr/bin/env -S dtrace -s
/*
 * tcpconnlog.d - a line for every TCP connection that is opened, refused or given up.
 *
 * usage: dtrace tcpconnlog [wide] [-r CAPTURE]
 *
 * HOW is one of these. out: this host opened it. in: this host accepted it. moved: its socket was
 * restored, without a handshake (TCP_REPAIR, as CRIU uses it). refused: the other host, or a firewall,
 * refused it. refusal: this host refused it. unreach: an ICMP error or a missing route ended the
 * attempt. gave up: nobody answered, or the process stopped waiting. If an ICMP error ended the
 * attempt, the name of its type and its code follow, as in unreachable/3, in a new line or, with the
 * argument wide, at the end of the line. A filter by port or process (-x port=, pid=) leaves them
 * out.
 *
 * PID is the process that owns the socket, or, if no process has accepted the connection yet, the
 * listening process. LPORT is this host's port. A long address (IPv6) begins a new line. With the
 * argument wide, long addresses stay in the line, which is then wider than 80 columns.
 *
 *	TIME                     PID COMMAND         HOW     LPORT REMOTE           PORT
 *	2023 Nov 14 22:13:20    4711 curl            out     40000 192.0.2.2          80
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";
int opening[uint64_t];
string icmp[uint64_t];
uint64_t trying[string, uint16_t, string, uint16_t];
this string how, icmp;
inline int ADDRESS = WIDE ? 39 : 15; /* width of the column for an address */

/* The text before the remote address: a blank, or a new line if the address is long. */
inline string NEXT = !WIDE && strlen(args[3]->tcps_raddr) > 15 ? "\n                                  " : " ";

BEGIN
/$$1 != "" && !WIDE/
{
	printf("usage: dtrace tcpconnlog [wide] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%-20s %7s %-15s %-7s %5s %-*s %5s\n", "TIME", "PID", "COMMAND", "HOW", "LPORT", ADDRESS,
	    "REMOTE", "PORT");
}

tcp:::connect-established, tcp:::accept-established, tcp:::connect-refused
{
	this->how = probename == "connect-established" ? (args[4]->tcp_hdr != NULL ? "out" : "moved") :
	    probename == "accept-established" ? "in" : "refused";
	printf("%Y %7d %-15S %-7s %5d%s%-*s %5d\n", walltimestamp, args[1]->cs_pid, args[1]->cs_execname, this->how,
	    args[3]->tcps_lport, NEXT, ADDRESS, args[3]->tcps_raddr, args[3]->tcps_rport);
}

/* There is no socket.  Addresses and ports come from the reset that this host sends. */
tcp:::accept-refused
{
	this->how = "refusal";
	printf("%Y %7s %-15s %-7s %5d%s%-*s %5d\n", walltimestamp, "-", "-", this->how, args[4]->tcp_sport,
	    !WIDE && strlen(args[2]->ip_daddr) > 15 ? "\n                                  " : " ", ADDRESS,
	    args[2]->ip_daddr, args[4]->tcp_dport);
}

/* A simultaneous open goes from SYN_SENT to SYN_RECEIVED, so the attempt is remembered. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_SYN_SENT/
{
	opening[args[1]->cs_cid] = 1;
}

/* trying finds the attempt that an ICMP error is about. */
tcp:::connect-request
{
	trying[args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport] = args[1]->cs_cid;
}

icmp:::receive
/args[4]->icmp_about_protocol == IPPROTO_TCP &&
 trying[args[4]->icmp_about_saddr, args[4]->icmp_about_sport, args[4]->icmp_about_daddr, args[4]->icmp_about_dport] != 0/
{
	icmp[trying[args[4]->icmp_about_saddr, args[4]->icmp_about_sport, args[4]->icmp_about_daddr, args[4]->icmp_about_dport]] =
	    strjoin(args[4]->icmp_name, strjoin("/", lltostr(args[4]->icmp_code)));
}

tcp:::connect-established, tcp:::connect-refused
{
	opening[args[1]->cs_cid] = 0;
}

/* The error that the process gets. It is 0 if the process closes the socket before. */
inline int ERROR = ((struct sock *)args[3]->tcps_addr)->sk_err;

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED && opening[args[1]->cs_cid]/
{
	this->how = ERROR == ECONNREFUSED ? "refused" : ERROR == 0 || ERROR == ETIMEDOUT || ERROR == ECONNABORTED ?
	    "gave up" : "unreach";
	this->icmp = this->how == "gave up" ? "" : icmp[args[1]->cs_cid];
	printf("%Y %7d %-15S %-7s %5d%s%-*s %5d%s%s\n", walltimestamp, args[1]->cs_pid, args[1]->cs_execname,
	    this->how, args[3]->tcps_lport, NEXT, ADDRESS, args[3]->tcps_raddr, args[3]->tcps_rport,
	    this->icmp == "" ? "" : WIDE ? " " : "\n                                  ", this->icmp);
}

tcp:::connect-established, tcp:::state-change
/probename == "connect-established" || args[3]->tcps_state == TCP_STATE_CLOSED/
{
	opening[args[1]->cs_cid] = 0;
	icmp[args[1]->cs_cid] = 0;
	trying[args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport] = 0;
}
