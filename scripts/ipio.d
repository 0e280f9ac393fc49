#!/usr/bin/env -S dtrace -s
/*
 * ipio.d - a line for every IP packet that is sent or received.
 *
 * usage: dtrace ipio [wide] [-r CAPTURE]
 *
 * DELTA is the time since the previous line, in microseconds. BYTES is the length without the IP
 * header. A packet that a device will cut, or that GRO has merged, is one line. On several CPUs at
 * once, lines can change places.
 *
 * With a long address (IPv6), the destination begins a new line. With the argument wide, long
 * addresses stay in the line, which is then wider than 80 columns.
 *
 *	DELTA(us) PROBE    BYTES INTERFACE     SOURCE             DESTINATION
 *	     1000 receive     60 eth0          192.0.2.1       -> 192.0.2.2
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";
inline int ADDRESS = WIDE ? 39 : 15; /* width of the column for an address */

/* The text before the destination: a blank, or a new line if an address is long. */
inline string NEXT = !WIDE && (strlen(args[2]->ip_saddr) > 15 || strlen(args[2]->ip_daddr) > 15) ?
	"\n                                    " : " ";

BEGIN
/$$1 != "" && !WIDE/
{
	printf("usage: dtrace ipio [wide] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%9s %-7s %6s %-13s %-*s    %s\n", "DELTA(us)", "PROBE", "BYTES", "INTERFACE", ADDRESS,
	    "SOURCE", "DESTINATION");
	last = timestamp;
}

ip:::send, ip:::receive
{
	this->delta_us = (timestamp - last) / 1000;
	printf("%9d %-7s %6d %-13s %-*s%s-> %s\n", this->delta_us, probename, args[2]->ip_plength,
	    args[3]->if_name, ADDRESS, args[2]->ip_saddr, NEXT, args[2]->ip_daddr);
	last = timestamp;
}
