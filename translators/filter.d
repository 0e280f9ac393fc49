/*
 * filter.d - inlines for the options -x pid=, port=, addr= ...: the values of a packet or
 * connection that these options compare.
 *
 * Parameters: K is the packet, S is its socket, I is its IP header, and L is the header of TCP or
 * UDP; each of them is NULL if there is none. out is true if this host sends the packet.
 * compiler/meaning/probes/filter.c finds these values among the probe's native arguments (arguments
 * before translation). Unknown values are 0, -1 or "<unknown>".
 */
inline pid_t __filter_pid[struct sock *S] = xlate <csinfo_t *> (S)->cs_pid;
inline string __filter_execname[struct sock *S] = xlate <csinfo_t *> (S)->cs_execname;
/*
 * A quick test for -x execname: is it certain that the owner's name is not the wanted one? @near is
 * a word of __name_near, with 23 bits that are computed from the owner's name (__named_near in
 * socket.d). @said has the 23 bits of the wanted name. If the bits differ, the names differ, and
 * the name need not be read.
 */
inline int __filter_other[uint64_t cookie, uint64_t near, uint64_t said] =
	cookie != 0 && near >> 23 == cookie && (near & 0x7fffff) != said;
inline int __filter_is_other[uint64_t cookie, uint64_t said] = __filter_other[cookie, __name_near[cookie & 1023], said];
inline int __filter_named[struct sock *S, uint64_t said] = S == NULL || !__filter_is_other[__cookie(S), said];
inline uid_t __filter_uid[struct sock *S] = xlate <csinfo_t *> (S)->cs_uid;
inline uint64_t __filter_netns[struct sk_buff *K, struct sock *S] = S != NULL ? xlate <csinfo_t *> (S)->cs_netns :
	K != NULL && K->dev != NULL ? (uint64_t)K->dev->nd_net.net->ns.inum : 0;
/*
 * Is the socket in the control group @id, or in a group below it? @level is the depth of group @id;
 * the root has depth 0. The array cgroup->ancestors has no declared size, so an element is read at
 * its address, as the first member of a list_head.
 */
inline uintptr_t __cgroup_of[struct sock *S] = (uintptr_t)S->sk_cgrp_data.cgroup;
inline int __filter_cgroup[struct sock *S, int level, uint64_t id] = __full[S] &&
	S->sk_cgrp_data.cgroup->level >= level &&
	((struct cgroup *)((struct list_head *)(__cgroup_of[S] + offsetof(struct cgroup, ancestors) + 8 * level))->next)
	->kn->id == id;

/* Values of the running process, for probes that are filtered by process. */
inline uint64_t __filter_task_netns = curthread->nsproxy != NULL ? (uint64_t)curthread->nsproxy->net_ns->ns.inum : 0;
inline int __filter_task_cgroup[int unused, int level, uint64_t id] =
	curthread->cgroups->dfl_cgrp->level >= level && ((struct cgroup *)((struct list_head *)
	((uintptr_t)curthread->cgroups->dfl_cgrp + offsetof(struct cgroup, ancestors) + 8 * level))->next)->kn->id == id;

inline uint16_t __filter_lport[struct sock *S, void *L, int out] =
	L != NULL ? ntohs(out ? ((struct udphdr *)L)->source : ((struct udphdr *)L)->dest) : __sock_lport[S];
inline uint16_t __filter_rport[struct sock *S, void *L, int out] =
	L != NULL ? ntohs(out ? ((struct udphdr *)L)->dest : ((struct udphdr *)L)->source) : __sock_rport[S];
inline string __filter_laddr[struct sock *S, struct iphdr *I, int out] =
	I != NULL ? __near_addr[I, out] : __sock_laddr[S];
inline string __filter_raddr[struct sock *S, struct iphdr *I, int out] =
	I != NULL ? __far_addr[I, out] : __sock_raddr[S];
/* An IPv6 socket may have a connection over IPv4, whose addresses are mapped. */
inline int __filter_ipver[struct sock *S, struct iphdr *I] = I != NULL ? I->version : S == NULL ? 0 :
	S->__sk_common.skc_family == AF_INET || cidr(&S->__sk_common.skc_v6_daddr, "0.0.0.0/0") ? 4 : 6;

/*
 * The expression of -x filter is evaluated on the packet from its IP header on. __filter_at is the
 * offset of the IP header from K->data, and may be negative. If the header is not in K's linear
 * buffer, I points to a copy. Then the header is at K->data, or 4 or 8 bytes later, after VLAN
 * tags: this only happens when a device receives the packet.
 */
inline int __filter_in_buffer[struct sk_buff *K, struct iphdr *I] =
	(uint64_t)((uintptr_t)I - (uintptr_t)K->head) < (uint64_t)K->end;
inline int64_t __filter_at[struct sk_buff *K, struct iphdr *I] =
	__filter_in_buffer[K, I] ? (int64_t)((uintptr_t)I - (uintptr_t)K->data) :
	__is_ip[K->protocol] ? 0 : __is_tag[*(uint16_t *)(K->data + 2)] ? 8 : 4;
inline int __filter_passes[struct sk_buff *K, int64_t at] = __passes((uintptr_t)K->data + at,
	(int64_t)K->len - K->data_len - at, (int64_t)K->len - at, (uintptr_t)K);
/* An event without a packet never passes -x filter. */
inline int __filter_packet[struct sk_buff *K, struct iphdr *I] =
	K != NULL && I != NULL && __filter_passes[K, __filter_at[K, I]];
