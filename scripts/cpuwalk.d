#!/usr/bin/env -S dtrace -s
/*
 * cpuwalk.d - on which CPUs processes run.
 *
 * usage: dtrace cpuwalk [SECONDS [TIMES]]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds, even if nothing
 * happened, and ends after TIMES times or with Ctrl-C.
 *
 * Samples each CPU 997 times a second. Use it to see if a program uses all CPUs or one.
 *
 * Live only.
 *
 *	make
 *	           value  ------------- Distribution ------------- count
 *	             < 0 |                                         0
 *	               0 |@@@@@@@@@@@@@@@@@@@@@                    21
 *	               1 |@@@@@@@@@@@@@@@@@@@                      19
 *	               2 |                                         0
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option live

inline int SECONDS = strtoll($$1);
inline int TIMES = strtoll($$2);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2];

int seconds, some, shown;

BEGIN
/WRONG/
{
	printf("usage: dtrace cpuwalk [SECONDS [TIMES]]\n");
	exit(1);
}

BEGIN
{
	printf("%s\n", "Sampling CPUs until Ctrl-C.");
}

profile-997
/pid/
{
	@[execname] = lquantize(curcpu->cpu_id, 0, 256, 1);
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
	printa("%S%@d\n", @);
}

tick-1s
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
