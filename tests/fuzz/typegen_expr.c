/*
 * typegen_expr.c - writes the expressions of random D programs; see typegen_expr.h. Each function
 * writes one kind of expression, and chooses one of its forms at random. The deeper an expression
 * is nested, the fewer forms there are to choose from.
 */
#include "tests/fuzz/typegen_expr.h"

#include <string.h>

/* ------------------------------------------------------------------- choices */

static uint64_t next(struct gen *g)
{
	uint64_t z = g->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

unsigned fuzz_below(struct gen *g, unsigned n)
{
	return (unsigned)(next(g) % n);
}

bool fuzz_one_in(struct gen *g, unsigned n)
{
	return fuzz_below(g, n) == 0;
}

void fuzz_put(struct gen *g, const char *s)
{
	strbuf_adds(g->out, s);
}

/* --------------------------------------------------------------- expressions */

static void gen_kind(struct gen *g, enum kind k);

static const char *const int_types[] = {"int",       "char",     "int8_t",  "uint8_t",
					"int16_t",   "uint16_t", "int32_t", "uint32_t",
					"int64_t",   "uint64_t", "long",    "unsigned",
					"uintptr_t", "size_t",   "short",   "long long"};

const char *fuzz_int_type(struct gen *g)
{
	return PICK(g, int_types);
}

void fuzz_expr_or_slip(struct gen *g, enum kind k)
{
	gen_kind(g, fuzz_below(g, 1000) < g->o->slip ? (enum kind)fuzz_below(g, NKIND) : k);
}

/* Writes an expression in parentheses, because -(-1) is an expression and --1 is not. */
void fuzz_expr(struct gen *g, enum kind k)
{
	fuzz_put(g, "(");
	fuzz_expr_or_slip(g, k);
	fuzz_put(g, ")");
}

static void put_var(struct gen *g, const struct var *v)
{
	putf(g, "%s%c%u", v->scope, v->nkey ? 'a' : 'v', v->n);
	for (unsigned i = 0; i < v->nkey; i++) {
		fuzz_put(g, i ? ", " : "[");
		fuzz_expr(g, v->key[i]);
	}
	if (v->nkey)
		fuzz_put(g, "]");
}

static const struct var *find_var(struct gen *g, enum kind k)
{
	unsigned first = g->nvar ? fuzz_below(g, g->nvar) : 0;

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
	return n ? g->site->x[fuzz_below(g, n)] : NULL;
}

/*
 * Writes a member of kind @k of a translated argument. The probe of the clause decides which
 * arguments there are. Returns false, and writes nothing, if there is no such member.
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
	if (fuzz_one_in(g, 12))
		putf(g, "(*args[%d]).%s", x->n, m[fuzz_below(g, n)]);
	else
		putf(g, "args[%d]->%s", x->n, m[fuzz_below(g, n)]);
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

	fuzz_put(g, PICK(g, v));
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

	switch (fuzz_below(g, 4)) {
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
			putf(g, "args[%s", g->site->ptr_num[fuzz_below(g, n)]);
			return;
		}
		break;
	}
	fuzz_put(g, PICK(g, b));
}

/*
 * Writes an expression of kind @k with a cast to a pointer type. Sometimes leaves the cast out, and
 * the compiler must report this.
 */
void fuzz_cast(struct gen *g, enum kind k)
{
	if (fuzz_below(g, 1000) >= g->o->slip)
		fuzz_put(g, k == K_PTR ? "(struct task_struct *)" : "(char *)");
	fuzz_expr(g, k);
}

static void gen_cast_or(struct gen *g, enum kind k)
{
	if (k == K_PTR || k == K_CHARP)
		fuzz_cast(g, k);
	else
		fuzz_expr(g, k);
}

static void gen_binary(struct gen *g, enum kind k, const char *op)
{
	gen_cast_or(g, k);
	putf(g, " %s ", op);
	gen_cast_or(g, k);
}

void fuzz_assign(struct gen *g, enum kind k)
{
	static const char *const ops[] = {"=",  "=",  "=",  "+=", "-=",  "*=", "/=",
					  "%=", "&=", "|=", "^=", "<<=", ">>="};
	const struct var *v = find_var(g, k);

	if (!v) {
		fuzz_expr(g, k);
		return;
	}
	put_var(g, v);
	putf(g, " %s ", k == K_INT ? PICK(g, ops) : "=");
	if (fuzz_one_in(g, 6))
		fuzz_put(g, k == K_INT || fuzz_one_in(g, 2) ? "0" : "NULL");
	else
		gen_cast_or(g, k);
}

static void gen_ternary(struct gen *g, enum kind k)
{
	fuzz_expr(g, fuzz_one_in(g, 3) ? K_PTR : K_INT);
	fuzz_put(g, " ? ");
	gen_cast_or(g, k);
	fuzz_put(g, " : ");
	gen_cast_or(g, k);
}

/* Writes a member of a struct, through any pointer that is cast to a pointer to the struct. */
static void put_member(struct gen *g)
{
	static const char *const as[][2] = {{"task_struct", "pid"},
					    {"sk_buff", "len"},
					    {"sock", "sk_protocol"},
					    {"task_struct", "tgid"},
					    {"net_device", "ifindex"}};
	unsigned n = fuzz_below(g, sizeof(as) / sizeof(*as));

	putf(g, "((struct %s *)", as[n][0]);
	fuzz_expr(g, K_PTR);
	putf(g, ")->%s", as[n][1]);
}

/*
 * Writes an index, which may be out of bounds. The compiler must refuse a constant that is out of
 * bounds, but accept any computed index.
 */
static void put_index(struct gen *g)
{
	fuzz_put(g, "[");
	if (fuzz_one_in(g, 4))
		fuzz_expr(g, K_INT);
	else if (fuzz_one_in(g, 2))
		putf(g, "%u", fuzz_below(g, 16));
	else
		putf(g, "%s & %u", fuzz_one_in(g, 2) ? "pid" : "timestamp", fuzz_below(g, 32));
	fuzz_put(g, "]");
}

const char fuzz_places[] =
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

/*
 * Writes a member of a struct variable, an element of an array variable, or the target of a
 * pointer.
 */
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
	unsigned n = fuzz_below(g, sizeof(part) / sizeof(*part));

	if (fuzz_one_in(g, 2)) {
		fuzz_put(g, PICK(g, whole));
		return;
	}
	fuzz_put(g, part[n][0]);
	fuzz_expr(g, K_INT);
	if (!fuzz_one_in(g, 3))
		fuzz_put(g, " & 1");
	fuzz_put(g, part[n][1]);
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

	switch (fuzz_below(g, 6)) {
	case 0:
		fuzz_put(g, fuzz_one_in(g, 2) ? "++" : "--");
		put_place(g);
		return;
	case 1:
	case 2:
		put_place(g);
		putf(g, " %s ", PICK(g, ops));
		fuzz_expr(g, K_INT);
		return;
	case 3:
		fuzz_put(g, "(fz_p = alloca(");
		fuzz_expr(g, K_INT);
		fuzz_put(g, fuzz_one_in(g, 2) ? " & 127), 1)" : "), 1)");
		return;
	case 4:
		fuzz_put(g, PICK(g, all));
		return;
	}
	put_place(g);
}

