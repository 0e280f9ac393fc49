#!/usr/bin/env -S dtrace -s
/*
 * opensnoop.d - a line for every attempt to open a file.
 *
 * usage: dtrace opensnoop
 *
 * FD is the result of the call. ERR is errno, the reason of a failure. PATH is read when the call
 * returns, because the memory with the path may not be present before. If another thread has changed
 * this memory meanwhile, PATH is not the file that was opened. Files that a process opens through
 * io_uring, and files that 32-bit programs open, have no line (docs/limits.md).
 *
 * Live only.
 *
 *	  UID    PID COMMAND           FD ERR PATH
 *	    0  13512 cat                3   0 /etc/hostname
 */
#pragma D option quiet
#pragma D option strsize=128
#pragma D option live

BEGIN
{
	printf("%5s %6s %-16s %3s %3s %s\n", "UID", "PID", "COMMAND", "FD", "ERR", "PATH");
}

syscall::open:entry,
syscall::creat:entry
{
	self->path = arg0;
}

syscall::openat:entry,
syscall::openat2:entry
{
	self->path = arg1;
}

syscall::open:return,
syscall::creat:return,
syscall::openat:return,
syscall::openat2:return
/self->path/
{
	this->fd = (int)arg0;
	this->path = copyinstr(self->path);
	printf("%5d %6d %-16S %3d %3d %.42S\n", uid, pid, execname, this->fd, errno, this->path);
	self->path = 0;
}
