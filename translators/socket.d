/*
 * socket.d - the stable struct csinfo_t: a socket and the process that owns it.
 *
 * The kernel does not record the owner of a socket. The clauses here remember the owner by the
 * socket's cookie, a number that no other socket ever gets. When a TIME_WAIT socket replaces a
 * socket, it gets the cookie of that socket.
 */

/* include/uapi/linux/stat.h, linux/sched.h */
inline int __S_IFMT = 0xf000;
inline int __S_IFSOCK = 0xc000;
inline int __PF_KTHREAD = 0x200000;

/*
 * Is args[0] a socket of a live kernel? In replay, a socket has no skc_prot. It has a cookie from
 * the start, and has an owner only if the capture names the owner.
 */
inline int __is_kernels = args[0]->__sk_common.skc_prot != NULL;

/* ------------------------------------------------------------------ cookies */

/*
 * The kernel gives a socket its cookie at the first request. When the kernel makes a TIME_WAIT
 * socket, it copies the cookie of the full socket, and no event reports that. So the first clause
 * requests a cookie when the full socket begins to close. The second clause requests one for each
 * socket that exists when tracing starts.
 */
rawtp:::inet_sock_set_state
/ (args[2] == TCP_STATE_FIN_WAIT_1 || args[2] == TCP_STATE_LAST_ACK) && __is_kernels /
{
	__cookie(args[0]);
}

iter:::tcp
{
	__cookie(args[1]);
}

/* ------------------------------------------------------------------- owners */

/*
 * There are two ways to remember owners. If __keeps is 1, an owner is kept with its socket, in
 * __kept_*. For that, the program must find the memory of each socket whose owner it reads. For TCP
 * sockets, this is an entry in a table of our own. Otherwise it is the kernel's storage of sockets,
 * which costs more. If __keeps is 0, owners are in hashes by cookie.
 *
 * The child of a listener gets a copy of the listener's __kept_*. So a connection belongs to the
 * owner of the listener, until a process accepts it. Name, parent and arguments are those that the
 * process had when it became the owner.
 */
pid_t __kept_owner[struct sock *];      /* number of the owner, a process, + 1; 0 if unknown */
string __kept_name[struct sock *];      /* name of the process */
pid_t __kept_parent[struct sock *];     /* number of the parent process + 1 */
string __kept_args[struct sock *];      /* arguments of the process */
int __kept_child[struct sock *];        /* 1 if the socket is the child of a listener, and not in the table */
uint64_t __kept_image[struct sock *];   /* __process_image of the process */

/*
 * Owners by cookie, if __keeps is 1. The program that sees accept(2) cannot find the kernel's
 * storage of the accepted socket. If the socket is not in the table either, that program stores the
 * owner here. An owner here overrides __kept_owner.
 */
int __some_taken;                       /* 1 if an owner was ever stored here */
pid_t __taken[uint64_t];                /* by cookie: number of the process + 1 */
string __taken_name[uint64_t];
pid_t __taken_parent[uint64_t];
string __taken_args[uint64_t];

/* The hashes by cookie, if __keeps is 0. */
pid_t __owner[uint64_t];        /* number of the process + 1; 0 if unknown */
string __owner_name[uint64_t];  /* name of the process */
pid_t __past_owner[uint64_t];   /* owner of a connection in TIME_WAIT; no event reports the
				 * end of TIME_WAIT, so nothing deletes these entries */
string __past_owner_name[uint64_t];
pid_t __owner_parent[uint64_t]; /* number of the parent process + 1; 0 if unknown */
string __owner_args[uint64_t];  /* arguments of the process */
string __owner_user[uint64_t];  /* name of the user; a capture has this and the next three */
string __owner_cgroup[uint64_t];
string __owner_container[uint64_t];
string __owner_netns[uint64_t];
uint64_t __owner_near[1024];    /* the owners that were set last, by the low ten bits of the cookie:
				 * see __near_of */
uint64_t __name_near[1024];     /* the names that were set last, in the same way: see __named_near */
uint64_t __listener[int];       /* by CPU: cookie of the listener that got the last segment */

inline pid_t __process = curthread->tgid + 1;
inline string __process_name = stringof(curthread->group_leader->comm);
inline pid_t __process_parent = curthread->real_parent->tgid + 1;
inline uint64_t __process_image = curthread->self_exec_id; /* changes when the process executes a program */

/*
 * Packs a cookie and the owner of its socket into one word, so that one load reads both. The owner,
 * a process number + 1, fits in 23 bits, because Linux's process numbers have 22 bits.
 */
inline uint64_t __near_of[uint64_t cookie, pid_t owner] = cookie << 23 | (uint32_t)owner;

/*
 * Packs a cookie and 23 bits, which are computed from the owner's name, into one word. If the bits
 * of two names differ, the names differ. cmd/filter.c computes the same bits for the name in -x
 * execname.
 */