/* Ends the arguments of a call. Sometimes adds one more argument, which is a number. */
static void end_with_int(struct gen *g)
{
	if (fuzz_one_in(g, 2)) {
		fuzz_put(g, ", ");
		fuzz_expr(g, K_INT);
	}
	fuzz_put(g, ")");
}

/*
 * Writes an expression that is a number and uses strings, inlines with two parameters or
 * translators.
 */
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

	switch (fuzz_below(g, 6)) {
	case 0:
		fuzz_put(g, PICK(g, of_two));
		fuzz_expr(g, K_STR);
		fuzz_put(g, ", ");
		fuzz_expr(g, K_STR);
		end_with_int(g);
		return;
	case 1:
		fuzz_put(g, "strtoll(");
		fuzz_expr(g, K_STR);
		fuzz_put(g, fuzz_one_in(g, 2) ? ")" : fuzz_one_in(g, 2) ? ", 16)" : ", 2)");
		return;
	case 2:
		fuzz_put(g, PICK(g, of_one));
		fuzz_expr(g, K_INT);
		fuzz_put(g, ")");
		return;
	case 3:
		fuzz_put(g, "fz_two[");
		fuzz_expr(g, K_INT);
		fuzz_put(g, ", ");
		fuzz_expr(g, K_INT);
		fuzz_put(g, "]");
		return;
	case 4:
		fuzz_put(g, "xlate <struct fz_out *> (");
		fuzz_cast(g, K_PTR);
		fuzz_put(g, ")->sum");
		return;
	}
	fuzz_put(g, PICK(g, leaf));
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

	if (g->site->nptr && strstr(g->site->probe, "sched") && fuzz_one_in(g, 2))
		putf(g, "args[%u]", fuzz_below(g, (unsigned)g->site->nptr));
	else if (g->site->nptr && !strstr(g->site->probe, "sched") && fuzz_one_in(g, 2))
		fuzz_put(g, PICK(g, skb));
	else if (!fuzz_one_in(g, 5) || !put_xmember(g, K_PTR))
		fuzz_put(g, PICK(g, task));
}

