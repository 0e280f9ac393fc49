/*
 * typegen.c - writes the probes, statements and declarations of random D programs; see typegen.h.
 */
#include "tests/fuzz/typegen.h"

#include "tests/fuzz/typegen_expr.h"

/* -------------------------------------------------------------------- probes */

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

/* ---------------------------------------------------------------- statements */

static void gen_agg(struct gen *g)
{
	static const char *const fn[] = {"count()", "sum(",      "min(",       "max(",       "avg(",
					 "stddev(", "quantize(", "lquantize(", "llquantize("};
	unsigned n = fuzz_below(g, g->nagg);

	g->agg_used |= 1u << n;
	putf(g, "@g%u", n);
	for (unsigned i = 0; i < g->agg_nkey[n]; i++) {
		fuzz_put(g, i ? ", " : "[");
		fuzz_expr(g, g->agg_key[n][i]);
	}
	fuzz_put(g, g->agg_nkey[n] ? "] = " : " = ");
	fuzz_put(g, fn[g->agg_fn[n]]);
	if (!g->agg_fn[n])
		return;
	fuzz_expr(g, fuzz_one_in(g, 5) ? K_PTR : K_INT);
	fuzz_put(g, g->agg_fn[n] == 7   ? ", 0, 100, 10)"
		    : g->agg_fn[n] == 8 ? ", 10, 0, 3, 10)"
					: ")");
}

static void gen_printf(struct gen *g)
{
	static const char *const conv[] = {"%d", "%x", "%u", "%5d", "%-8x", "%c", "%d", "%#x"};
	enum kind k[6];
	unsigned n = fuzz_below(g, 6);

	fuzz_put(g, "printf(\"");
	for (unsigned i = 0; i < n; i++) {
		k[i] = (enum kind)fuzz_below(g, K_XLATED);
		fuzz_put(g, k[i] == K_INT ? PICK(g, conv) : k[i] == K_PTR ? "%p " : "%s ");
	}
	fuzz_put(g, "\\n\"");
	for (unsigned i = 0; i < n; i++) {
		fuzz_put(g, ", ");
		fuzz_expr(g, k[i] == K_CHARP ? K_STR : k[i]);
	}
	fuzz_put(g, ")");
}

static void gen_stmt(struct gen *g);

static void gen_block(struct gen *g)
{
	fuzz_put(g, "{\n");
	for (unsigned n = fuzz_below(g, 3) + 1; n; n--)
		gen_stmt(g);
	fuzz_put(g, "}");
}

static void gen_if(struct gen *g)
{
	g->nest++;
	fuzz_put(g, "if (");
	fuzz_expr(g, fuzz_one_in(g, 4) ? K_PTR : K_INT);
	fuzz_put(g, ") ");
	gen_block(g);
	if (fuzz_one_in(g, 2)) {
		fuzz_put(g, " else ");
		if (fuzz_one_in(g, 3) && g->nest < 3)
			gen_if(g);
		else
			gen_block(g);
	}
	g->nest--;
}

/*
 * Writes an action or assignment that the other functions do not write: one with whole structs,
 * floats, stacks or symbols.
 */
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

	if (!fuzz_one_in(g, 4)) {
		fuzz_put(g, PICK(g, what));
		return;
	}
	fuzz_put(g,
		 fuzz_one_in(g, 2) ? "bcopy(curthread, alloca(64), " : "bcopy(fz_p, alloca(64), ");
	fuzz_expr(g, K_INT);
	fuzz_put(g, fuzz_one_in(g, 2) ? " & 63)" : ")");
}

/*
 * Writes an action on one aggregation, or the statement 1 if the program has not used that
 * aggregation yet. Clauses that speculate do not call this function.
 */
static void gen_show(struct gen *g)
{
	static const char *const what[] = {"printa(@g%u)",      "clear(@g%u)",
					   "trunc(@g%u, 2)",    "normalize(@g%u, 3)",
					   "denormalize(@g%u)", "trunc(@g%u)"};

	unsigned n = fuzz_below(g, g->nagg);

	if (g->agg_used & 1u << n)
		putf(g, PICK(g, what), n);
	else
		fuzz_put(g, "1");
}