inline uint64_t __named_near[uint64_t cookie, struct task_struct *t] = cookie << 23 | ((*(uint64_t *)t->comm ^
	*(uint64_t *)t->comm >> 23 ^ *(uint64_t *)t->comm >> 46) & 0x7fffff);

/*
 * Does providers/tcp/tcp.d see the end of socket @s, so that it can remove the socket from the
 * table? It sees the end of TCP sockets, but not of raw sockets, which may have TCP's protocol too.
 */
inline int __has_end[struct sock *s] = s->sk_protocol == IPPROTO_TCP && s->sk_type == __SOCK_STREAM;

/*
 * Sets the owner of a new socket: the process that calls socket(2). Sockets that the kernel creates
 * for itself have no owner.
 */
cgroup_sock:::create
/ __has_end[args[0]] /
{
	__enter(args[0]);
}

cgroup_sock:::create
{
	__kept_owner[args[0]] = __process;
	__kept_name[args[0]] = __process_name;
	__kept_parent[args[0]] = __process_parent;
	__kept_args[args[0]] = execargs;
	__kept_image[args[0]] = __process_image;
}

cgroup_sock:::create
{
	this->__key = __cookie(args[0]); /* calls the kernel, because a new socket has no cookie yet */
	__owner[this->__key] = __process;
	__owner_near[this->__key & 1023] = __near_of[this->__key, __process];
	__owner_name[this->__key] = __process_name;
	__name_near[this->__key & 1023] = __named_near[this->__key, curthread->group_leader];
	__owner_parent[this->__key] = __process_parent;
	__owner_args[this->__key] = execargs;
}
or
fbt::inet_create:return, fbt::inet6_create:return
/ args[1] == 0 && args[5] == 0 && args[3]->sk != NULL /
{
	__owner[__cookie(args[3]->sk)] = __process;
	__owner_near[__cookie(args[3]->sk) & 1023] = __near_of[__cookie(args[3]->sk), __process];
	__owner_name[__cookie(args[3]->sk)] = __process_name;
	__name_near[__cookie(args[3]->sk) & 1023] = __named_near[__cookie(args[3]->sk), curthread->group_leader];
	__owner_parent[__cookie(args[3]->sk)] = __process_parent;
	__owner_args[__cookie(args[3]->sk)] = execargs;
}

/*
 * In replay: stores the owner of a socket, and the names of its user, groups and namespace in the
 * capture.
 */
replay:::owner
{
	__owner[__cookie(args[0])] = args[1]->tgid + 1;
	__owner_near[__cookie(args[0]) & 1023] = __near_of[__cookie(args[0]), args[1]->tgid + 1];
	__owner_name[__cookie(args[0])] = stringof(args[1]->comm);
	__name_near[__cookie(args[0]) & 1023] = __named_near[__cookie(args[0]), args[1]];
}

replay:::owner
{
	__owner_user[__cookie(args[0])] = args[2]->user[0] == 0 ? "unknown" : stringof(args[2]->user);
}

replay:::owner
{
	__owner_cgroup[__cookie(args[0])] = args[2]->cgroup[0] == 0 ? "unknown" : stringof(args[2]->cgroup);
}

replay:::owner
{
	__owner_container[__cookie(args[0])] = args[2]->container[0] == 0 ? "unknown" : stringof(args[2]->container);
}

replay:::owner
{
	__owner_netns[__cookie(args[0])] = args[2]->netns[0] == 0 ? "unknown" : stringof(args[2]->netns);
}

/*
 * If no event reported that the socket was made, its owner is the process that calls connect(2) or
 * listen(2).
 */
rawtp:::inet_sock_set_state
/ args[1] == TCP_STATE_CLOSED && (args[2] == TCP_STATE_SYN_SENT || args[2] == TCP_STATE_LISTEN) &&
  __is_kernels && !(curthread->flags & __PF_KTHREAD) && __owner[__cookie(args[0])] == 0 /
{
	__owner[__cookie(args[0])] = __process;
	__owner_near[__cookie(args[0]) & 1023] = __near_of[__cookie(args[0]), __process];
	__owner_name[__cookie(args[0])] = __process_name;
	__name_near[__cookie(args[0]) & 1023] = __named_near[__cookie(args[0]), curthread->group_leader];
	__owner_parent[__cookie(args[0])] = __process_parent;
	__owner_args[__cookie(args[0])] = execargs;
}

rawtp:::inet_sock_set_state
/ args[1] == TCP_STATE_CLOSED && (args[2] == TCP_STATE_SYN_SENT || args[2] == TCP_STATE_LISTEN) &&
  __is_kernels && __kept_owner[args[0]] == 0 && !(curthread->flags & __PF_KTHREAD) /
{
	__kept_owner[args[0]] = __process;
	__kept_name[args[0]] = __process_name;
	__kept_parent[args[0]] = __process_parent;
	__kept_args[args[0]] = execargs;
	__kept_image[args[0]] = __process_image;
}