/* Writes the texts before and after a pointer argument, as in "cidr(PTR, ...)". */
static void around_ptr(struct gen *g, const char *const how[2])
{
	fuzz_put(g, how[0]);
	put_kernel_ptr(g);
	fuzz_put(g, how[1]);
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

void fuzz_ptr_stmt(struct gen *g)
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

	if (g->o->pointers && *g->site->probe && fuzz_one_in(g, 3)) {
		gen_ptr_int(g);
		return;
	}
	switch (fuzz_below(g, 27)) {
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
		gen_binary(g, K_PTR, fuzz_one_in(g, 2) ? "==" : "!=");
		return;
	case 6:
		gen_binary(g, K_INT, fuzz_one_in(g, 3) ? "&&" : fuzz_one_in(g, 2) ? "||" : "^^");
		return;
	case 7:
		fuzz_put(g, PICK(g, un));
		fuzz_expr(g, K_INT);
		return;
	case 8:
		putf(g, "(%s)", PICK(g, int_types));
		fuzz_expr(g, K_INT);
		return;
	case 9:
	case 10:
		putf(g, "(%s)", PICK(g, int_types));
		fuzz_expr(g, fuzz_one_in(g, 2) ? K_PTR : K_CHARP);
		return;
	case 11:
		gen_ternary(g, K_INT);
		return;
	case 12:
		fuzz_put(g, "strlen(");
		fuzz_expr(g, fuzz_one_in(g, 20) ? K_CHARP : K_STR);
		fuzz_put(g, ")");
		return;
	case 13:
		putf(g, "%s(", PICK(g, swap));
		fuzz_expr(g, K_INT);
		fuzz_put(g, ")");
		return;
	case 14:
		fuzz_assign(g, K_INT);
		return;
	case 15:
		if (v) {
			fuzz_put(g, fuzz_one_in(g, 2) ? "++" : "--");
			put_var(g, v);
			return;
		}
		break;
	case 16:
		putf(g, "*(%s *)", PICK(g, int_types));
		fuzz_expr(g, fuzz_one_in(g, 2) ? K_PTR : K_CHARP);
		return;
	case 17:
		fuzz_expr(g, K_CHARP);
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
			putf(g, "inl%u[", fuzz_below(g, g->ninline));
			fuzz_expr(g, K_INT);
			fuzz_put(g, "]");
			return;
		}
		break;
	case 21:
		fuzz_put(g, "sizeof (");
		fuzz_put(g, fuzz_one_in(g, 2) ? "struct task_struct" : PICK(g, int_types));
		fuzz_put(g, ")");
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

	switch (fuzz_below(g, 4)) {
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
		fuzz_put(g, PICK(g, b));
		return;
	}
	fuzz_put(g, PICK(g, lit));
}

/* Writes a string that is a part of another string. */
static void gen_part(struct gen *g)
{
	static const char *const of_one[] = {"basename(", "dirname(", "cleanpath(", "toupper(",
					     "tolower("};

	switch (fuzz_below(g, 7)) {
	case 0:
		fuzz_put(g, "substr(");
		fuzz_expr(g, K_STR);
		fuzz_put(g, ", ");
		fuzz_expr(g, K_INT);
		end_with_int(g);
		return;
	case 1:
		fuzz_put(g, fuzz_one_in(g, 2) ? "strchr(" : "strrchr(");
		fuzz_expr(g, K_STR);
		fuzz_put(g, ", '/')");
		return;
	case 2:
		fuzz_put(g, fuzz_one_in(g, 2) ? "strstr(" : "strtok(");
		fuzz_expr(g, K_STR);
		fuzz_put(g, ", ");
		fuzz_expr(g, K_STR);
		fuzz_put(g, ")");
		return;
	case 3:
		fuzz_put(g, fuzz_one_in(g, 2) ? "strtok(NULL, \"/\")"
					      : "xlate <struct fz_out> (curthread).word");
		return;
	case 4:
		fuzz_put(g, "fz_name[");
		fuzz_expr(g, K_INT);
		fuzz_put(g, ", ");
		fuzz_expr(g, K_STR);
		fuzz_put(g, "]");
		return;
	}
	fuzz_put(g, PICK(g, of_one));
	fuzz_expr(g, K_STR);
	fuzz_put(g, ")");
}

