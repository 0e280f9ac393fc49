#!/usr/bin/env -S dtrace -s
/*
 * ipio.d - a line for every IP packet that is sent or received.
 *
 * usage: ipio.d [-r CAPTURE]
 *
 * DELTA is the time since the line before, in microseconds; BYTES is what the IP
 * header carries.  On several CPUs at once lines can change places.
 */
#pragma D option quiet

BEGIN
{
	printf("%10s %-7s %39s    %-39s %6s %s\n", "DELTA(us)", "PROBE", "SOURCE", "DESTINATION", "BYTES",
	    "INTERFACE");
	last = timestamp;
}

ip:::send, ip:::receive
{
	printf("%10d %-7s %39s -> %-39s %6d %s\n", (timestamp - last) / 1000, probename, args[2]->ip_saddr,
	    args[2]->ip_daddr, args[2]->ip_plength, args[3]->if_name);
	last = timestamp;
}