/*
 * The listener of child @s, while the kernel makes the child. The kernel has copied the listener's
 * memory, and has not yet initialised the child's list of sent segments. So the first pointer of
 * this list still leads to the list of the listener, which is always empty. The result may be
 * wrong: it is only compared with the addresses in the table.
 */
inline struct sock *__made_by[struct sock *s] = (struct sock *)((uintptr_t)__tp[s]->tsorted_sent_queue.next -
	offsetof(struct tcp_sock, tsorted_sent_queue));

rawtp:::inet_sock_set_state
/ args[1] == TCP_STATE_LISTEN && args[2] == TCP_STATE_SYN_RECEIVED && __is_kernels &&
  !__inherit(args[0], __made_by[args[0]]) /
{
	__cookie(args[0]); /* a program at accept(2) cannot give the socket a cookie */
	__kept_child[args[0]] = 1;
}

/*
 * If __keeps is 0: until a process accepts a connection, it belongs to the owner of the listener.
 * The kernel makes the child while it handles a segment that the listener got, on the same CPU.
 */
cgroup_skb:::ingress
/ args[0]->sk != NULL && args[0]->sk->__sk_common.skc_state == TCP_STATE_LISTEN /
{
	__listener[cpu] = __cookie(args[0]->sk);
}
or
fbt::sk_filter_trim_cap:entry
/ args[0]->__sk_common.skc_state == TCP_STATE_LISTEN /
{
	__listener[cpu] = __cookie(args[0]);
}

rawtp:::inet_sock_set_state
/ args[1] == TCP_STATE_LISTEN && args[2] == TCP_STATE_SYN_RECEIVED && __is_kernels /
{
	this->__from = __listener[cpu];
	this->__pid = __owner[this->__from];
	__owner[__cookie(args[0])] = this->__pid;
	__owner_near[__cookie(args[0]) & 1023] = __near_of[__cookie(args[0]), this->__pid];
	__owner_name[__cookie(args[0])] = __owner_name[this->__from];
	__owner_parent[__cookie(args[0])] = __owner_parent[this->__from];
	__owner_args[__cookie(args[0])] = __owner_args[this->__from];
}

/*
 * Before Linux 6.14, the child does not have its cookie yet in the clause above. So this clause
 * sets the owner when the child is established. The event comes before the child's state changes.
 */
sockops:::op
/ args[0]->op == __OP_PASSIVE_ESTABLISHED && args[0]->sk->sk_socket == NULL &&
  __owner[__cookie(args[0]->sk)] == 0 /
{
	__owner[__cookie(args[0]->sk)] = __owner[__listener[cpu]];
	__owner_near[__cookie(args[0]->sk) & 1023] = __near_of[__cookie(args[0]->sk), __owner[__listener[cpu]]];
	__owner_name[__cookie(args[0]->sk)] = __owner_name[__listener[cpu]];
	__owner_parent[__cookie(args[0]->sk)] = __owner_parent[__listener[cpu]];
	__owner_args[__cookie(args[0]->sk)] = __owner_args[__listener[cpu]];
}
or
fbt::tcp_init_transfer:entry
/ args[1] == __OP_PASSIVE_ESTABLISHED && args[0]->sk_socket == NULL && __owner[__cookie(args[0])] == 0 /
{
	this->__from = __listener[cpu];
	this->__pid = __owner[this->__from];
	__owner[__cookie(args[0])] = this->__pid;
	__owner_near[__cookie(args[0]) & 1023] = __near_of[__cookie(args[0]), this->__pid];
	__owner_name[__cookie(args[0])] = __owner_name[this->__from];
	__owner_parent[__cookie(args[0])] = __owner_parent[this->__from];
	__owner_args[__cookie(args[0])] = __owner_args[this->__from];
}

/*
 * Is descriptor args[1], which accept(2) returns, an open IP socket? Another thread may have closed
 * the descriptor already. Then the pointers read here may lead to another file, or to no socket.
 */
inline int __is_open_socket =
	(this->__file = curthread->files->fdt->fd[args[1]]) != NULL &&
	(this->__file->f_inode->i_mode & __S_IFMT) == __S_IFSOCK &&
	(this->__socket = (struct socket *)this->__file->private_data) != NULL &&
	this->__socket->file == this->__file &&
	(this->__socket->sk->__sk_common.skc_family == AF_INET ||
	 this->__socket->sk->__sk_common.skc_family == AF_INET6);
inline int __is_accepted = __is_open_socket && (this->__key = __cookie(this->__socket->sk)) != 0;

/*
 * The TCP socket that has the connection of socket @s. For an MPTCP socket, that is the first
 * subflow, or NULL if the first subflow has ended.
 */
inline int __IPPROTO_MPTCP = 262;
inline struct sock *__first_flow[struct sock *s] =
	s->sk_protocol == __IPPROTO_MPTCP ? ((struct mptcp_sock *)s)->first : s;
inline int __is_accepted_flow = __is_open_socket &&
	(this->__flow = __first_flow[this->__socket->sk]) != NULL && (this->__key = __cookie(this->__flow)) != 0;

