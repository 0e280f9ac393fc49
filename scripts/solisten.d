#!/usr/bin/env -S dtrace -s
/*
 * solisten.d - a line for every TCP socket that starts to listen.
 *
 * usage: dtrace solisten [wide]
 *
 * A socket that calls listen(2) again, to change its BACKLOG, has another line.
 *
 * BACKLOG is the number of connections that may wait to be accepted. NETNS is the network
 * namespace. A long address (IPv6) begins a new line. With the argument wide, a line is wider
 * than 80 columns and also has the user, the container and the namespace's name.
 *
 * Live only.
 *
 *	    PID COMMAND              NETNS BACKLOG PORT  ADDRESS
 *	    981 sshd            4026531840     128 22    0.0.0.0
 */
#pragma D option quiet
#pragma D option live
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";

this uintptr_t socket;
inline csinfo_t *OWNER = xlate <csinfo_t *>((struct sock *)this->socket);
inline tcpsinfo_t *TCP = xlate <tcpsinfo_t *>((struct sock *)this->socket);

/* The text before the address: a blank, or a new line if the address is long. */
inline string NEXT = strlen(TCP->tcps_laddr) > 31 ? "\n                                    " : " ";

inline int BACKLOG = ((struct sock *)this->socket)->sk_max_ack_backlog;
uintptr_t listens[uintptr_t];	/* by the socket's address: 1 if it listens */

BEGIN
/$$1 != "" && !WIDE/
{
	printf("usage: dtrace solisten [wide]\n");
	exit(1);
}

BEGIN
/WIDE/
{
	printf("%7s %-15s %-12s %-12s %-15s %7s %-5s %s\n", "PID", "COMMAND", "USER", "CONTAINER", "NETNS", "BACKLOG", "PORT",
	    "ADDRESS");
}

BEGIN
/!WIDE/
{
	printf("%7s %-15s %10s %7s %-5s %s\n", "PID", "COMMAND", "NETNS", "BACKLOG", "PORT", "ADDRESS");
}

/*
 * The state changes before the socket has a port, if nothing has bound it, and before listen(2) can
 * still fail. So the line is printed when listen(2) returns.
 */
syscall::listen:entry
{
	self->calls = 1;
	self->fd = arg0;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_LISTEN/
{
	self->socket = args[3]->tcps_addr;
	listens[args[3]->tcps_addr] = 1;
}

/* io_uring, and programs of 32 bits, call listen(2) without firing the probes of syscall. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_LISTEN && !self->calls/
{
	this->socket = self->socket;
	self->socket = 0;
}

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_LISTEN && args[3]->tcps_state == TCP_STATE_CLOSED/
{
	listens[args[3]->tcps_addr] = 0;
}

/* A further listen(2) of a socket that listens changes only its backlog. */
inline struct file *FILE = curthread->files->fdt->fd[self->fd];

syscall::listen:return
/self->calls && arg0 == 0 && self->socket == 0 && FILE != NULL && (FILE->f_inode->i_mode & 0170000) == 0140000/
{
	this->socket = (uintptr_t)((struct socket *)FILE->private_data)->sk;
	self->socket = listens[this->socket] ? this->socket : 0;
}

syscall::listen:return
{
	this->socket = arg0 == 0 ? self->socket : 0;
	self->socket = 0;
	self->calls = 0;
}

tcp:::state-change, syscall::listen:return
/WIDE && this->socket/
{
	printf("%7d %-15S %-12S %-12S %-15S %7d %-5d %s\n", OWNER->cs_pid, OWNER->cs_execname, OWNER->cs_user,
	    OWNER->cs_container, OWNER->cs_netns_name, BACKLOG, TCP->tcps_lport, TCP->tcps_laddr);
}

tcp:::state-change, syscall::listen:return
/!WIDE && this->socket/
{
	printf("%7d %-15S %10d %7d %-5d%s%s\n", OWNER->cs_pid, OWNER->cs_execname, OWNER->cs_netns, BACKLOG,
	    TCP->tcps_lport, NEXT, TCP->tcps_laddr);
}
