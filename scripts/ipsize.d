#!/usr/bin/env -S dtrace -s
/*
 * ipsize.d - sizes of IP packets, sent and received, without the header.
 *
 * usage: dtrace ipsize [SECONDS [TIMES]] [-r CAPTURE]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds, even if nothing
 * happened, and ends after TIMES times or with Ctrl-C.
 *
 * Sizes are those before a device cuts a packet (segmentation offload), and after GRO has merged
 * packets.
 */
#pragma D option quiet
#pragma D option defaultargs

inline int SECONDS = strtoll($$1);
inline int TIMES = strtoll($$2);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2];

int seconds, some, shown;

BEGIN
/WRONG/
{
	printf("usage: dtrace ipsize [SECONDS [TIMES]] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%s\n", "Measuring packets until Ctrl-C or the end of the capture.");
}

ip:::send, ip:::receive
{
	@size[probename] = quantize(args[2]->ip_plength);
	@mean[probename] = avg(args[2]->ip_plength);
	@largest[probename] = max(args[2]->ip_plength);
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
	printa("%s:%@d\n", @size);
	printa("%s: mean %@d, largest %@d bytes\n", @mean, @largest);
}

tick-1s
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@size);
	trunc(@mean);
	trunc(@largest);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