/*
 * Does accept(2) return a socket that is in the table? The table has addresses of sockets, so this
 * test needs no cookie.
 */
inline int __is_entered = __is_open_socket && __entered(this->__flow = this->__socket->sk) != NULL;
inline int __is_entered_flow = __is_open_socket &&
	__entered(this->__flow = __first_flow[this->__socket->sk]) != NULL;
inline struct sock *__entry = (struct sock *)__entered(this->__flow);

/*
 * An accepted socket belongs to the process that calls accept(2) or accept4(2). The kernel calls
 * security_sock_graft() when a connection is there, so the first two clauses also find threads that
 * were already waiting in accept(2) when tracing started. The return of inet_accept() only reports
 * threads that called it later. If functions cannot be traced, the clauses use the return of the
 * system calls, by their numbers on x86-64 (32-bit programs use others) and on arm64.
 */
fbt::security_sock_graft:entry
/ (args[0]->__sk_common.skc_family == AF_INET || args[0]->__sk_common.skc_family == AF_INET6) &&
  !(curthread->flags & __PF_KTHREAD) && (this->__flow = __first_flow[args[0]]) != NULL &&
  (this->__key = __cookie(this->__flow)) != 0 /
{
	__owner[this->__key] = __process;
	__owner_near[this->__key & 1023] = __near_of[this->__key, __process];
	__owner_name[this->__key] = __process_name;
	__name_near[this->__key & 1023] = __named_near[this->__key, curthread->group_leader];
	__owner_parent[this->__key] = __process_parent;
	__owner_args[this->__key] = execargs;
}
or
fbt::security_sock_graft:entry
/ (args[0]->__sk_common.skc_family == AF_INET || args[0]->__sk_common.skc_family == AF_INET6) &&
  !(curthread->flags & __PF_KTHREAD) && (this->__key = __cookie(args[0])) != 0 /
{
	__owner[this->__key] = __process;
	__owner_near[this->__key & 1023] = __near_of[this->__key, __process];
	__owner_name[this->__key] = __process_name;
	__name_near[this->__key & 1023] = __named_near[this->__key, curthread->group_leader];
	__owner_parent[this->__key] = __process_parent;
	__owner_args[this->__key] = execargs;
}
or
fbt::inet_accept:return
/ args[1] == 0 && args[3]->sk != NULL && !(curthread->flags & __PF_KTHREAD) &&
  (this->__key = __cookie(args[3]->sk)) != 0 /
{
	__owner[this->__key] = __process;
	__owner_near[this->__key & 1023] = __near_of[this->__key, __process];
	__owner_name[this->__key] = __process_name;
	__name_near[this->__key & 1023] = __named_near[this->__key, curthread->group_leader];
	__owner_parent[this->__key] = __process_parent;
	__owner_args[this->__key] = execargs;
}
or
rawtp:::sys_exit
/ (args[0]->orig_ax == 43 || args[0]->orig_ax == 288) && args[1] >= 0 &&
  !(curthread->thread_info.status & 2) && __is_accepted_flow /
{
	__owner[this->__key] = __process;
	__owner_near[this->__key & 1023] = __near_of[this->__key, __process];
	__owner_name[this->__key] = __process_name;
	__name_near[this->__key & 1023] = __named_near[this->__key, curthread->group_leader];
	__owner_parent[this->__key] = __process_parent;
	__owner_args[this->__key] = execargs;
}
or
rawtp:::sys_exit
/ (args[0]->orig_ax == 43 || args[0]->orig_ax == 288) && args[1] >= 0 &&
  !(curthread->thread_info.status & 2) && __is_accepted /
{
	__owner[this->__key] = __process;
	__owner_near[this->__key & 1023] = __near_of[this->__key, __process];
	__owner_name[this->__key] = __process_name;
	__name_near[this->__key & 1023] = __named_near[this->__key, curthread->group_leader];
	__owner_parent[this->__key] = __process_parent;
	__owner_args[this->__key] = execargs;
}
or
rawtp:::sys_exit
/ (args[0]->syscallno == 202 || args[0]->syscallno == 242) && args[1] >= 0 && __is_accepted_flow /
{
	__owner[this->__key] = __process;
	__owner_near[this->__key & 1023] = __near_of[this->__key, __process];
	__owner_name[this->__key] = __process_name;
	__name_near[this->__key & 1023] = __named_near[this->__key, curthread->group_leader];
	__owner_parent[this->__key] = __process_parent;
	__owner_args[this->__key] = execargs;
}
or
rawtp:::sys_exit
/ (args[0]->syscallno == 202 || args[0]->syscallno == 242) && args[1] >= 0 && __is_accepted /
{
	__owner[this->__key] = __process;
	__owner_near[this->__key & 1023] = __near_of[this->__key, __process];
	__owner_name[this->__key] = __process_name;
	__name_near[this->__key & 1023] = __named_near[this->__key, curthread->group_leader];
	__owner_parent[this->__key] = __process_parent;
	__owner_args[this->__key] = execargs;
}

