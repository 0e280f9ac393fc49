#!/usr/bin/env -S dtrace -s
/*
 * execsnoop.d - a line for every program that is run.
 *
 * usage: dtrace execsnoop
 *
 * PPID is the parent of process PID: mostly the process that started the program.
 *
 * Live only.
 *
 *	  UID    PID   PPID ARGS
 *	    0  13512  13510 sed -n 1,3p /etc/passwd
 */
#pragma D option quiet
#pragma D option strsize=48
#pragma D option live

BEGIN
{
	printf("%5s %6s %6s %s\n", "UID", "PID", "PPID", "ARGS");
}

proc:::exec-success
{
	printf("%5d %6d %6d %S\n", uid, pid, ppid, curpsinfo->pr_psargs);
}
