#!/usr/bin/env -S dtrace -s
/*
 * bindsnoop.d - a line for every socket that a process binds to an address of TCP or UDP, or tries to.
 *
 * usage: dtrace bindsnoop [PID] [wide]
 *
 * PORT is the port that the socket got or, where bind(2) failed, the one that was asked for.  ERROR: why it failed; -: it
 * did not.
 * OPTS: R, SO_REUSEADDR; r, SO_REUSEPORT.  IF is the number of the device that the socket is bound to, 0: none.  A long
 * address (IPv6) has a line of its own; with the argument wide it stands in the line, which is then longer than a
 * terminal's.  With PID only the process of that number is shown.
 * Live only: a capture shows no bind(2).
 *
 *	    PID COMMAND         PROT ADDR             PORT OPTS IF  ERROR
 *	    981 sshd            TCP  0.0.0.0            22 R.   0   -
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide" || $$2 == "wide";
inline int ADDRESS = WIDE ? 39 : 15; /* columns of one */
inline int PID = strtoll($$1);
inline int WRONG = ($$1 != "" && $$1 != "wide" && (PID <= 0 || lltostr(PID) != $$1)) || ($$2 != "" && $$2 != "wide");

this string address;

/* In front of the address. */
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

/* Errors of a socket.  Others, such as EBADF, say that there is none. */
inline string ERROR = errno == 0 ? "-" : errno == EADDRINUSE ? "EADDRINUSE" : errno == EADDRNOTAVAIL ? "EADDRNOTAVAIL" :
	errno == EACCES ? "EACCES" : errno == EINVAL ? "EINVAL" : "";

syscall::bind:return
/self->at && ERROR != ""/
{
	this->s = ((struct socket *)curthread->files->fdt->fd[self->fd]->private_data)->sk;
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
