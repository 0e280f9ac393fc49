#!/usr/bin/env -S dtrace -s
/*
 * pridist.d - at which priorities processes run.
 *
 * usage: pridist.d
 *
 * Looks 997 times a second at each CPU.  Priorities are the kernel's: lower is more urgent,
 * 120 is that of nice 0.  Live only.
 *
 *	bash
 *	           value  ------------- Distribution ------------- count
 *	             115 |                                         0
 *	             120 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3
 *	             125 |                                         0
 */
#pragma D option quiet
#pragma D option live

profile-997
/pid/
{
	@[execname] = lquantize(curlwpsinfo->pr_pri, 0, 140, 5);
}

END
{
	printa("%S%@d\n", @);
}