/*
 * If __keeps is 1, these clauses set the owner of an accepted socket. At system calls, they read
 * the arguments only if the copy of the listener's values is wrong: the process is not the
 * listener's owner, or has executed another program since.
 */
inline int __has_other_args = __kept_owner[__entry] != __process || __kept_image[__entry] != __process_image;

fbt::security_sock_graft:entry
/ (args[0]->__sk_common.skc_family == AF_INET || args[0]->__sk_common.skc_family == AF_INET6) &&
  !(curthread->flags & __PF_KTHREAD) /
{
	__kept_args[args[0]] = execargs;
}
or
fbt::inet_accept:return
/ args[1] == 0 && args[3]->sk != NULL && !(curthread->flags & __PF_KTHREAD) /
{
	__kept_args[args[3]->sk] = execargs;
}
or
rawtp:::sys_exit
/ (args[0]->orig_ax == 43 || args[0]->orig_ax == 288) && args[1] >= 0 &&
  !(curthread->thread_info.status & 2) && __is_entered_flow && __has_other_args /
{
	__kept_args[__entry] = execargs;
	__kept_image[__entry] = __process_image;
}
or
rawtp:::sys_exit
/ (args[0]->orig_ax == 43 || args[0]->orig_ax == 288) && args[1] >= 0 &&
  !(curthread->thread_info.status & 2) && __is_entered && __has_other_args /
{
	__kept_args[__entry] = execargs;
	__kept_image[__entry] = __process_image;
}
or
rawtp:::sys_exit
/ (args[0]->syscallno == 202 || args[0]->syscallno == 242) && args[1] >= 0 && __is_entered_flow && __has_other_args /
{
	__kept_args[__entry] = execargs;
	__kept_image[__entry] = __process_image;
}
or
rawtp:::sys_exit
/ (args[0]->syscallno == 202 || args[0]->syscallno == 242) && args[1] >= 0 && __is_entered && __has_other_args /
{
	__kept_args[__entry] = execargs;
	__kept_image[__entry] = __process_image;
}

fbt::security_sock_graft:entry
/ (args[0]->__sk_common.skc_family == AF_INET || args[0]->__sk_common.skc_family == AF_INET6) &&
  !(curthread->flags & __PF_KTHREAD) /
{
	__kept_owner[args[0]] = __process;
	__kept_name[args[0]] = __process_name;
	__kept_parent[args[0]] = __process_parent;
}
or
fbt::inet_accept:return
/ args[1] == 0 && args[3]->sk != NULL && !(curthread->flags & __PF_KTHREAD) /
{
	__kept_owner[args[3]->sk] = __process;
	__kept_name[args[3]->sk] = __process_name;
	__kept_parent[args[3]->sk] = __process_parent;
}
or
rawtp:::sys_exit
/ (args[0]->orig_ax == 43 || args[0]->orig_ax == 288) && args[1] >= 0 &&
  !(curthread->thread_info.status & 2) && __is_entered_flow /
{
	__kept_owner[__entry] = __process;
	__kept_name[__entry] = __process_name;
	__kept_parent[__entry] = __process_parent;
}
or
rawtp:::sys_exit
/ (args[0]->orig_ax == 43 || args[0]->orig_ax == 288) && args[1] >= 0 &&
  !(curthread->thread_info.status & 2) && __is_entered /
{
	__kept_owner[__entry] = __process;
	__kept_name[__entry] = __process_name;
	__kept_parent[__entry] = __process_parent;
}
or
rawtp:::sys_exit
/ (args[0]->syscallno == 202 || args[0]->syscallno == 242) && args[1] >= 0 && __is_entered_flow /
{
	__kept_owner[__entry] = __process;
	__kept_name[__entry] = __process_name;
	__kept_parent[__entry] = __process_parent;
}
or
rawtp:::sys_exit
/ (args[0]->syscallno == 202 || args[0]->syscallno == 242) && args[1] >= 0 && __is_entered /
{
	__kept_owner[__entry] = __process;
	__kept_name[__entry] = __process_name;
	__kept_parent[__entry] = __process_parent;
}

fbt::security_sock_graft:entry
/ args[0]->sk_protocol == __IPPROTO_MPTCP && !(curthread->flags & __PF_KTHREAD) &&
  __entered(this->__flow = __first_flow[args[0]]) != NULL /
{
	__kept_owner[__entry] = __process;
	__kept_name[__entry] = __process_name;
	__kept_parent[__entry] = __process_parent;
	__kept_args[__entry] = execargs;
}

/*
 * A program cannot find the kernel's storage of a TCP socket below an MPTCP socket, or of a socket
 * that it has only by its descriptor. If such a socket is not in the table either, its owner goes
 * to __taken.
 */
