#!/usr/bin/env -S dtrace -s
/*
 * bindsnoop.d - a line for every bind(2) of a TCP or UDP socket, with its result.
 *
 * usage: dtrace bindsnoop [PID] [wide]
 *
 * PORT is the port of the socket or, if bind(2) failed, the port that was asked for. ERROR is
 * the reason of a failure, or -. OPTS: R is SO_REUSEADDR, r is SO_REUSEPORT. IF is the number of
 * the device that the socket is bound to, or 0.
 *
 * Sockets that a process binds through io_uring have no line (docs/limits.md).
 *
 * With PID, the script shows only that process. A long address (IPv6) begins a new line. With the
 * argument wide, long addresses stay in the line, which is then wider than 80 columns.
 *
 * Live only.
 *
 *	    PID COMMAND         PROT ADDR             PORT OPTS IF  ERROR
 *	    981 sshd            TCP  0.0.0.0            22 R.   0   -
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option live

inline int WIDE = $$1 == "wide" || $$2 == "wide";
inline int ADDRESS = WIDE ? 39 : 15; /* width of the column for an address */
inline int PID = strtoll($$1);
inline int WRONG = ($$1 != "" && $$1 != "wide" && (PID <= 0 || lltostr(PID) != $$1)) || ($$2 != "" && $$2 != "wide");

this string address;

/* The text before the address: a blank, or a new line if the address is long. */
inline string NEXT = !WIDE && strlen(this->address) > 15 ? "\n            " : " ";

BEGIN
/WRONG/
{
	printf("usage: dtrace bindsnoop [PID] [wide]\n");
	exit(1);
}

BEGIN
{
	printf("%7s %-15s %-4s %-*s %5s %-4s %-3s %s\n", "PID", "COMMAND", "PROT", ADDRESS, "ADDR", "PORT",
	    "OPTS", "IF", "ERROR");
}

syscall::bind:entry
/(PID == 0 || pid == PID) && arg2 >= 16/
{
	self->at = arg1;
	self->len = arg2;
	self->fd = arg0;
}

inline struct file *FILE = curthread->files->fdt->fd[self->fd];

/* The errors that are shown. With others, such as EBADF, there may be no socket. */
inline string ERROR = errno == 0 ? "-" : errno == EADDRINUSE ? "EADDRINUSE" : errno == EADDRNOTAVAIL ? "EADDRNOTAVAIL" :
	errno == EACCES ? "EACCES" : errno == EINVAL ? "EINVAL" : "";

/* Another thread may have closed the descriptor, or opened a file that is not a socket. */
syscall::bind:return
/self->at && ERROR != "" && FILE != NULL && (FILE->f_inode->i_mode & 0170000) == 0140000/
{
	this->s = ((struct socket *)FILE->private_data)->sk;
	this->a = (struct sockaddr_in *)copyin(self->at, self->len < 28 ? 16 : 28);
	this->family = this->a->sin_family == AF_INET6 && self->len < 28 ? 0 : this->a->sin_family;
	this->port = errno == 0 ? this->s->__sk_common.skc_num : ntohs(this->a->sin_port);
	this->address = this->family == AF_INET ? inet_ntoa(&this->a->sin_addr) : this->family == AF_INET6 ?
	    inet_ntoa6(&((struct sockaddr_in6 *)this->a)->sin6_addr, 1) : "";
}

syscall::bind:return
/(this->family == AF_INET || this->family == AF_INET6) &&
 (this->s->sk_protocol == IPPROTO_TCP || this->s->sk_protocol == IPPROTO_UDP)/
{
	printf("%7d %-15S %-4s%s%-*s %5d %s%s   %-3d %s\n", pid, execname, this->s->sk_protocol == IPPROTO_TCP ? "TCP" : "UDP",
	    NEXT, ADDRESS, this->address, this->port, this->s->__sk_common.skc_reuse ? "R" : ".",
	    this->s->__sk_common.skc_reuseport ? "r" : ".", this->s->__sk_common.skc_bound_dev_if, ERROR);
}

syscall::bind:return
{
	self->at = 0;
	self->len = 0;
	self->fd = 0;
}
