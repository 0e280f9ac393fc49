#!/usr/bin/env -S dtrace -s
/*
 * killsnoop.d - a line for every signal that one process sends to another.
 *
 * usage: dtrace killsnoop
 *
 * The script leaves out these signals: SIGCHLD (the kernel sends it when a process ends), signals
 * of a process to itself, and signals that come while the CPU is idle, such as those of timers.
 *
 * Live only.
 *
 *	   PID FROM             SIG    PID TO
 *	 13510 bash              15  13512 sleep
 */
#pragma D option quiet
#pragma D option live

BEGIN
{
	printf("%6s %-16s %3s %6s %s\n", "PID", "FROM", "SIG", "PID", "TO");
}

proc:::signal-send
/args[1]->pr_pid != pid && args[2] != SIGCHLD && pid != 0/
{
	this->signal = args[2];
	printf("%6d %-16S %3d %6d %S\n", pid, execname, this->signal, args[1]->pr_pid, args[1]->pr_fname);
}