fbt::security_sock_graft:entry
/ args[0]->sk_protocol == __IPPROTO_MPTCP && !(curthread->flags & __PF_KTHREAD) &&
  (this->__flow = __first_flow[args[0]]) != NULL && __entered(this->__flow) == NULL &&
  (this->__key = __cookie(this->__flow)) != 0 /
{
	__some_taken = 1;
	__taken[this->__key] = __process;
	__taken_name[this->__key] = __process_name;
	__taken_parent[this->__key] = __process_parent;
	__taken_args[this->__key] = execargs;
}
or
fbt::security_sock_graft:entry
/ args[0]->sk_protocol == __IPPROTO_MPTCP && (this->__key = __cookie(args[0])) != 0 /
{
	__some_taken = 1;
	__taken[this->__key] = __process;
	__taken_name[this->__key] = __process_name;
	__taken_parent[this->__key] = __process_parent;
	__taken_args[this->__key] = execargs;
}
or
rawtp:::sys_exit
/ (args[0]->orig_ax == 43 || args[0]->orig_ax == 288) && args[1] >= 0 &&
  !(curthread->thread_info.status & 2) && __is_accepted_flow && !__is_entered_flow /
{
	__some_taken = 1;
	__taken[this->__key] = __process;
	__taken_name[this->__key] = __process_name;
	__taken_parent[this->__key] = __process_parent;
	__taken_args[this->__key] = execargs;
}
or
rawtp:::sys_exit
/ (args[0]->orig_ax == 43 || args[0]->orig_ax == 288) && args[1] >= 0 &&
  !(curthread->thread_info.status & 2) && __is_accepted && !__is_entered /
{
	__some_taken = 1;
	__taken[this->__key] = __process;
	__taken_name[this->__key] = __process_name;
	__taken_parent[this->__key] = __process_parent;
	__taken_args[this->__key] = execargs;
}
or
rawtp:::sys_exit
/ (args[0]->syscallno == 202 || args[0]->syscallno == 242) && args[1] >= 0 && __is_accepted_flow && !__is_entered_flow /
{
	__some_taken = 1;
	__taken[this->__key] = __process;
	__taken_name[this->__key] = __process_name;
	__taken_parent[this->__key] = __process_parent;
	__taken_args[this->__key] = execargs;
}
or
rawtp:::sys_exit
/ (args[0]->syscallno == 202 || args[0]->syscallno == 242) && args[1] >= 0 && __is_accepted && !__is_entered /
{
	__some_taken = 1;
	__taken[this->__key] = __process;
	__taken_name[this->__key] = __process_name;
	__taken_parent[this->__key] = __process_parent;
	__taken_args[this->__key] = execargs;
}

/*
 * A socket that is open when tracing starts belongs to the first process that holds it. The
 * iterator visits processes in the order of their numbers.
 */
inline struct sock *__held = ((struct socket *)__file_socket(args[3]))->sk;

iter:::task_file
/ __file_socket(args[3]) != NULL && __held != NULL &&
  (__held->__sk_common.skc_family == AF_INET || __held->__sk_common.skc_family == AF_INET6) &&
  __owner[__cookie(__held)] == 0 /
{
	__owner[__cookie(__held)] = args[1]->tgid + 1;
	__owner_near[__cookie(__held) & 1023] = __near_of[__cookie(__held), args[1]->tgid + 1];
	__owner_name[__cookie(__held)] = stringof(args[1]->group_leader->comm);
	__name_near[__cookie(__held) & 1023] = __named_near[__cookie(__held), args[1]->group_leader];
	__owner_parent[__cookie(__held)] = args[1]->real_parent->tgid + 1;
}

iter:::task_file
/ __file_socket(args[3]) != NULL && __held != NULL &&
  (__held->__sk_common.skc_family == AF_INET || __held->__sk_common.skc_family == AF_INET6) &&
  __kept_owner[__held] == 0 && __has_end[__held] /
{
	__enter(__held);
}

iter:::task_file
/ __file_socket(args[3]) != NULL && __held != NULL &&
  (__held->__sk_common.skc_family == AF_INET || __held->__sk_common.skc_family == AF_INET6) &&
  __kept_owner[__held] == 0 /
{
	__kept_owner[__held] = args[1]->tgid + 1;
	__kept_name[__held] = stringof(args[1]->group_leader->comm);
	__kept_parent[__held] = args[1]->real_parent->tgid + 1;
}

/*
 * Forgets the owner of a socket when the socket is closed, so that many short-lived sockets do not
 * push out an idle one. A TCP socket lives on after close(2): the end of providers/tcp/tcp.d
 * forgets it.
 */
cgroup_sock:::release
/ args[0]->sk_protocol != IPPROTO_TCP /
{
	__owner[__cookie(args[0])] = 0;
	__owner_near[__cookie(args[0]) & 1023] = 0;
	__owner_name[__cookie(args[0])] = 0;
	__owner_parent[__cookie(args[0])] = 0;
	__owner_args[__cookie(args[0])] = 0;
}
or
fbt::inet_release:entry
/ args[0]->sk != NULL && args[0]->sk->sk_protocol != IPPROTO_TCP && __cookie(args[0]->sk) != 0 /
{
	__owner[__cookie(args[0]->sk)] = 0;
	__owner_near[__cookie(args[0]->sk) & 1023] = 0;
	__owner_name[__cookie(args[0]->sk)] = 0;
	__owner_parent[__cookie(args[0]->sk)] = 0;
	__owner_args[__cookie(args[0]->sk)] = 0;
}

