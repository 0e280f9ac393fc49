/*
 * foreign.c - names of the kernel's types on other systems and in other tracers.
 */
#include "compiler/syntax/foreign.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *theirs, *ours;
} types[] = {
	/* illumos and Solaris, whose type names are these tags with "_t" added */
	{"as", "struct mm_struct"},
	{"buf", "struct bio"},
	{"callb", "struct timer_list"},
	{"conn", "struct sock"},
	{"cred", "struct cred"},
	{"dev_info", "struct device"},
	{"file", "struct file"},
	{"ill", "struct net_device"},
	{"ip6", "struct ipv6hdr"},
	{"ipha", "struct iphdr"},
	{"klwp", "struct task_struct"},
	{"kmem_cache", "struct kmem_cache"},
	{"kmutex", "struct mutex"},
	{"kthread", "struct task_struct"},
	{"mblk", "struct sk_buff"},
	{"msgb", "struct sk_buff"},
	{"page", "struct page"},
	{"proc", "struct task_struct"},
	{"seg", "struct vm_area_struct"},
	{"sonode", "struct socket"},
	{"tcp", "struct tcp_sock"},
	{"tcpha", "struct tcphdr"},
	{"tcph", "struct tcphdr"},
	{"udp", "struct udp_sock"},
	{"udpha", "struct udphdr"},
	{"vfs", "struct super_block"},
	{"vnode", "struct inode"},
	/* FreeBSD and macOS */
	{"cdev", "struct cdev"},
	{"g_bio", "struct bio"},
	{"ifnet", "struct net_device"},
	{"inpcb", "struct inet_sock"},
	{"ip", "struct iphdr"},
	{"mbuf", "struct sk_buff"},
	{"mount", "struct super_block"},
	{"mtx", "struct mutex"},
	{"namecache", "struct dentry"},
	{"socket", "struct socket"},
	{"sx", "struct rw_semaphore"},
	{"tcpcb", "struct tcp_sock"},
	{"thread", "struct task_struct"},
	{"timespec", "struct timespec64"},
	{"ucred", "struct cred"},
	{"timeval", "struct __kernel_old_timeval"},
	{"uio", "struct iov_iter"},
	{"vm_map_entry", "struct vm_area_struct"},
	{"vm_page", "struct page"},
	{"vmspace", "struct mm_struct"},
	/* C and bpftrace */
	{"int16", "int16_t"},
	{"int32", "int32_t"},
	{"int64", "int64_t"},
	{"int8", "int8_t"},
	{"sint32", "int32_t"},
	{"uint16", "uint16_t"},
	{"uint32", "uint32_t"},
	{"uint64", "uint64_t"},
	{"uint8", "uint8_t"},
};

const char *foreign_type(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		size_t k = strlen(types[i].theirs);

		if (!strncmp(types[i].theirs, name, k) &&
		    (k == n || (k + 2 == n && !strcmp(name + k, "_t"))))
			return types[i].ours;
	}
	return NULL;
}