static void gen_str(struct gen *g)
{
	const struct var *v = find_var(g, K_STR);

	if (g->o->pointers && *g->site->probe && fuzz_one_in(g, 2)) {
		gen_ptr_str(g);
		return;
	}
	switch (fuzz_below(g, 14)) {
	case 12:
	case 13:
		gen_part(g);
		return;
	case 0:
		fuzz_put(g, fuzz_one_in(g, 3) ? "(string)" : "stringof");
		fuzz_expr(g, K_CHARP);
		return;
	case 1:
		fuzz_put(g, fuzz_one_in(g, 3) ? "(string)" : "stringof");
		fuzz_expr(g, (enum kind)fuzz_below(g, K_XLATED));
		return;
	case 2:
	case 3:
		fuzz_put(g, "strjoin(");
		fuzz_expr(g, K_STR);
		fuzz_put(g, ", ");
		fuzz_expr(g, K_STR);
		fuzz_put(g, ")");
		return;
	case 4:
		fuzz_put(g, "lltostr(");
		fuzz_expr(g, K_INT);
		fuzz_put(g, fuzz_one_in(g, 4) ? ", 16)" : fuzz_one_in(g, 4) ? ", 8)" : ")");
		return;
	case 5:
		fuzz_put(g, fuzz_one_in(g, 3) ? "inet_ntoa6((in6_addr_t *)"
					      : "inet_ntoa((ipaddr_t *)");
		fuzz_expr(g, K_PTR);
		fuzz_put(g, ")");
		return;
	case 6:
		putf(g, "inet_ntop(%s, (void *)", fuzz_one_in(g, 2) ? "AF_INET" : "AF_INET6");
		fuzz_expr(g, K_PTR);
		fuzz_put(g, ")");
		return;
	case 7:
		gen_ternary(g, K_STR);
		return;
	case 8:
		fuzz_assign(g, K_STR);
		return;
	case 9:
		if (v) {
			put_var(g, v);
			return;
		}
		break;
	case 10:
		fuzz_put(g, fuzz_one_in(g, 2) ? "tcp_state_string[" : "protocols[");
		fuzz_expr(g, K_INT);
		fuzz_put(g, "]");
		return;
	case 11:
		fuzz_put(g, "0, ");
		fuzz_expr(g, K_STR);
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

	switch (fuzz_below(g, 10)) {
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
			putf(g, "args[%u]", fuzz_below(g, (unsigned)g->site->nptr));
			return;
		}
		break;
	case 3:
		fuzz_put(g, "(struct task_struct *)");
		fuzz_expr(g, fuzz_one_in(g, 2) ? K_INT : K_PTR);
		return;
	case 4:
		fuzz_cast(g, K_PTR);
		fuzz_put(g, fuzz_one_in(g, 2) ? " + " : " - ");
		fuzz_expr(g, K_INT);
		return;
	case 5:
		gen_ternary(g, K_PTR);
		return;
	case 6:
		fuzz_assign(g, K_PTR);
		return;
	case 7:
		fuzz_put(g, "(struct sock *)");
		fuzz_expr(g, K_INT);
		return;
	}
	fuzz_put(g, PICK(g, leaf));
}

static void gen_charp(struct gen *g)
{
	const struct var *v = find_var(g, K_CHARP);

	switch (fuzz_below(g, 9)) {
	case 0:
		if (v) {
			put_var(g, v);
			return;
		}
		break;
	case 1:
		fuzz_put(g, "&curthread->comm");
		put_index(g);
		return;
	case 2:
		fuzz_put(g, fuzz_one_in(g, 2) ? "(char *)" : "(signed char *)");
		fuzz_expr(g, fuzz_one_in(g, 2) ? K_PTR : K_INT);
		return;
	case 3:
		fuzz_expr(g, K_CHARP);
		fuzz_put(g, " + ");
		fuzz_expr(g, K_INT);
		return;
	case 4:
		gen_ternary(g, K_CHARP);
		return;
	case 5:
		fuzz_assign(g, K_CHARP);
		return;
	case 6:
		if (g->site->nptr && strstr(g->site->probe, "net")) {
			fuzz_put(g, fuzz_one_in(g, 2) ? "args[0]->dev->name" : "args[0]->data");
			return;
		}
		break;
	}
	fuzz_put(g, "curthread->comm");
}

static void gen_xlated(struct gen *g)
{
	const struct xarg *x = find_xarg(g);

	if (x)
		putf(g, fuzz_one_in(g, 6) ? "*args[%d]" : "args[%d]", x->n);
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
		fuzz_put(g, k == K_PTR ? "curthread" : "curthread->comm");
		return;
	}
	g->depth++;
	(g->depth >= MAX_DEPTH || fuzz_one_in(g, 3) ? leaf : fn)[k](g);
	g->depth--;
}