/*
 * When a connection enters TIME_WAIT, its full socket ends and a small socket stays. This clause
 * copies the owner before the owner of the full socket is forgotten, at tcp_destroy_sock.
 */
rawtp:::inet_sock_set_state
/ __left_small /
{
	__past_owner[__cookie(args[0])] = __owner_in_full[args[0]];
	__past_owner_name[__cookie(args[0])] = __owner_name_in_full[args[0]];
}

inline int __left_small = __is_kernels && (args[1] == TCP_STATE_FIN_WAIT_2 || args[1] == TCP_STATE_CLOSING) &&
	args[2] == TCP_STATE_CLOSED && __owner_in_full[args[0]] != 0;

/*
 * May __taken have the owner of socket @s? It has only owners of accepted sockets. Such a socket is a
 * child that is not in the table, or a socket that existed before tracing and so has no owner yet.
 * No hash is read for other sockets.
 */
inline int __may_be_taken[struct sock *s] = __some_taken && (__kept_child[s] || __kept_owner[s] == 0);
inline int __is_taken_by[struct sock *s] = __may_be_taken[s] && __taken[__cookie(s)] != 0;
inline pid_t __or_kept[pid_t taken, pid_t kept] = taken != 0 ? taken - kept : 0;

/*
 * The owner of full socket @s, and the owner's name, which is valid if the owner is known. The
 * first operand of the sum finds the memory of the socket. The rest of the sum reuses this look-up,
 * because a program never repeats a look-up.
 */
inline pid_t __owner_in_full[struct sock *s] = !__keeps ? __owner[__cookie(s)] :
	__kept_owner[s] + (__may_be_taken[s] ? __or_kept[__taken[__cookie(s)], __kept_owner[s]] : 0);
inline string __owner_name_in_full[struct sock *s] = !__keeps ? __owner_name[__cookie(s)] :
	__is_taken_by[s] ? __taken_name[__cookie(s)] : __kept_name[s];

/* The owner of any socket @s, if __keeps is 1. 0 if @s is NULL. */
inline pid_t __owner_of_kept[struct sock *s] =
	__small(s) ? __past_owner[__cookie(s)] : __owner_in_full[s];
inline string __owner_name_of_kept[struct sock *s] =
	__small(s) ? (__past_owner[__cookie(s)] != 0 ? __past_owner_name[__cookie(s)] : "<unknown>") :
	__is_taken_by[s] ? __taken_name[__cookie(s)] : __kept_owner[s] != 0 ? __kept_name[s] : "<unknown>";
inline pid_t __owner_parent_of_kept[struct sock *s] = __kept_parent[s] +
	(__is_taken_by[s] ? __taken_parent[__cookie(s)] - __kept_parent[s] : 0);
inline string __owner_args_of_kept[struct sock *s] =
	__is_taken_by[s] ? __taken_args[__cookie(s)] : __kept_args[s];

/*
 * The owner of socket @s, read from the hashes. In TIME_WAIT, the owner is in __past_owner, unless
 * __owner still has it. The state is tested first, because this test costs less than a look-up.
 */
inline pid_t __owner_far[struct sock *s] = s->__sk_common.skc_state != TCP_STATE_TIME_WAIT ||
	__owner[__cookie(s)] != 0 ? __owner[__cookie(s)] : __past_owner[__cookie(s)];

/* Usually the word in __owner_near belongs to this socket, and no hash is read. */
inline pid_t __owner_if_near[struct sock *s, uint64_t cookie, uint64_t near] =
	cookie != 0 && near >> 23 == cookie ? (pid_t)(near & 0x7fffff) : __owner_far[s];
inline pid_t __owner_by[struct sock *s, uint64_t cookie] = __owner_if_near[s, cookie, __owner_near[cookie & 1023]];
inline pid_t __owner_of[struct sock *s] = __owner_by[s, __cookie(s)];

/*
 * Is the owner known? If so, the name is in __owner_name. If the word in __owner_near belongs to
 * the socket, this test reads no hash.
 */
inline int __is_owned_by[uint64_t cookie, uint64_t near] =
	cookie != 0 && near >> 23 == cookie ? (near & 0x7fffff) != 0 : __owner[cookie] != 0;
inline int __is_owned[struct sock *s] = __is_owned_by[__cookie(s), __owner_near[__cookie(s) & 1023]];

/*
 * A name that dtrace looks up when it prints the name. @what selects the kind of name: 0 for a
 * user, 1 for a control group, 2 for a container, 3 for a network namespace.
 */
inline string __name_of_owner[int what, int known, uint64_t id] = known ? __named(what, id) : "unknown";
inline int __is_told[struct sock *s] = s != NULL && __owner[__cookie(s)] != 0;