static void gen_stmt(struct gen *g)
{
	if (g->o->pointers && fuzz_one_in(g, 3)) {
		fuzz_ptr_stmt(g);
		fuzz_put(g, ";\n");
		return;
	}
	switch (fuzz_below(g, 16)) {
	case 12:
		if (g->nest < 3) {
			gen_if(g);
			fuzz_put(g, "\n");
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
			fuzz_put(g, "1");
		break;
	case 0:
	case 1:
	case 2:
		if (g->speculates)
			fuzz_assign(g, K_INT);
		else
			gen_agg(g);
		break;
	case 3:
	case 4:
		gen_printf(g);
		break;
	case 5:
		fuzz_put(g, "trace(");
		fuzz_expr(g, (enum kind)fuzz_below(g, K_XLATED));
		fuzz_put(g, ")");
		break;
	case 6:
		fuzz_put(g, "tracemem(");
		fuzz_cast(g, fuzz_one_in(g, 2) ? K_PTR : K_CHARP);
		putf(g, ", %u)", 1 + fuzz_below(g, 64));
		break;
	case 7:
		if (fuzz_one_in(g, 3) && !g->speculates) {
			fuzz_put(g, "exit(");
			fuzz_expr(g, K_INT);
			fuzz_put(g, ")");
			break;
		}
		/* fall through */
	default:
		fuzz_assign(g, (enum kind)fuzz_below(g, K_XLATED));
	}
	fuzz_put(g, ";\n");
}

static void gen_clause(struct gen *g)
{
	unsigned n = 1 + fuzz_below(g, 6);

	do
		g->site = &PICK(g, sites);
	while (g->site->live && !g->o->live);
	fuzz_put(g, g->site->probe);
	if (fuzz_one_in(g, 2)) {
		fuzz_put(g, " /");
		fuzz_expr(g, fuzz_one_in(g, 4) ? K_PTR : K_INT);
		fuzz_put(g, "/");
	}
	fuzz_put(g, "\n{\n");
	g->speculates = fuzz_one_in(g, 12);
	if (g->speculates)
		fuzz_put(g, "\tspeculate(fz_spec);\n");
	else if (fuzz_one_in(g, 20)) {
		fuzz_put(g, "\tcommit(fz_spec);\n}\n");
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		fuzz_put(g, "\t");
		gen_stmt(g);
	}
	fuzz_put(g, "}\n");
}

/* -------------------------------------------------------------- declarations */

static const char *type_of(struct gen *g, enum kind k)
{
	switch (k) {
	case K_INT:
		return fuzz_int_type(g);
	case K_STR:
		return "string";
	case K_PTR:
		return fuzz_one_in(g, 2) ? "struct task_struct *" : "struct task_struct *";
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

	if (fuzz_below(g, 1000) < g->o->slip / 2)
		putf(g, "%s;\n", PICK(g, named));
	*v = (struct var){.kind = (enum kind)fuzz_below(g, K_XLATED), .n = (uint8_t)n};
	v->scope = !*s ? "" : *s == 's' ? "self->" : "this->";
	if (*s != 't' && fuzz_one_in(g, 3))
		v->nkey = (uint8_t)(1 + fuzz_below(g, 3));
	putf(g, "%s%s%s %c%u", s, *s ? " " : "", type_of(g, v->kind), v->nkey ? 'a' : 'v', n);
	for (unsigned i = 0; i < v->nkey; i++) {
		v->key[i] = (enum kind)fuzz_below(g, 3);
		putf(g, "%s%s", i ? ", " : "[",
		     v->key[i] == K_PTR ? "uint64_t" : type_of(g, v->key[i]));
		if (v->key[i] == K_PTR)
			v->key[i] = K_INT;
	}
	fuzz_put(g, v->nkey ? "];\n" : ";\n");
}

static void declare_inline(struct gen *g, unsigned n)
{
	static const struct site nowhere = {"", false, 0, {0}, {0}};

	g->site = &nowhere;
	putf(g, "inline %s inl%u[int x] = x %s (", fuzz_int_type(g), n,
	     fuzz_one_in(g, 2) ? "+" : "==");
	fuzz_expr_or_slip(g, K_INT);
	fuzz_put(g, ");\n");
	g->ninline = n + 1;
}

void typegen(uint64_t seed, const struct typegen_opts *o, struct strbuf *out)
{
	struct gen g = {.state = seed * 0x2545f4914f6cdd1d + 1, .o = o, .out = out};
	unsigned nvar = fuzz_below(&g, MAX_VARS), ninline = fuzz_below(&g, 3),
		 nclause = 1 + fuzz_below(&g, 4);

	fuzz_put(&g, fuzz_places);
	for (unsigned i = 0; i < nvar; i++) {
		declare(&g, i);
		g.nvar = i + 1;
	}
	g.nagg = 1 + fuzz_below(&g, 4);
	for (unsigned i = 0; i < g.nagg; i++) {
		g.agg_fn[i] = (uint8_t)fuzz_below(&g, 9);
		g.agg_nkey[i] = (uint8_t)fuzz_below(&g, 4);
		for (unsigned k = 0; k < 3; k++)
			g.agg_key[i][k] = (enum kind)fuzz_below(&g, 3);
	}
	for (unsigned i = 0; i < ninline; i++)
		declare_inline(&g, i);
	for (unsigned i = 0; i < nclause; i++)
		gen_clause(&g);
}
