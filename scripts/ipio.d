#!/usr/bin/env -S dtrace -s
/*
 * ipio.d - a line for every IP packet that is sent or received.
 *
 * usage: ipio.d [-r CAPTURE]
 *
 * DELTA is the time since the line before, in microseconds; BYTES is what the IP
 * header carries.  On several CPUs at once lines can change places.  Of long addresses
 * (IPv6) the destination stands on a line of its own.
 *
 *	DELTA(us) PROBE    BYTES INTERFACE     SOURCE             DESTINATION
 *	     1000 receive     60 eth0          192.0.2.1       -> 192.0.2.2
 */
#pragma D option quiet

/* In front of the destination. */
inline string NEXT = strlen(args[2]->ip_saddr) > 15 || strlen(args[2]->ip_daddr) > 15 ?
	"\n                                    " : " ";

BEGIN
{
	printf("%9s %-7s %6s %-13s %-15s    %s\n", "DELTA(us)", "PROBE", "BYTES", "INTERFACE", "SOURCE",
	    "DESTINATION");
	last = timestamp;
}

ip:::send, ip:::receive
{
	printf("%9d %-7s %6d %-13s %-15s%s-> %s\n", (timestamp - last) / 1000, probename,
	    args[2]->ip_plength, args[3]->if_name, args[2]->ip_saddr, NEXT, args[2]->ip_daddr);
	last = timestamp;
}