/* ------------------------------------------------------------------- csinfo */

/* The socket and its owner. The owner is never the process that a packet interrupted. */
typedef struct csinfo {
	uintptr_t cs_addr;		/* address of the kernel's sock; 0 if there is no
					 * socket */
	uint64_t cs_cid;		/* number of the connection (the socket's cookie): all
					 * probes of the connection show it, and no other
					 * connection has it; 0 if there is none */
	pid_t cs_pid;			/* the owner: the process that made the socket, or
					 * accepted the connection. If dtrace did not see that,
					 * the first process that holds the socket, or that
					 * calls connect() or listen(). -1 if unknown, as in
					 * replay if the capture does not name the owner */
	zoneid_t cs_zoneid;		/* always 0, because Linux has no zones */
	string cs_execname;		/* name of process cs_pid when it became the owner;
					 * "<unknown>" if unknown */
	uid_t cs_uid;			/* user ID of the socket, from the process that made it;
					 * 4294967295 if unknown */
	uint64_t cs_netns;		/* network namespace: the inode number that lsns(8)
					 * shows; 0 in replay */
	uint64_t cs_cgroup;		/* control group (version 2) of the socket: the inode
					 * number of its directory; 0 if unknown */
	pid_t cs_ppid;			/* parent of process cs_pid when cs_pid became the
					 * owner; -1 if unknown, in TIME_WAIT, and in replay */
	string cs_psargs;		/* arguments of process cs_pid when it became the owner,
					 * separated by blanks, at most 79 characters; "" if
					 * unknown, if the socket existed before tracing, in
					 * TIME_WAIT, and in replay */
	string cs_user;			/* name of user cs_uid, or cs_uid if the user has no
					 * name; "unknown" in TIME_WAIT, and in replay if the
					 * capture does not have the name */
	string cs_cgroup_path;		/* path of control group cs_cgroup from the root, as it
					 * was when the group was made; "unknown" in TIME_WAIT,
					 * and in replay if the capture does not have the path */
	string cs_container;		/* outermost container in cs_cgroup_path: 12 digits of
					 * its id (docker, podman, containerd, CRI-O), or its
					 * name (systemd-nspawn, LXC); "-" if there is none;
					 * "unknown" when cs_cgroup_path is */
	string cs_netns_name;		/* name of network namespace cs_netns in /run/netns or
					 * /run/docker/netns; else the process with the lowest
					 * number in the namespace, "nginx/1234"; else cs_netns.
					 * "unknown" in replay if the capture does not have the
					 * name */
} csinfo_t;

/* Sockets in a capture have their cookies from the start. */
translator csinfo_t < struct sock *S > {
	cs_addr = (uintptr_t)S;
	cs_cid = !__live ? (S == NULL ? 0 : (uint64_t)S->__sk_common.skc_cookie.counter) :
	    S == NULL ? 0 : __cookie(S);
	cs_pid = __keeps ? __owner_of_kept[S] - 1 : S == NULL ? -1 : __owner_of[S] - 1;
	cs_zoneid = 0;
	cs_execname = __keeps ? __owner_name_of_kept[S] : S == NULL ? "<unknown>" :
	    __is_owned[S] ? __owner_name[__cookie(S)] :
	    S->__sk_common.skc_state == TCP_STATE_TIME_WAIT && __past_owner[__cookie(S)] != 0 ?
	    __past_owner_name[__cookie(S)] : "<unknown>";
	cs_uid = __full[S] ? S->sk_uid.val : (uid_t)-1;
	cs_netns = S == NULL ? 0 : (uint64_t)S->__sk_common.skc_net.net->ns.inum;
	cs_cgroup = __full[S] ? S->sk_cgrp_data.cgroup->kn->id : 0;
	cs_ppid = __keeps ? __owner_parent_of_kept[S] - 1 : S == NULL ? -1 : __owner_parent[__cookie(S)] - 1;
	cs_psargs = __keeps ? (__owner_parent_of_kept[S] == 0 ? "" : __owner_args_of_kept[S]) :
	    S == NULL ? "" : __owner_parent[__cookie(S)] == 0 ? "" : __owner_args[__cookie(S)];
	cs_user = __live ? __name_of_owner[0, __full[S], S->sk_uid.val] :
	    __is_told[S] ? __owner_user[__cookie(S)] : "unknown";
	cs_cgroup_path = __live ? __name_of_owner[1, __full[S], S->sk_cgrp_data.cgroup->kn->id] :
	    __is_told[S] ? __owner_cgroup[__cookie(S)] : "unknown";
	cs_container = __live ? __name_of_owner[2, __full[S], S->sk_cgrp_data.cgroup->kn->id] :
	    __is_told[S] ? __owner_container[__cookie(S)] : "unknown";
	cs_netns_name = __live ? __name_of_owner[3, S != NULL, (uint64_t)S->__sk_common.skc_net.net->ns.inum] :
	    __is_told[S] ? __owner_netns[__cookie(S)] : "unknown";
};
