#!/usr/bin/env -S dtrace -s
/*
 * cpuwalk.d - on which CPUs processes run.
 *
 * usage: cpuwalk.d
 *
 * Looks 997 times a second at each CPU: does a program use all of them, or one?  Live only.
 *
 *	make
 *	           value  ------------- Distribution ------------- count
 *	             < 0 |                                         0
 *	               0 |@@@@@@@@@@@@@@@@@@@@@                    21
 *	               1 |@@@@@@@@@@@@@@@@@@@                      19
 *	               2 |                                         0
 */
#pragma D option quiet
#pragma D option live

profile-997
/pid/
{
	@[execname] = lquantize(curcpu->cpu_id, 0, 256, 1);
}

END
{
	printa("%S%@d\n", @);
}
