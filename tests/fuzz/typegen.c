/*
 * typegen.c - see typegen.h. One function writes one kind of expression and chooses among forms.
 * Deeper expressions have fewer forms to choose from.
 */
#include "tests/fuzz/typegen.h"

#include <string.h>

#include "base/strbuf.h"

enum kind { K_INT, K_STR, K_PTR, K_CHARP, K_XLATED, NKIND };

enum { MAX_DEPTH = 5, MAX_VARS = 12 };

struct var {
	enum kind kind;
	const char *scope; /* "", "self->", "this->" */
	uint8_t n;
	uint8_t nkey; /* number of keys; 0: not an array */
	enum kind key[3];
};

struct gen {
	uint64_t state;
	const struct typegen_opts *o;
	struct strbuf *out;
	struct var var[MAX_VARS];
	unsigned nvar;
	unsigned ninline;
	unsigned nagg;
	unsigned agg_used;
	uint8_t agg_fn[4];
	uint8_t agg_nkey[4];
	enum kind agg_key[4][3];
	const struct site *site; /* probe of the clause */
	bool speculates;         /* the clause speculates, so it must not update aggregations */
	int depth, nest;
};

/* ------------------------------------------------------------------- choices */

static uint64_t next(struct gen *g)
{
	uint64_t z = g->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static unsigned below(struct gen *g, unsigned n)
{
	return (unsigned)(next(g) % n);
}

static bool one_in(struct gen *g, unsigned n)
{
	return below(g, n) == 0;
}

#define PICK(g, table) ((table)[below(g, sizeof(table) / sizeof(*(table)))])

static void put(struct gen *g, const char *s)
{
	strbuf_adds(g->out, s);
}

#define putf(g, ...) strbuf_addf((g)->out, __VA_ARGS__)

/* -------------------------------------------------------------------- probes */

/* A translated argument: its number and members, by kind. */
struct xarg {
	int n;
	const char *num[12], *str[6], *ptr[3];
};

struct site {
	const char *probe;
	bool live;              /* not available in a capture */
	int nptr;               /* args[0..nptr-1] are pointers to kernel structs */
	const char *ptr_num[6]; /* one member for each pointer, such as "0]->len" */
	const struct xarg *x[7];
};

static const struct xarg pkt = {0, {"pkt_addr"}, {0}, {0}};
static const struct xarg cs = {1, {"cs_addr", "cs_cid", "cs_pid", "cs_uid"}, {"cs_execname"}, {0}};
static const struct xarg ip = {2, {"ip_ver", "ip_plength"}, {"ip_saddr", "ip_daddr"}, {0}};
static const struct xarg ifi = {3, {"if_local", "if_ipstack", "if_addr"}, {"if_name"}, {0}};
static const struct xarg v4 = {4,
			       {"ipv4_ver", "ipv4_ihl", "ipv4_tos", "ipv4_length", "ipv4_ident",
				"ipv4_offset", "ipv4_ttl", "ipv4_protocol", "ipv4_src", "ipv4_dst"},
			       {"ipv4_protostr", "ipv4_saddr", "ipv4_daddr"},
			       {"ipv4_hdr"}};
static const struct xarg v6 = {5,
			       {"ipv6_ver", "ipv6_tclass", "ipv6_flow", "ipv6_plen", "ipv6_nexthdr",
				"ipv6_hlim"},
			       {"ipv6_nextstr", "ipv6_saddr", "ipv6_daddr"},
			       {"ipv6_src", "ipv6_hdr"}};
static const struct xarg tcps = {3,
				 {"tcps_lport", "tcps_rport", "tcps_state", "tcps_iss", "tcps_suna",
				  "tcps_mss", "tcps_cwnd", "tcps_rwnd", "tcps_addr",
				  "tcps_retransmit"},
				 {"tcps_laddr", "tcps_raddr"},
				 {0}};
static const struct xarg tcp = {4,
				{"tcp_sport", "tcp_dport", "tcp_seq", "tcp_ack", "tcp_offset",
				 "tcp_flags", "tcp_window", "tcp_urgent"},
				{0},
				{"tcp_hdr"}};
static const struct xarg tcpls = {5, {"tcps_state"}, {0}, {0}};
static const struct xarg udps = {3,
				 {"udps_lport", "udps_rport", "udps_addr"},
				 {"udps_laddr", "udps_raddr"},
				 {0}};
static const struct xarg udp = {4,
				{"udp_sport", "udp_dport", "udp_length", "udp_checksum"},
				{0},
				{"udp_hdr"}};

static const struct site sites[] = {
	{"BEGIN", false, 0, {0}, {0}},
	{"END", false, 0, {0}, {0}},
	{"tick-1s", false, 0, {0}, {0}},
	{"ip:::send", false, 0, {0}, {&pkt, &cs, &ip, &ifi, &v4, &v6}},
	{"ip:::receive", false, 0, {0}, {&pkt, &cs, &ip, &ifi, &v4, &v6}},
	{"ip:::send, ip:::receive", false, 0, {0}, {&pkt, &cs, &ip, &ifi, &v4, &v6}},
	{"tcp:::send", false, 0, {0}, {&pkt, &cs, &ip, &tcps, &tcp}},
	{"tcp:::receive", false, 0, {0}, {&pkt, &cs, &ip, &tcps, &tcp}},
	{"tcp:::accept-established", false, 0, {0}, {&pkt, &cs, &ip, &tcps, &tcp}},
	{"tcp:::connect-refused", false, 0, {0}, {&pkt, &cs, &ip, &tcps, &tcp}},
	{"tcp:::state-change", false, 0, {0}, {&cs, &tcps, &tcpls}},
	{"udp:::send", false, 0, {0}, {&pkt, &cs, &ip, &udps, &udp}},
	{"udp:::receive", false, 0, {0}, {&pkt, &cs, &ip, &udps, &udp}},
	{"rawtp:::netif_receive_skb",
	 false,
	 1,
	 {"0]->len", "0]->protocol", "0]->dev->ifindex"},
	 {0}},
	{"rawtp:::net_dev_queue", false, 1, {"0]->len", "0]->network_header", "0]->data"}, {0}},
	{"cgroup_skb:::egress", false, 1, {"0]->len", "0]->sk->__sk_common.skc_dport"}, {0}},
	{"rawtp:::sched_switch", true, 2, {"1]->pid", "1]->prio", "1]->comm[3]"}, {0}},
	{"rawtp:::sched_process_exec",
	 true,
	 1,
	 {"0]->pid", "0]->parent->pid", "0]->mm->total_vm"},
	 {0}},
	{"profile-997", true, 0, {0}, {0}},
	{"syscall::read:entry", true, 0, {0}, {0}},
	{"syscall::*ite*:return", true, 0, {0}, {0}},
	{"ERROR", false, 0, {0}, {0}},
};

/* --------------------------------------------------------------- expressions */

static void gen_kind(struct gen *g, enum kind k);

static const char *const int_types[] = {"int",       "char",     "int8_t",  "uint8_t",
					"int16_t",   "uint16_t", "int32_t", "uint32_t",
					"int64_t",   "uint64_t", "long",    "unsigned",
					"uintptr_t", "size_t",   "short",   "long long"};

static void wrong_or(struct gen *g, enum kind k)
{
	gen_kind(g, below(g, 1000) < g->o->slip ? (enum kind)below(g, NKIND) : k);
}

/* Writes a space first, because "--1" is not an operand and "- -1" is. */
static void gen(struct gen *g, enum kind k)
{
	put(g, "(");
	wrong_or(g, k);
	put(g, ")");
}

static void put_var(struct gen *g, const struct var *v)
{
	putf(g, "%s%c%u", v->scope, v->nkey ? 'a' : 'v', v->n);
	for (unsigned i = 0; i < v->nkey; i++) {
		put(g, i ? ", " : "[");
		gen(g, v->key[i]);
	}
	if (v->nkey)
		put(g, "]");
}

static const struct var *find_var(struct gen *g, enum kind k)
{
	unsigned first = g->nvar ? below(g, g->nvar) : 0;

	for (unsigned i = 0; i < g->nvar; i++) {
		const struct var *v = &g->var[(first + i) % g->nvar];

		if (v->kind == k)
			return v;
	}
	return NULL;
}

static const struct xarg *find_xarg(struct gen *g)
{
	unsigned n = 0;

	while (n < 7 && g->site->x[n])
		n++;
	return n ? g->site->x[below(g, n)] : NULL;
}

/*
 * Writes a member of a translated argument. The argument's number depends on the probe:
 * state-change differs from send.
 */
static bool put_xmember(struct gen *g, enum kind k)
{
	const struct xarg *x = find_xarg(g);
	const char *const *m;
	unsigned n = 0, most = k == K_INT ? 12 : k == K_STR ? 6 : 3;

	if (!x)
		return false;
	m = k == K_INT ? x->num : k == K_STR ? x->str : x->ptr;
	while (n < most && m[n])
		n++;
	if (!n)
		return false;
	if (one_in(g, 12))
		putf(g, "(*args[%d]).%s", x->n, m[below(g, n)]);
	else
		putf(g, "args[%d]->%s", x->n, m[below(g, n)]);
	return true;
}

static void gen_literal(struct gen *g)
{
	static const char *const v[] = {"0",
					"1",
					"-1",
					"2",
					"7",
					"16",
					"63",
					"64",
					"255",
					"256",
					"65535",
					"0x7fffffff",
					"2147483648",
					"4294967295u",
					"1ull << 40",
					"0x7fffffffffffffff",
					"'a'",
					"'\\n'",
					"AF_INET6",
					"TH_SYN",
					"TCP_STATE_ESTABLISHED",
					"IPPROTO_TCP"};

	put(g, PICK(g, v));
}

static void gen_int_leaf(struct gen *g)
{
	static const char *const b[] = {"pid",
					"tid",
					"uid",
					"gid",
					"ppid",
					"cpu",
					"timestamp",
					"walltimestamp",
					"id",
					"epid",
					"errno",
					"arg0",
					"arg1",
					"arg2",
					"arg9",
					"curthread->pid",
					"curthread->tgid"};
	const struct var *v = find_var(g, K_INT);

	switch (below(g, 4)) {
	case 0:
		gen_literal(g);
		return;
	case 1:
		if (v && !v->nkey) {
			put_var(g, v);
			return;
		}
		break;
	case 2:
		if (put_xmember(g, K_INT))
			return;
		if (g->site->nptr) {
			unsigned n = 0;

			while (n < 6 && g->site->ptr_num[n])
				n++;
			putf(g, "args[%s", g->site->ptr_num[below(g, n)]);
			return;
		}
		break;
	}
	put(g, PICK(g, b));
}

/* Writes a pointer with a cast to one type. Sometimes leaves the cast out, as a mistake. */
static void gen_cast(struct gen *g, enum kind k)
{
	if (below(g, 1000) >= g->o->slip)
		put(g, k == K_PTR ? "(struct task_struct *)" : "(char *)");
	gen(g, k);
}

static void gen_cast_or(struct gen *g, enum kind k)
{
	if (k == K_PTR || k == K_CHARP)
		gen_cast(g, k);
	else
		gen(g, k);
}

static void gen_binary(struct gen *g, enum kind k, const char *op)
{
	gen_cast_or(g, k);
	putf(g, " %s ", op);
	gen_cast_or(g, k);
}

static void gen_assign(struct gen *g, enum kind k)
{
	static const char *const ops[] = {"=",  "=",  "=",  "+=", "-=",  "*=", "/=",
					  "%=", "&=", "|=", "^=", "<<=", ">>="};
	const struct var *v = find_var(g, k);

	if (!v) {
		gen(g, k);
		return;
	}
	put_var(g, v);
	putf(g, " %s ", k == K_INT ? PICK(g, ops) : "=");
	if (one_in(g, 6))
		put(g, k == K_INT || one_in(g, 2) ? "0" : "NULL");
	else
		gen_cast_or(g, k);
}

static void gen_ternary(struct gen *g, enum kind k)
{
	gen(g, one_in(g, 3) ? K_PTR : K_INT);
	put(g, " ? ");
	gen_cast_or(g, k);
	put(g, " : ");
	gen_cast_or(g, k);
}

/* Writes a member of a struct that some pointer may point to. */
static void put_member(struct gen *g)
{
	static const char *const as[][2] = {{"task_struct", "pid"},
					    {"sk_buff", "len"},
					    {"sock", "sk_protocol"},
					    {"task_struct", "tgid"},
					    {"net_device", "ifindex"}};
	unsigned n = below(g, sizeof(as) / sizeof(*as));

	putf(g, "((struct %s *)", as[n][0]);
	gen(g, K_PTR);
	putf(g, ")->%s", as[n][1]);
}

/*
 * Writes an index. The compiler must refuse a constant out of bounds, but accept a computed value.
 */
static void put_index(struct gen *g)
{
	put(g, "[");
	if (one_in(g, 4))
		gen(g, K_INT);
	else if (one_in(g, 2))
		putf(g, "%u", below(g, 16));
	else
		putf(g, "%s & %u", one_in(g, 2) ? "pid" : "timestamp", below(g, 32));
	put(g, "]");
}

static const char place_decls[] =
	"struct fz { int a; short b; unsigned bits:5; struct { char c; } in; long v[4]; struct fz "
	"*next; };\n"
	"struct fz fz_g;\nself struct fz fz_s;\nthis struct fz fz_l;\nthis int fz_t[3];\nuint8_t "
	"fz_m[3][2];\n"
	"struct fz fz_ii[int];\nstruct fz *fz_p;\n"
	"enum fz_e { FZ_A, FZ_B = 7, FZ_C };\ntypedef uint16_t fz_short;\ntypedef struct fz "
	"fz_type;\n"
	"union fz_u { int i; unsigned char c[4]; struct { short lo, hi; }; };\n"
	"union fz_u fz_un;\nthis union fz_u fz_ut;\nenum fz_e fz_en;\nfz_short fz_sh;\n"
	"fz_type fz_k[string, int];\nself fz_type fz_sk[int];\ndouble fz_d;\nthis float fz_f;\nint "
	"fz_spec;\n"
	"struct fz_out { int sum; string word; struct task_struct *who; };\n"
	"translator struct fz_out < struct task_struct *T > {\n"
	"\tsum = T->pid + 1;\n\tword = T->prio > 100 ? \"low\" : stringof(T->comm);\n\twho = "
	"T;\n};\n"
	"inline int fz_two[int x, int y] = x * 2 + (y > x ? y : -x);\n"
	"inline string fz_name[int x, string s] = x == 1 ? \"one\" : strjoin(s, lltostr(x));\n";

/* Writes a part of a struct or array variable, or memory behind a pointer. */
static void put_place(struct gen *g)
{
	static const char *const whole[] = {"fz_g.a",          "fz_g.b",
					    "fz_g.bits",       "fz_g.in.c",
					    "self->fz_s.b",    "this->fz_l.in.c",
					    "this->fz_l.bits", "fz_p->a",
					    "fz_p->bits",      "fz_p->next->b",
					    "(*fz_p).in.c",    "fz_un.i",
					    "fz_un.hi",        "this->fz_ut.lo",
					    "fz_en",           "fz_sh"};
	static const char *const part[][2] = {{"fz_g.v[", "]"},          {"fz_m[", "][1]"},
					      {"fz_m[2][", "]"},         {"this->fz_t[", "]"},
					      {"self->fz_s.v[", "]"},    {"fz_ii[", "].a"},
					      {"fz_p->v[", "]"},         {"fz_p[", "].b"},
					      {"fz_un.c[", "]"},         {"fz_k[\"a\", ", "].b"},
					      {"self->fz_sk[", "].v[1]"}};
	unsigned n = below(g, sizeof(part) / sizeof(*part));

	if (one_in(g, 2)) {
		put(g, PICK(g, whole));
		return;
	}
	put(g, part[n][0]);
	gen(g, K_INT);
	if (!one_in(g, 3))
		put(g, " & 1");
	put(g, part[n][1]);
}

static void gen_place(struct gen *g)
{
	static const char *const ops[] = {"=", "+=", "*=", "|=", ">>="};
	static const char *const all[] = {"(fz_g = self->fz_s).a",
					  "(this->fz_l = fz_g).b",
					  "(self->fz_s = fz_ii[1]).in.c",
					  "(*fz_p = fz_g).bits",
					  "(fz_g = *fz_p).a",
					  "(fz_ii[2] = fz_g).b",
					  "(fz_un = this->fz_ut).hi",
					  "(fz_k[execname, 1] = fz_g).a",
					  "(fz_en = FZ_C) == FZ_B",
					  "(fz_g = self->fz_sk[pid]).b"};

	switch (below(g, 6)) {
	case 0:
		put(g, one_in(g, 2) ? "++" : "--");
		put_place(g);
		return;
	case 1:
	case 2:
		put_place(g);
		putf(g, " %s ", PICK(g, ops));
		gen(g, K_INT);
		return;
	case 3:
		put(g, "(fz_p = alloca(");
		gen(g, K_INT);
		put(g, one_in(g, 2) ? " & 127), 1)" : "), 1)");
		return;
	case 4:
		put(g, PICK(g, all));
		return;
	}
	put_place(g);
}

/* Ends a call, sometimes with a number as one more argument. */
static void end_with_int(struct gen *g)
{
	if (one_in(g, 2)) {
		put(g, ", ");
		gen(g, K_INT);
	}
	put(g, ")");
}

/* Writes a number that comes from strings, inlines of two parameters or translators. */
static void gen_number_of(struct gen *g)
{
	static const char *const leaf[] = {"rand()",
					   "stackdepth",
					   "ustackdepth",
					   "FZ_C",
					   "(enum fz_e)7 == FZ_B",
					   "xlate <struct fz_out> (curthread).sum",
					   "ucaller",
					   "caller",
					   "xlate <struct fz_out *> (curthread)->who->pid"};
	static const char *const of_two[] = {"index(", "rindex("},
				 *const of_one[] = {"progenyof(", "getmajor(", "(fz_short)("};

	switch (below(g, 6)) {
	case 0:
		put(g, PICK(g, of_two));
		gen(g, K_STR);
		put(g, ", ");
		gen(g, K_STR);
		end_with_int(g);
		return;
	case 1:
		put(g, "strtoll(");
		gen(g, K_STR);
		put(g, one_in(g, 2) ? ")" : one_in(g, 2) ? ", 16)" : ", 2)");
		return;
	case 2:
		put(g, PICK(g, of_one));
		gen(g, K_INT);
		put(g, ")");
		return;
	case 3:
		put(g, "fz_two[");
		gen(g, K_INT);
		put(g, ", ");
		gen(g, K_INT);
		put(g, "]");
		return;
	case 4:
		put(g, "xlate <struct fz_out *> (");
		gen_cast(g, K_PTR);
		put(g, ")->sum");
		return;
	}
	put(g, PICK(g, leaf));
}

/* ------------------------------------------------- pointers into kernel structs */

/* Writes a pointer to a struct, to a member of any kind, or to the end of a struct. */
static void put_kernel_ptr(struct gen *g)
{
	static const char *const task[] = {"curthread->cred",
					   "curthread->mm",
					   "curthread->files",
					   "curthread->fs",
					   "curthread->signal",
					   "curthread->nsproxy",
					   "curthread->sched_class",
					   "curthread->stack",
					   "curthread->real_parent",
					   "curthread->group_leader->cred",
					   "curthread->mm->pgd",
					   "&curthread->mm->mmap_lock",
					   "curthread->files->fdt",
					   "&curthread->se",
					   "&curthread->tasks",
					   "&curthread->pid",
					   "&curthread->thread",
					   "&curthread->comm[8]",
					   "&curthread->cred->user_ns",
					   "&curthread->cred->rcu",
					   "curthread->nsproxy->net_ns",
					   "curthread->signal->tty",
					   "&curthread->alloc_lock",
					   "&curthread->signal->cred_guard_mutex",
					   "curthread",
					   "curthread + 1",
					   "curthread->cred - 1"};
	static const char *const skb[] = {"args[0]",
					  "args[0]->dev",
					  "args[0]->sk",
					  "args[0]->dev->dev_addr",
					  "&args[0]->cb",
					  "args[0]->head",
					  "&args[0]->len",
					  "args[0]->next",
					  "args[0]->dev->netdev_ops",
					  "&args[0]->dev->name[8]",
					  "&args[0]->sk->__sk_common.skc_v6_daddr",
					  "&args[0]->sk->__sk_common.skc_daddr"};

	if (g->site->nptr && strstr(g->site->probe, "sched") && one_in(g, 2))
		putf(g, "args[%u]", below(g, (unsigned)g->site->nptr));
	else if (g->site->nptr && !strstr(g->site->probe, "sched") && one_in(g, 2))
		put(g, PICK(g, skb));
	else if (!one_in(g, 5) || !put_xmember(g, K_PTR))
		put(g, PICK(g, task));
}

/* Writes the texts before and after a pointer argument, as in "cidr(PTR, ...)". */
static void around_ptr(struct gen *g, const char *const how[2])
{
	put(g, how[0]);
	put_kernel_ptr(g);
	put(g, how[1]);
}

static void gen_ptr_str(struct gen *g)
{
	static const char *const how[][2] = {{"inet_ntoa(", ")"},
					     {"inet_ntoa6(", ")"},
					     {"inet_ntoa6(", ", 1)"},
					     {"inet_ntop(AF_INET, ", ")"},
					     {"inet_ntop(AF_INET6, ", ")"},
					     {"inet_ntop(pid, ", ")"},
					     {"link_ntop(1, ", ")"},
					     {"link_ntop(32, ", ")"},
					     {"link_ntop(uid, ", ")"},
					     {"d_path((struct path *)(", "))"},
					     {"copyinstr((uintptr_t)(", "))"},
					     {"copyinstr((uintptr_t)(", "), 9)"},
					     {"stringof((char *)(", "))"},
					     {"net((struct in6_addr *)(", "), 24)"},
					     {"net((ipaddr_t *)(", "), 24)"},
					     {"strjoin(stringof((char *)(", ")), execname)"},
					     {"json(stringof((char *)(", ")), \"a\")"},
					     {"lltostr((uint64_t)(", "))"},
					     {"inet_ntop(AF_INET6, (struct in6_addr *)(", "))"},
					     {"inet_ntoa((ipaddr_t *)(", "))"},
					     {"xlate <struct fz_out *> ((struct task_struct *)(",
					      "))->word"},
					     {"inet_ntop(AF_INET6, &(((struct sock *)(",
					      "))->__sk_common.skc_v6_daddr))"}};

	around_ptr(g, PICK(g, how));
}

static void gen_ptr_int(struct gen *g)
{
	static const char *const how[][2] = {{"cidr((ipaddr_t *)(", "), \"10.0.0.0/8\")"},
					     {"cidr((struct in6_addr *)(", "), \"fe80::/10\")"},
					     {"mutex_owned((struct mutex *)(", "))"},
					     {"(mutex_owner((struct mutex *)(", "))->pid)"},
					     {"mutex_type_adaptive((struct mutex *)(", "))"},
					     {"mutex_type_spin((struct mutex *)(", "))"},
					     {"rw_read_held((rwlock_t *)(", "))"},
					     {"rw_write_held((rwlock_t *)(", "))"},
					     {"rw_iswriter((rwlock_t *)(", "))"},
					     {"*(uint64_t *)(", ")"},
					     {"*(char *)(", ")"},
					     {"ntohs(*(uint16_t *)(", "))"},
					     {"((int64_t)(", ") >> 3)"},
					     {"strlen(stringof((char *)(", ")))"},
					     {"strtoll(inet_ntoa(", "))"},
					     {"*(int *)copyin((uintptr_t)(", "), 4)"},
					     {"((struct cred *)(", "))->uid.val"},
					     {"((struct net_device *)(", "))->ifindex"},
					     {"((struct in6_addr *)(",
					      "))->in6_u.u6_addr8[pid & 15]"},
					     {"progenyof((pid_t)(uint64_t)(", "))"},
					     {"((struct task_struct *)(", "))->comm[pid & 15]"},
					     {"((struct iphdr *)(", "))->ihl"},
					     {"((struct file *)(", "))->f_flags"},
					     {"(((struct tcphdr *)(", "))->syn + 1)"},
					     {"(inet_ntop(AF_INET6, ", ") == \"::1\")"},
					     {"strlen(inet_ntoa6(", "))"},
					     {"xlate <struct fz_out *> ((struct task_struct *)(",
					      "))->sum"}};

	around_ptr(g, PICK(g, how));
}

static void gen_ptr_stmt(struct gen *g)
{
	static const char *const how[][2] = {{"bcopy(", ", alloca(64), 64)"},
					     {"bcopy(", ", alloca(64), uid & 63)"},
					     {"copyinto((uintptr_t)(", "), 8, alloca(8))"},
					     {"trace(*(struct in6_addr *)(", "))"},
					     {"print(*(struct list_head *)(", "))"},
					     {"tracemem(", ", 33)"},
					     {"tracemem(", ", 64, uid)"},
					     {"trace(*(struct sk_buff *)(", "))"},
					     {"print(*(struct cred *)(", "))"},
					     {"sym((uintptr_t)(", "))"},
					     {"trace(", ")"},
					     {"print(", ")"},
					     {"fz_g = *(struct fz *)(", ")"},
					     {"fz_d = *(double *)(", ")"},
					     {"trace(mutex_owner((struct mutex *)(", ")))"},
					     {"print(*(struct iphdr *)(", "))"},
					     {"usym((uintptr_t)(", "))"},
					     {"printf(\"%p %a\", 1, ", ")"},
					     {"trace(((struct sock *)(", "))->sk_protocol)"},
					     {"print(((struct task_struct *)(", "))->comm)"},
					     {"trace(((struct sk_buff *)(", "))->cb)"}};

	around_ptr(g, PICK(g, how));
}

static void gen_int(struct gen *g)
{
	static const char *const ar[] = {"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"};
	static const char *const cmp[] = {"<", "<=", ">", ">=", "==", "!="};
	static const char *const un[] = {"-", "~", "!", "+"};
	static const char *const swap[] = {"htons", "ntohs", "htonl", "ntohl", "htonll", "ntohll"};
	const struct var *v = find_var(g, K_INT);

	if (g->o->pointers && *g->site->probe && one_in(g, 3)) {
		gen_ptr_int(g);
		return;
	}
	switch (below(g, 27)) {
	case 22:
	case 23:
		gen_place(g);
		return;
	case 24:
	case 25:
		gen_number_of(g);
		return;
	case 0:
	case 1:
	case 2:
		gen_binary(g, K_INT, PICK(g, ar));
		return;
	case 3:
		gen_binary(g, K_INT, PICK(g, cmp));
		return;
	case 4:
		gen_binary(g, K_STR, PICK(g, cmp));
		return;
	case 5:
		gen_binary(g, K_PTR, one_in(g, 2) ? "==" : "!=");
		return;
	case 6:
		gen_binary(g, K_INT, one_in(g, 3) ? "&&" : one_in(g, 2) ? "||" : "^^");
		return;
	case 7:
		put(g, PICK(g, un));
		gen(g, K_INT);
		return;
	case 8:
		putf(g, "(%s)", PICK(g, int_types));
		gen(g, K_INT);
		return;
	case 9:
	case 10:
		putf(g, "(%s)", PICK(g, int_types));
		gen(g, one_in(g, 2) ? K_PTR : K_CHARP);
		return;
	case 11:
		gen_ternary(g, K_INT);
		return;
	case 12:
		put(g, "strlen(");
		gen(g, one_in(g, 20) ? K_CHARP : K_STR);
		put(g, ")");
		return;
	case 13:
		putf(g, "%s(", PICK(g, swap));
		gen(g, K_INT);
		put(g, ")");
		return;
	case 14:
		gen_assign(g, K_INT);
		return;
	case 15:
		if (v) {
			put(g, one_in(g, 2) ? "++" : "--");
			put_var(g, v);
			return;
		}
		break;
	case 16:
		putf(g, "*(%s *)", PICK(g, int_types));
		gen(g, one_in(g, 2) ? K_PTR : K_CHARP);
		return;
	case 17:
		gen(g, K_CHARP);
		put_index(g);
		return;
	case 18:
		put_member(g);
		return;
	case 19:
		if (v) {
			put_var(g, v);
			return;
		}
		break;
	case 20:
		if (g->ninline) {
			putf(g, "inl%u[", below(g, g->ninline));
			gen(g, K_INT);
			put(g, "]");
			return;
		}
		break;
	case 21:
		put(g, "sizeof (");
		put(g, one_in(g, 2) ? "struct task_struct" : PICK(g, int_types));
		put(g, ")");
		return;
	}
	gen_int_leaf(g);
}

static void gen_str_leaf(struct gen *g)
{
	static const char *const lit[] = {"\"\"",
					  "\"x\"",
					  "\"10.0.0.1\"",
					  "\"::1\"",
					  "\"fe80::1\"",
					  "\"tcp\"",
					  "\"a longer text with some blanks and a %d\"",
					  "\"\\t\\n\\\"\""};
	static const char *const b[] = {"probeprov", "probemod", "probefunc", "probename",
					"execname"};
	const struct var *v = find_var(g, K_STR);

	switch (below(g, 4)) {
	case 0:
		if (put_xmember(g, K_STR))
			return;
		break;
	case 1:
		if (v && !v->nkey) {
			put_var(g, v);
			return;
		}
		break;
	case 2:
		put(g, PICK(g, b));
		return;
	}
	put(g, PICK(g, lit));
}

/* Writes a string that is a part of another string. */
static void gen_part(struct gen *g)
{
	static const char *const of_one[] = {"basename(", "dirname(", "cleanpath(", "toupper(",
					     "tolower("};

	switch (below(g, 7)) {
	case 0:
		put(g, "substr(");
		gen(g, K_STR);
		put(g, ", ");
		gen(g, K_INT);
		end_with_int(g);
		return;
	case 1:
		put(g, one_in(g, 2) ? "strchr(" : "strrchr(");
		gen(g, K_STR);
		put(g, ", '/')");
		return;
	case 2:
		put(g, one_in(g, 2) ? "strstr(" : "strtok(");
		gen(g, K_STR);
		put(g, ", ");
		gen(g, K_STR);
		put(g, ")");
		return;
	case 3:
		put(g, one_in(g, 2) ? "strtok(NULL, \"/\")"
				    : "xlate <struct fz_out> (curthread).word");
		return;
	case 4:
		put(g, "fz_name[");
		gen(g, K_INT);
		put(g, ", ");
		gen(g, K_STR);
		put(g, "]");
		return;
	}
	put(g, PICK(g, of_one));
	gen(g, K_STR);
	put(g, ")");
}

static void gen_str(struct gen *g)
{
	const struct var *v = find_var(g, K_STR);

	if (g->o->pointers && *g->site->probe && one_in(g, 2)) {
		gen_ptr_str(g);
		return;
	}
	switch (below(g, 14)) {
	case 12:
	case 13:
		gen_part(g);
		return;
	case 0:
		put(g, one_in(g, 3) ? "(string)" : "stringof");
		gen(g, K_CHARP);
		return;
	case 1:
		put(g, one_in(g, 3) ? "(string)" : "stringof");
		gen(g, (enum kind)below(g, K_XLATED));
		return;
	case 2:
	case 3:
		put(g, "strjoin(");
		gen(g, K_STR);
		put(g, ", ");
		gen(g, K_STR);
		put(g, ")");
		return;
	case 4:
		put(g, "lltostr(");
		gen(g, K_INT);
		put(g, one_in(g, 4) ? ", 16)" : one_in(g, 4) ? ", 8)" : ")");
		return;
	case 5:
		put(g, one_in(g, 3) ? "inet_ntoa6((in6_addr_t *)" : "inet_ntoa((ipaddr_t *)");
		gen(g, K_PTR);
		put(g, ")");
		return;
	case 6:
		putf(g, "inet_ntop(%s, (void *)", one_in(g, 2) ? "AF_INET" : "AF_INET6");
		gen(g, K_PTR);
		put(g, ")");
		return;
	case 7:
		gen_ternary(g, K_STR);
		return;
	case 8:
		gen_assign(g, K_STR);
		return;
	case 9:
		if (v) {
			put_var(g, v);
			return;
		}
		break;
	case 10:
		put(g, one_in(g, 2) ? "tcp_state_string[" : "protocols[");
		gen(g, K_INT);
		put(g, "]");
		return;
	case 11:
		put(g, "0, ");
		gen(g, K_STR);
		return;
	}
	gen_str_leaf(g);
}

static void gen_ptr(struct gen *g)
{
	static const char *const leaf[] = {"curthread",
					   "curthread",
					   "curthread->real_parent",
					   "curthread->group_leader",
					   "&curthread->pid",
					   "NULL",
					   "(struct task_struct *)0"};
	const struct var *v = find_var(g, K_PTR);

	switch (below(g, 10)) {
	case 0:
		if (v) {
			put_var(g, v);
			return;
		}
		break;
	case 1:
		if (put_xmember(g, K_PTR))
			return;
		break;
	case 2:
		if (g->site->nptr) {
			putf(g, "args[%u]", below(g, (unsigned)g->site->nptr));
			return;
		}
		break;
	case 3:
		put(g, "(struct task_struct *)");
		gen(g, one_in(g, 2) ? K_INT : K_PTR);
		return;
	case 4:
		gen_cast(g, K_PTR);
		put(g, one_in(g, 2) ? " + " : " - ");
		gen(g, K_INT);
		return;
	case 5:
		gen_ternary(g, K_PTR);
		return;
	case 6:
		gen_assign(g, K_PTR);
		return;
	case 7:
		put(g, "(struct sock *)");
		gen(g, K_INT);
		return;
	}
	put(g, PICK(g, leaf));
}

static void gen_charp(struct gen *g)
{
	const struct var *v = find_var(g, K_CHARP);

	switch (below(g, 9)) {
	case 0:
		if (v) {
			put_var(g, v);
			return;
		}
		break;
	case 1:
		put(g, "&curthread->comm");
		put_index(g);
		return;
	case 2:
		put(g, one_in(g, 2) ? "(char *)" : "(signed char *)");
		gen(g, one_in(g, 2) ? K_PTR : K_INT);
		return;
	case 3:
		gen(g, K_CHARP);
		put(g, " + ");
		gen(g, K_INT);
		return;
	case 4:
		gen_ternary(g, K_CHARP);
		return;
	case 5:
		gen_assign(g, K_CHARP);
		return;
	case 6:
		if (g->site->nptr && strstr(g->site->probe, "net")) {
			put(g, one_in(g, 2) ? "args[0]->dev->name" : "args[0]->data");
			return;
		}
		break;
	}
	put(g, "curthread->comm");
}

static void gen_xlated(struct gen *g)
{
	const struct xarg *x = find_xarg(g);

	if (x)
		putf(g, one_in(g, 6) ? "*args[%d]" : "args[%d]", x->n);
	else
		gen_int_leaf(g);
}

static void gen_kind(struct gen *g, enum kind k)
{
	static void (*const fn[NKIND])(struct gen *) = {gen_int, gen_str, gen_ptr, gen_charp,
							gen_xlated};
	static void (*const leaf[NKIND])(struct gen *) = {gen_int_leaf, gen_str_leaf, gen_ptr,
							  gen_charp, gen_xlated};

	if (g->depth >= MAX_DEPTH && (k == K_PTR || k == K_CHARP)) {
		put(g, k == K_PTR ? "curthread" : "curthread->comm");
		return;
	}
	g->depth++;
	(g->depth >= MAX_DEPTH || one_in(g, 3) ? leaf : fn)[k](g);
	g->depth--;
}

/* ---------------------------------------------------------------- statements */

static void gen_agg(struct gen *g)
{
	static const char *const fn[] = {"count()", "sum(",      "min(",       "max(",       "avg(",
					 "stddev(", "quantize(", "lquantize(", "llquantize("};
	unsigned n = below(g, g->nagg);

	g->agg_used |= 1u << n;
	putf(g, "@g%u", n);
	for (unsigned i = 0; i < g->agg_nkey[n]; i++) {
		put(g, i ? ", " : "[");
		gen(g, g->agg_key[n][i]);
	}
	put(g, g->agg_nkey[n] ? "] = " : " = ");
	put(g, fn[g->agg_fn[n]]);
	if (!g->agg_fn[n])
		return;
	gen(g, one_in(g, 5) ? K_PTR : K_INT);
	put(g, g->agg_fn[n] == 7 ? ", 0, 100, 10)" : g->agg_fn[n] == 8 ? ", 10, 0, 3, 10)" : ")");
}

static void gen_printf(struct gen *g)
{
	static const char *const conv[] = {"%d", "%x", "%u", "%5d", "%-8x", "%c", "%d", "%#x"};
	enum kind k[6];
	unsigned n = below(g, 6);

	put(g, "printf(\"");
	for (unsigned i = 0; i < n; i++) {
		k[i] = (enum kind)below(g, K_XLATED);
		put(g, k[i] == K_INT ? PICK(g, conv) : k[i] == K_PTR ? "%p " : "%s ");
	}
	put(g, "\\n\"");
	for (unsigned i = 0; i < n; i++) {
		put(g, ", ");
		gen(g, k[i] == K_CHARP ? K_STR : k[i]);
	}
	put(g, ")");
}

static void gen_stmt(struct gen *g);

static void gen_block(struct gen *g)
{
	put(g, "{\n");
	for (unsigned n = below(g, 3) + 1; n; n--)
		gen_stmt(g);
	put(g, "}");
}

static void gen_if(struct gen *g)
{
	g->nest++;
	put(g, "if (");
	gen(g, one_in(g, 4) ? K_PTR : K_INT);
	put(g, ") ");
	gen_block(g);
	if (one_in(g, 2)) {
		put(g, " else ");
		if (one_in(g, 3) && g->nest < 3)
			gen_if(g);
		else
			gen_block(g);
	}
	g->nest--;
}

/* Writes actions that record memory, whole values, floats, stacks or symbols. */
static void gen_other(struct gen *g)
{
	static const char *const what[] =
		{"print(fz_g)",
		 "print(fz_un)",
		 "print(fz_ii[3])",
		 "print(*curthread)",
		 "print(fz_p)",
		 "print(fz_en)",
		 "trace(fz_d = *(double *)alloca(8))",
		 "printf(\"%g %e\\n\", fz_d, this->fz_f)",
		 "fz_d = *(double *)fz_p",
		 "this->fz_f = *(float *)fz_p",
		 "trace(fz_d)",
		 "stack(3)",
		 "ustack(2)",
		 "sym(caller)",
		 "func(caller)",
		 "usym(ucaller)",
		 "uaddr(ucaller)",
		 "ufunc(arg0)",
		 "mod(arg0)",
		 "umod(ucaller)",
		 "fz_spec = speculation()",
		 "discard(fz_spec)",
		 "printf(\"%a %A %p %Y\\n\", caller, ucaller, arg0, walltimestamp)",
		 "self->fz_sk[pid] = fz_g",
		 "printf(\"%k\", stack(2))",
		 "setopt(\"quiet\")",
		 "fz_p = alloca(sizeof(struct fz))"};

	if (!one_in(g, 4)) {
		put(g, PICK(g, what));
		return;
	}
	put(g, one_in(g, 2) ? "bcopy(curthread, alloca(64), " : "bcopy(fz_p, alloca(64), ");
	gen(g, K_INT);
	put(g, one_in(g, 2) ? " & 63)" : ")");
}

/* Writes actions on aggregations. They may not be in a clause that records data. */
static void gen_show(struct gen *g)
{
	static const char *const what[] = {"printa(@g%u)",      "clear(@g%u)",
					   "trunc(@g%u, 2)",    "normalize(@g%u, 3)",
					   "denormalize(@g%u)", "trunc(@g%u)"};

	unsigned n = below(g, g->nagg);

	if (g->agg_used & 1u << n)
		putf(g, PICK(g, what), n);
	else
		put(g, "1");
}

static void gen_stmt(struct gen *g)
{
	if (g->o->pointers && one_in(g, 3)) {
		gen_ptr_stmt(g);
		put(g, ";\n");
		return;
	}
	switch (below(g, 16)) {
	case 12:
		if (g->nest < 3) {
			gen_if(g);
			put(g, "\n");
			return;
		}
		break;
	case 13:
	case 14:
		gen_other(g);
		break;
	case 15:
		if (!g->speculates)
			gen_show(g);
		else
			put(g, "1");
		break;
	case 0:
	case 1:
	case 2:
		if (g->speculates)
			gen_assign(g, K_INT);
		else
			gen_agg(g);
		break;
	case 3:
	case 4:
		gen_printf(g);
		break;
	case 5:
		put(g, "trace(");
		gen(g, (enum kind)below(g, K_XLATED));
		put(g, ")");
		break;
	case 6:
		put(g, "tracemem(");
		gen_cast(g, one_in(g, 2) ? K_PTR : K_CHARP);
		putf(g, ", %u)", 1 + below(g, 64));
		break;
	case 7:
		if (one_in(g, 3) && !g->speculates) {
			put(g, "exit(");
			gen(g, K_INT);
			put(g, ")");
			break;
		}
		/* fall through */
	default:
		gen_assign(g, (enum kind)below(g, K_XLATED));
	}
	put(g, ";\n");
}

static void gen_clause(struct gen *g)
{
	unsigned n = 1 + below(g, 6);

	do
		g->site = &PICK(g, sites);
	while (g->site->live && !g->o->live);
	put(g, g->site->probe);
	if (one_in(g, 2)) {
		put(g, " /");
		gen(g, one_in(g, 4) ? K_PTR : K_INT);
		put(g, "/");
	}
	put(g, "\n{\n");
	g->speculates = one_in(g, 12);
	if (g->speculates)
		put(g, "\tspeculate(fz_spec);\n");
	else if (one_in(g, 20)) {
		put(g, "\tcommit(fz_spec);\n}\n");
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		put(g, "\t");
		gen_stmt(g);
	}
	put(g, "}\n");
}

/* -------------------------------------------------------------- declarations */

static const char *type_of(struct gen *g, enum kind k)
{
	switch (k) {
	case K_INT:
		return PICK(g, int_types);
	case K_STR:
		return "string";
	case K_PTR:
		return one_in(g, 2) ? "struct task_struct *" : "struct task_struct *";
	default:
		return "char *";
	}
}

static void declare(struct gen *g, unsigned n)
{
	static const char *const scope[] = {"", "", "self", "this"};
	static const char *const named[] = {"int pid",       "int IPPROTO_TCP", "string execname",
					    "int __owner",   "int I",           "int P",
					    "string S",      "int args",        "int len",
					    "struct sock *S"};
	struct var *v = &g->var[n];
	const char *s = PICK(g, scope);

	if (below(g, 1000) < g->o->slip / 2)
		putf(g, "%s;\n", PICK(g, named));
	*v = (struct var){.kind = (enum kind)below(g, K_XLATED), .n = (uint8_t)n};
	v->scope = !*s ? "" : *s == 's' ? "self->" : "this->";
	if (*s != 't' && one_in(g, 3))
		v->nkey = (uint8_t)(1 + below(g, 3));
	putf(g, "%s%s%s %c%u", s, *s ? " " : "", type_of(g, v->kind), v->nkey ? 'a' : 'v', n);
	for (unsigned i = 0; i < v->nkey; i++) {
		v->key[i] = (enum kind)below(g, 3);
		putf(g, "%s%s", i ? ", " : "[",
		     v->key[i] == K_PTR ? "uint64_t" : type_of(g, v->key[i]));
		if (v->key[i] == K_PTR)
			v->key[i] = K_INT;
	}
	put(g, v->nkey ? "];\n" : ";\n");
}

static void declare_inline(struct gen *g, unsigned n)
{
	static const struct site nowhere = {"", false, 0, {0}, {0}};

	g->site = &nowhere;
	putf(g, "inline %s inl%u[int x] = x %s (", PICK(g, int_types), n,
	     one_in(g, 2) ? "+" : "==");
	wrong_or(g, K_INT);
	put(g, ");\n");
	g->ninline = n + 1;
}

void typegen(uint64_t seed, const struct typegen_opts *o, struct strbuf *out)
{
	struct gen g = {.state = seed * 0x2545f4914f6cdd1d + 1, .o = o, .out = out};
	unsigned nvar = below(&g, MAX_VARS), ninline = below(&g, 3), nclause = 1 + below(&g, 4);

	put(&g, place_decls);
	for (unsigned i = 0; i < nvar; i++) {
		declare(&g, i);
		g.nvar = i + 1;
	}
	g.nagg = 1 + below(&g, 4);
	for (unsigned i = 0; i < g.nagg; i++) {
		g.agg_fn[i] = (uint8_t)below(&g, 9);
		g.agg_nkey[i] = (uint8_t)below(&g, 4);
		for (unsigned k = 0; k < 3; k++)
			g.agg_key[i][k] = (enum kind)below(&g, 3);
	}
	for (unsigned i = 0; i < ninline; i++)
		declare_inline(&g, i);
	for (unsigned i = 0; i < nclause; i++)
		gen_clause(&g);
}
