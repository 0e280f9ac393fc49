#!/usr/bin/env -S dtrace -s
/*
 * iosnoop.d - a line for every disk request when it completes.
 *
 * usage: dtrace iosnoop
 *
 * PID and COMMAND are of the process that made the request. For a write, this is often a kernel
 * thread. TIME is the time that the disk took, in microseconds. D is R (read), W (write) or D: the
 * disk discards SIZE bytes (TRIM), which are not transferred.
 *
 * With -x slower=10ms, the script prints only requests that took 10 ms or longer.
 *
 * Live only.
 *
 *	   PID COMMAND          D DEVICE         BLOCK    SIZE  TIME(us) FILE
 *	 13512 cat              R vda           182016    4096       212 hostname
 */
#pragma D option quiet
#pragma D option live

BEGIN
{
	printf("%6s %-12s %s %-8s %11s %7s %9s %s\n", "PID", "COMMAND", "D", "DEVICE", "BLOCK", "SIZE",
	    "TIME(us)", "FILE");
}

io:::start
{
	who[args[0]->b_edev, args[0]->b_blkno] = pid;
	name[args[0]->b_edev, args[0]->b_blkno] = execname;
	since[args[0]->b_edev, args[0]->b_blkno] = timestamp;
}

io:::done
/since[args[0]->b_edev, args[0]->b_blkno] && timestamp - since[args[0]->b_edev, args[0]->b_blkno] >= slower/
{
	this->us = (timestamp - since[args[0]->b_edev, args[0]->b_blkno]) / 1000;
	this->direction = args[0]->b_flags & B_READ ? "R" : args[0]->b_flags & B_WRITE ? "W" : "D";
	printf("%6d %-12.12S %s %-8.8s %11d %7d %9d %.18S\n", who[args[0]->b_edev, args[0]->b_blkno],
	    name[args[0]->b_edev, args[0]->b_blkno], this->direction,
	    args[1]->dev_statname, args[0]->b_blkno, args[0]->b_bcount,
	    this->us, args[2]->fi_name);
}

io:::done
/since[args[0]->b_edev, args[0]->b_blkno]/
{
	who[args[0]->b_edev, args[0]->b_blkno] = 0;
	name[args[0]->b_edev, args[0]->b_blkno] = 0;
	since[args[0]->b_edev, args[0]->b_blkno] = 0;
}
