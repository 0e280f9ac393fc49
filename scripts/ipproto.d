#!/usr/bin/env -S dtrace -s
/*
 * ipproto.d - IP packets and bytes by source, destination and protocol.
 *
 * usage: dtrace ipproto [SECONDS [TIMES]] [wide] [-r CAPTURE]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds, even if nothing
 * happened, and ends after TIMES times or with Ctrl-C.
 *
 * Counts the packets that IP receives, not those that it sends. A packet that GRO has merged counts
 * once. BYTES is without the IP header. Smallest counts come first. For IPv6, PROTOCOL is the first
 * header after IPv6's own.
 *
 * With a long address (IPv6), the destination begins a new line. With the argument wide, long
 * addresses stay in the line, which is then wider than 80 columns.
 *
 *	  PACKETS        BYTES PROTOCOL SOURCE          DESTINATION
 *	        3          114 UDP      192.0.2.10      192.0.2.53
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
	printf("usage: dtrace ipproto [SECONDS [TIMES]] [wide] [-r CAPTURE]\n");
	exit(1);
}

/* The text before the destination: a blank, or a new line if an address is long. */
inline string NEXT = !WIDE && (strlen(args[2]->ip_saddr) > 15 || strlen(args[2]->ip_daddr) > 15) ?
	"\n                                " : " ";

BEGIN
{
	printf("%s\n", "Counting received packets until Ctrl-C or the end of the capture.");
}

ip:::receive
/args[4] != NULL/
{
	@packets[args[4]->ipv4_protostr, args[2]->ip_saddr, NEXT, args[2]->ip_daddr] = count();
	@bytes[args[4]->ipv4_protostr, args[2]->ip_saddr, NEXT, args[2]->ip_daddr] = sum(args[2]->ip_plength);
	some = 1;
}

ip:::receive
/args[5] != NULL/
{
	@packets[args[5]->ipv6_nextstr, args[2]->ip_saddr, NEXT, args[2]->ip_daddr] = count();
	@bytes[args[5]->ipv6_nextstr, args[2]->ip_saddr, NEXT, args[2]->ip_daddr] = sum(args[2]->ip_plength);
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
	printf("%9s %12s %-8s %-39s %s\n", "PACKETS", "BYTES", "PROTOCOL", "SOURCE", "DESTINATION");
	printa("%@9d %@12d %-8s %-39s%s%s\n", @packets, @bytes);
}

tick-1s, END
/this->due && !WIDE/
{
	printf("%9s %12s %-8s %-15s %s\n", "PACKETS", "BYTES", "PROTOCOL", "SOURCE", "DESTINATION");
	printa("%@9d %@12d %-8s %-15s%s%s\n", @packets, @bytes);
}

tick-1s
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@packets);
	trunc(@bytes);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
