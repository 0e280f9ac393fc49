/*
 * kernel.d - declarations of kernel variables, which a program reads as `NAME.
 *
 * The kernel's BTF has types for hardly any variable. The variables here are useful to many
 * programs, and their types have not changed for a long time. A program may declare further
 * variables.
 */

/* time */
extern unsigned long jiffies;
extern uint64_t jiffies_64;
extern unsigned long loops_per_jiffy;
extern unsigned int tsc_khz;

/* CPUs and load */
extern unsigned long __per_cpu_offset[];	/* offset of each CPU's copy of per-CPU variables */
extern unsigned int nr_cpu_ids;
extern int nr_threads;
extern unsigned long total_forks;
extern unsigned long avenrun[3];
extern int system_state;

/* memory */
extern unsigned long max_pfn;
extern unsigned long max_low_pfn;
extern unsigned long min_low_pfn;
extern long _totalram_pages;
extern unsigned long page_offset_base;
extern unsigned long vmalloc_base;
extern unsigned long vmemmap_base;
extern unsigned long totalreserve_pages;
extern int vm_swappiness;
extern int sysctl_overcommit_memory;

/* processes */
extern struct task_struct init_task;
extern struct mm_struct init_mm;
extern struct cred init_cred;
extern struct nsproxy init_nsproxy;
extern struct pid_namespace init_pid_ns;
extern struct user_namespace init_user_ns;
extern struct uts_namespace init_uts_ns;
extern int pid_max;
extern struct list_head modules;

/* the kernel's version, its command line, and how it handles panics and messages */
extern char linux_banner[];
extern char *saved_command_line;
extern int panic_timeout;
extern int panic_on_oops;
extern int console_printk[4];

/* the network */
extern struct net init_net;
extern struct list_head net_namespace_list;
extern struct proto tcp_prot;
extern struct proto tcpv6_prot;
extern struct proto udp_prot;
extern struct proto udpv6_prot;
extern struct proto raw_prot;
extern struct inet_hashinfo tcp_hashinfo;
extern long tcp_memory_allocated;
extern long udp_memory_allocated;
extern long sysctl_tcp_mem[3];
extern long sysctl_udp_mem[3];
extern uint32_t sysctl_rmem_max;
extern uint32_t sysctl_wmem_max;
extern uint32_t sysctl_rmem_default;
extern uint32_t sysctl_wmem_default;

/*
 * The kernel's name of BPF program type @type, without "BPF_PROG_TYPE_": "KPROBE", "SCHED_CLS" ...
 */
inline string bpf_prog_type_string[uint32_t type] = __enum_string("bpf_prog_type", "BPF_PROG_TYPE_", type);
