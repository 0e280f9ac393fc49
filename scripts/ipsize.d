#!/usr/bin/env -S dtrace -s
/*
 * ipsize.d - how large IP packets are, sent and received, header left out.
 *
 * usage: dtrace ipsize [SECONDS [TIMES]] [-r CAPTURE]
 *
 * Once, at the end; with SECONDS every so many seconds in which something was seen, TIMES times
 * (until it is ended).
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

/* Every SECONDS, and what is left at the end. */
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
