/*
 * test_classic.c - checks the translation of classic BPF programs to IR: the same packets pass as
 * in libpcap's interpreter.
 *
 * libpcap compiles every expression with and without its optimizer. Both programs are run over
 * every packet of every capture, from the IP header on. A packet may be in two pieces, cut at
 * changing places, and may be captured only in part. "test_classic FOLDER..." reads the captures of
 * other folders instead of tests/pcap.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/replay/capture/capture.h"
#include "engine/replay/capture/pcap_lib.h"
#include "engine/replay/dissect.h"
#include "engine/vm/vm.h"
#include "ir/bpf/bpf.h"
#include "ir/classic.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "tests/check.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#ifdef HAVE_PCAP

/* Expressions that read headers at fixed places. */
static const char *const shallow[] = {
	"ip",
	"ip6",
	"tcp",
	"udp",
	"icmp",
	"icmp6",
	"sctp",
	"igmp",
	"esp",
	"ah",
	"pim",
	"vrrp",
	"not ip",
	"not tcp",
	"ip and not tcp",
	"ip6 and tcp",
	"ip6 and udp",
	"tcp or udp",
	"tcp and udp",
	"port 80",
	"port 53",
	"port 443",
	"src port 53",
	"dst port 53",
	"tcp port 80",
	"tcp src port 80",
	"tcp dst port 80",
	"udp port 53",
	"udp dst port 53",
	"port http",
	"port domain",
	"not port 80",
	"portrange 1-1023",
	"portrange 1024-65535",
	"tcp portrange 20-25",
	"udp src portrange 1024-5000",
	"dst portrange 80-8080",
	"sctp port 80",
	"host 10.0.0.1",
	"host 192.0.2.1",
	"src host 192.0.2.1",
	"dst host 192.0.2.1",
	"not host 192.0.2.1",
	"host 192.168.1.1 or host 192.168.1.2",
	"src net 192.0.2.0/24",
	"dst net 192.0.2.0/24",
	"net 10.0.0.0/8",
	"net 192.168.0.0/16",
	"net 172.16.0.0/12",
	"net 10 or net 192.168",
	"not net 10.0.0.0/8",
	"src net 128.0.0.0/1",
	"net 0.0.0.0/0",
	"host 2001:db8::1",
	"src host 2001:db8::1",
	"net 2001:db8::/32",
	"dst net 2001:db8::/64",
	"net fe80::/10",
	"ip6 net ff00::/8",
	"ip6 host ::1",
	"tcp port 443 and host 10.0.0.1",
	"tcp port 80 and not src host 192.0.2.1",
	"(tcp or udp) and port 53",
	"udp and (port 53 or port 67 or port 68)",
	"tcp and (port 80 or port 443 or port 8080)",
	"ip proto 6",
	"ip proto 17",
	"ip proto 2",
	"ip proto \\tcp",
	"ip6 proto 6",
	"ip6 proto 17",
	"ip6 proto 58",
	"proto 47",
	"proto 41",
	"proto 4",
	"ip multicast",
	"ip6 multicast",
	"dst host 255.255.255.255",
	"less 60",
	"less 100",
	"greater 60",
	"greater 100",
	"greater 1400",
	"greater 9000",
	"len > 576",
	"len = 40",
	"len != 40",
	"len - 20 > 1000",
	"len & 1 = 1",
	"len % 4 = 0",
	"len * 2 > 200",
	"len / 10 = 6",
	"len << 1 >= 256",
	"len >> 6 = 1",
	"len ^ 40 = 0",
	"len | 3 = 43",
	"not less 100",
	"not greater 100",
	"arp",
	"not arp",
	"tcp or arp",
	"1 = 1",
	"0 = 1",
	"5 > 3 and tcp",
	"tcp[tcpflags] & tcp-syn != 0",
	"tcp[tcpflags] & (tcp-syn|tcp-ack) = tcp-syn",
	"tcp[tcpflags] & (tcp-syn|tcp-fin) != 0 and not src host 192.0.2.1",
	"tcp[tcpflags] = tcp-syn|tcp-ack",
	"tcp[tcpflags] & tcp-rst != 0",
	"tcp[tcpflags] & tcp-push != 0",
	"not tcp[tcpflags] & tcp-ack != 0",
	"tcp[13] = 16",
	"tcp[13] & 7 != 0",
	"tcp[14:2] = 0",
	"tcp[14:2] < 1000",
	"tcp[4:4] > 0x7fffffff",
	"tcp[8:4] = 0",
	"tcp[0:2] > tcp[2:2]",
	"tcp[12] & 0xf0 > 0x50",
	"tcp[18:2] != 0",
	"udp[4:2] > 100",
	"udp[6:2] = 0",
	"udp[0:2] = udp[2:2]",
	"icmp[icmptype] = icmp-echo",
	"icmp[icmptype] = icmp-echoreply",
	"icmp[icmptype] = icmp-unreach",
	"icmp[icmptype] = icmp-timxceed",
	"icmp[icmpcode] = 3",
	"icmp[0] != 8 and icmp[0] != 0",
	"icmp6[icmp6type] = icmp6-echo",
	"icmp6[icmp6type] = icmp6-neighborsolicit",
	"ip[0] & 0xf != 5",
	"ip[0] & 0xf > 5",
	"ip[1] & 0xfc != 0",
	"ip[2:2] > 1000",
	"ip[2:2] = len",
	"ip[3:2] = 0x2800",
	"ip[3:4] & 0xff > 7",
	"ip[5:4] & 0xff00 = 0",
	"ip[8] < 64",
	"ip[8] = 1",
	"ip[9] = 6 and ip[8] > 60",
	"ip[10:2] = 0",
	"ip[12:4] = 0xc0000201",
	"ip[12:4] > ip[16:4]",
	"ip[16:4] & 0xffffff00 = 0xc0000200",
	"ip6[0] & 0xf0 = 0x60",
	"ip6[4:2] > 100",
	"ip6[6] = 6",
	"ip6[7] = 64",
	"ip6[8:4] = 0x20010db8",
};

/*
 * Expressions that read payload, extension headers of IPv6, fragments, and bytes beyond the end of
 * packets.
 */
static const char *const deep[] = {
	"tcp[((tcp[12] & 0xf0) >> 2):4] = 0x47455420",
	"tcp[((tcp[12] & 0xf0) >> 2):4] = 0x48545450",
	"tcp[((tcp[12] & 0xf0) >> 2):1] = 0x16",
	"tcp[((tcp[12] & 0xf0) >> 2) + 5] = 1",
	"not tcp[((tcp[12] & 0xf0) >> 2):4] = 0x47455420",
	"tcp and ip[2:2] - ((ip[0] & 0xf) << 2) - ((tcp[12] & 0xf0) >> 2) != 0",
	"tcp[20:4] = 0x47455420",
	"tcp[20] = 0x16 and tcp[21] = 3",
	"tcp[20:2] = 0x0204",
	"tcp[100:4] != 0",
	"tcp[500] > 0",
	"not tcp[500] = 0",
	"tcp[1000:4] & 1 = 1",
	"udp[8:4] = 0",
	"udp[8:2] != 0",
	"udp[10] & 0x80 != 0",
	"udp[10:2] & 0x8000 = 0",
	"udp[12:2] = 1",
	"udp[20:4] > 1000",
	"udp[100] = 0",
	"udp[9:4] > udp[8:4]",
	"not udp[200:4] = 0",
	"icmp[8:4] != 0",
	"icmp[4:2] = 0",
	"icmp[28:2] = 80",
	"icmp[100] = 0x41",
	"ip[20:4] != 0",
	"ip[24:2] = 0",
	"ip[40:4] != 0",
	"ip[41] & 1 = 1",
	"ip[60:4] = 0",
	"ip[63:4] != 0",
	"ip[576] = 0",
	"ip[1400:4] != 0",
	"ip[ip[0] & 0xf] != 0",
	"ip[ip[3]] > 100",
	"ip[ip[9] + 10:2] > 0",
	"ip[4000000000] = 0",
	"ip[6:2] & 0x1fff = 0",
	"ip[6:2] & 0x1fff != 0",
	"ip[6:2] & 0x3fff != 0",
	"ip[6] & 0x20 != 0",
	"ip[6] & 0x40 != 0",
	"ip[6:2] & 0x1fff = 0 or ip6",
	"ip[6:2] & 0x1fff != 0 and ip[20:4] != 0",
	"udp and ip[6:2] & 0x3fff != 0",
	"ip6[6] = 44",
	"ip6 proto 44",
	"ip6[6] = 44 and ip6[42:2] & 0xfff8 != 0",
	"ip6[6] = 44 and ip6[40] = 17",
	"ip6[6] = 44 and ip6[43] & 1 = 0",
	"ip6[6] = 0",
	"ip6[6] = 0 and ip6[40] = 58",
	"ip6[6] = 60",
	"ip6[6] = 43",
	"ip6[40:2] = 80",
	"ip6[40:4] != 0",
	"ip6[ip6[6] + 40] = 6",
	"ip6[41] = 0 and ip6[6] = 0",
	"ip6[48:2] = 53",
	"ip6[100:4] != 0",
	"not ip6[1000] = 0",
	"ip6[6] = 6 and ip6[53] & 2 != 0",
	"icmp6[4:4] != 0",
	"tcp[tcp[12] >> 2 & 0x3c] = 0x50 or udp[8] = 1",
	"ip[2:2] / (ip[8] + 1) = 5",
	"len / ip[20] > 1",
	"ip[ip[20] / (ip[21] + 1)] = 0",
	"ip[2:2] << ip[8] != 0",
	"ip[2:2] >> ip[9] = 0",
	"len & ip[9] ^ ip[8] = 0x10",
	"((tcp[0:2] + tcp[2:2]) * (ip[8] + (ip[9] * (ip[1] + 1)))) & 1 = 0",
};

/* ------------------------------------------------------------------ the packets */

struct item {
	unsigned char *data; /* bytes of the packet, from the IP header on */
	uint32_t cap, wire;
};

static struct {
	struct item *v;
	size_t n, cap;
} items;

static void keep(const struct packet *p)
{
	const struct link_type *lt = link_type_find(p->iface->linktype);
	struct dissect d;
	struct item it;

	if (!lt || !lt->dissect)
		return;
	dissect_all(lt, p->data, p->caplen, p->wirelen, &d);
	if (d.net >= p->caplen || d.ethertype == ETHERTYPE_NONE)
		return;
	it.cap = p->caplen - d.net;
	it.wire = p->wirelen - d.net;
	it.data = xmalloc(it.cap);
	memcpy(it.data, p->data + d.net, it.cap);
	vec_push(&items, it);
}

static void read_capture(const char *path)
{
	struct diag d = {0};
	struct capture *c = capture_open(path, &d);
	enum capture_result r = CAPTURE_END;
	struct packet p;

	while (c && (r = capture_next(c, &p, &d)) > CAPTURE_END)
		if (r == CAPTURE_PACKET)
			keep(&p);
	if (c)
		capture_close(c);
	diag_release(&d);
}

/*
 * Reads the packets of all files that have "cap" in their names. A file that is no capture has no
 * packets.
 */
static void read_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	char path[4096];

	assert_non_null(dir);
	while ((e = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		if (strstr(e->d_name, "cap"))
			read_capture(path);
	}
	closedir(dir);
}

/* ------------------------------------------------------------------ the machine */

/* Indexes of the 8-byte words in the context of a run. */
enum { C_AT, C_LINEAR, C_LEN, C_WIRE, C_ALL, NCTX };

/*
 * Emits code that copies bytes of the second piece. Register *@ctx holds word C_ALL of the context,
 * the address of the whole packet.
 */
static void load_far(void *ctx, struct irb *b, int32_t slot, int off, int n, uint32_t max, int lost)
{
	int at = irb_bin(b, IR_ADD, *(int *)ctx, off), good = irb_block(b, "good"), r;

	(void)max;
	r = irb_call(b, IR_CALL, HELPER_probe_read_kernel, 3,
		     (struct ir_arg[]){{ARG_FRAME, 0, slot}, {ARG_REG, n, 0}, {ARG_REG, at, 0}});
	irb_bri(b, CC_EQ, r, 0, good, lost);
	irb_place(b, good);
}

static struct map_def maps[] = {
	{.kind = MAP_GLOBAL, .name = "global", .key_size = 4, .value_size = 64},
	{.kind = MAP_PERCPU, .name = "percpu", .key_size = 4, .value_size = sizeof(struct percpu)},
	{.kind = MAP_RING, .name = "ring", .max_entries = 4096},
};

/*
 * Makes a machine with a unit (eBPF program) that runs the program @cp over the packet in its
 * context.
 */
static struct vm *make(struct arena *a, const struct classic_program *cp, bool cut,
		       enum vm_mode mode)
{
	static struct kfunc none;
	static struct unit u;
	static struct program p;
	struct ir_target t = {.replay = true};
	struct ir_unit iru = {0};
	struct diag d = {0};
	struct classic_packet from = {0};
	struct irb b;
	struct vm *vm;
	int start, word[NCTX];

	irb_init(&b, a, "classic");
	for (int i = 0; i < NCTX; i++)
		word[i] = irb_load(&b, irb_ctx(&b), 8 * i, 8, false);
	start = irb_block(&b, "start");
	irb_jmp(&b, start);
	irb_place(&b, start);
	from.at = word[C_AT];
	from.linear = word[C_LINEAR];
	from.len = word[C_LEN];
	from.wire = word[C_WIRE];
	from.far = cut ? load_far : NULL;
	from.ctx = &word[C_ALL];
	classic_gen(&b, cp, &from);
	ir_prune(b.f);
	ir_check(b.f);
	ir_optimise(b.f);
	vec_apush(a, &iru.func, b.f);
	p = (struct program){.map = maps, .nmap = 3, .kfunc = &none, .unit = &u, .nunit = 1};
	ir_expand(&iru, &p, &t, 0);
	for (size_t i = 0; i < iru.func.n; i++) {
		ir_thread_jumps(iru.func.v[i]);
		ir_tidy(iru.func.v[i]);
		ir_check(iru.func.v[i]);
	}
	u = (struct unit){.hook = HOOK_RUN, .target = "test"};
	bpf_generate(a, &iru, &u.insn, &u.ninsn, &d);
	assert_null(d.nerr ? d.msg : NULL);
	vm = vm_new(&p, mode, &d);
	assert_null(d.nerr ? d.msg : NULL);
	return vm;
}

/* --------------------------------------------------------------------- the test */

static enum vm_mode mode = VM_CHECKED;
static size_t ntest, npass;

/*
 * Checks that the program passes the same packets as libpcap's interpreter. If @cut is set, packets
 * are in two pieces, and code can read only the first piece directly. If @brief is set, only some
 * bytes of each packet were captured.
 */
static void compare(const struct pcap_lib *lib, const char *text, struct bpf_program *prog,
		    bool cut, bool brief)
{
	struct classic_program cp = {(const struct classic_insn *)prog->bf_insns, prog->bf_len};
	struct record_sink k = {0};
	struct arena a;
	struct vm *vm;

	assert_int_equal(classic_check(&cp), CLASSIC_GOOD);
	arena_init(&a);
	vm = make(&a, &cp, cut, mode);
	for (size_t i = 0; i < items.n; i++) {
		const struct item *it = &items.v[i];
		uint32_t cap = brief ? (uint32_t)(i * 11 % (it->cap + 1)) : it->cap;
		uint32_t near = cut ? (uint32_t)(i * 7 % (cap + 1)) : cap;
		struct pcap_pkthdr h = {.caplen = cap, .len = it->wire};
		unsigned char *piece = xmalloc(near + 1);
		uint64_t ctx[NCTX] = {(uintptr_t)piece, near, cap, it->wire, (uintptr_t)it->data};
		bool want = lib->offline_filter(prog, &h, it->data) != 0;

		memcpy(piece, it->data, near);
		vm_region(vm, 0, piece, near);
		vm_region(vm, 1, it->data, cut ? cap : 0);
		if (vm_run(vm, 0, ctx, NCTX, &k) != want)
			fail_msg("%s: packet %zu of %u bytes, %u of them linear: should %s", text,
				 i, it->cap, near, want ? "pass" : "not pass");
		xfree(piece);
		ntest++;
		npass += want;
	}
	assert_int_equal(((const struct percpu *)vm_percpu(vm))->unreadable, 0);
	vm_free(vm);
	arena_release(&a);
}

static size_t test_expression(const struct pcap_lib *lib, const char *text)
{
	pcap_t *p = lib->open_dead(DLT_RAW, 1 << 18);
	size_t before = npass;

	for (int optimized = 0; optimized < 2; optimized++) {
		struct bpf_program prog;

		/* the optimizer refuses an expression that no packet can pass */
		if (lib->compile(p, &prog, text, optimized, PCAP_NETMASK_UNKNOWN)) {
			if (!optimized)
				fail_msg("%s: %s", text, lib->geterr(p));
			continue;
		}
		for (int way = 0; way < 4; way++)
			compare(lib, text, &prog, way & 1, way & 2);
		lib->freecode(&prog);
	}
	lib->close(p);
	return npass - before;
}

static const char *const *folders;
static int nfolder;

static void test_captures(void **state)
{
	struct diag d = {0};
	const struct pcap_lib *lib = pcap_lib("test", &d);
	size_t some = 0;

	(void)state;
	diag_release(&d);
	if (!lib)
		skip();
	for (int i = 0; i < nfolder; i++)
		read_folder(folders[i]);
	assert_true(items.n > 100);
	for (size_t i = 0; i < COUNT(shallow); i++)
		some += test_expression(lib, shallow[i]) > 0;
	for (size_t i = 0; i < COUNT(deep); i++)
		some += test_expression(lib, deep[i]) > 0;
	printf("%zu packets, %zu expressions, %zu of which some packet passes; %zu tests, %zu "
	       "passed\n",
	       items.n, COUNT(shallow) + COUNT(deep), some, ntest, npass);
	assert_true(COUNT(shallow) + COUNT(deep) >= 200 && COUNT(deep) >= 50);
	assert_true(some > 100);
	for (size_t i = 0; i < items.n; i++)
		xfree(items.v[i].data);
	vec_free(&items);
}

/* ------------------------------------------------------- programs that are refused */

#define INSN(code, jt, jf, k) {code, jt, jf, k}

static enum classic_verdict check(const struct classic_insn *v, uint32_t n)
{
	return classic_check(&(struct classic_program){v, n});
}

static void test_refused(void **state)
{
	static const struct {
		struct classic_insn insn[3];
		enum classic_verdict want;
	} t[] = {
		{{INSN(0x28, 0, 0, 0), INSN(0x15, 0, 0, 1), INSN(0x06, 0, 0, 1)}, CLASSIC_GOOD},
		{{INSN(0x05, 0, 0, 0xfffffffe), INSN(0x06, 0, 0, 1), INSN(0x06, 0, 0, 1)},
		 CLASSIC_LOOP},
		{{INSN(0x28, 0, 0, 0xfffff004), INSN(0x06, 0, 0, 1), INSN(0x06, 0, 0, 1)},
		 CLASSIC_EXTENSION},
		{{INSN(0x15, 2, 0, 0), INSN(0x06, 0, 0, 1), INSN(0x06, 0, 0, 1)}, CLASSIC_BAD},
		{{INSN(0x05, 0, 0, 2), INSN(0x06, 0, 0, 1), INSN(0x06, 0, 0, 1)}, CLASSIC_BAD},
		{{INSN(0x34, 0, 0, 0), INSN(0x06, 0, 0, 1), INSN(0x06, 0, 0, 1)}, CLASSIC_BAD},
		{{INSN(0x02, 0, 0, 16), INSN(0x06, 0, 0, 1), INSN(0x06, 0, 0, 1)}, CLASSIC_BAD},
		{{INSN(0xff, 0, 0, 0), INSN(0x06, 0, 0, 1), INSN(0x06, 0, 0, 1)}, CLASSIC_BAD},
		{{INSN(0x06, 0, 0, 1), INSN(0x06, 0, 0, 1), INSN(0x04, 0, 0, 1)}, CLASSIC_BAD},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++)
		assert_int_equal(check(t[i].insn, 3), t[i].want);
	assert_int_equal(check(t[0].insn, 0), CLASSIC_BAD);
}

/*
 * Runs the @n instructions @v over a packet and returns their result. The tests use this function
 * for instructions that libpcap never generates. The packet has 100 bytes, and the first 64 were
 * captured.
 */
static uint64_t run_insns(const struct classic_insn *v, uint32_t n)
{
	struct classic_program cp = {v, n};
	struct record_sink k = {0};
	unsigned char packet[64] = {0x45, 1, 2, 3, 4};
	uint64_t ctx[NCTX] = {(uintptr_t)packet, sizeof(packet), sizeof(packet), 100, 0}, r;
	struct arena a;
	struct vm *vm;

	assert_int_equal(classic_check(&cp), CLASSIC_GOOD);
	arena_init(&a);
	vm = make(&a, &cp, false, VM_CHECKED);
	vm_region(vm, 0, packet, sizeof(packet));
	r = vm_run(vm, 0, ctx, NCTX, &k);
	vm_free(vm);
	arena_release(&a);
	return r;
}

#define LOAD(n) INSN(0x00, 0, 0, n)  /* A = n */
#define LOADX(n) INSN(0x01, 0, 0, n) /* X = n */
#define PASS_IF(n) INSN(0x15, 0, 1, n), INSN(0x06, 0, 0, 1), INSN(0x06, 0, 0, 0)
#define RUN(...) \
	run_insns((struct classic_insn[]){__VA_ARGS__}, \
		  (uint32_t)COUNT(((struct classic_insn[]){__VA_ARGS__})))

static void test_operations(void **state)
{
	(void)state;
	assert_true(RUN(LOAD(0x80000000), INSN(0x04, 0, 0, 0x80000001), PASS_IF(1)));  /* + */
	assert_true(RUN(LOAD(1), LOADX(2), INSN(0x1c, 0, 0, 0), PASS_IF(0xffffffff))); /* - x */
	assert_true(RUN(LOAD(0x10001), INSN(0x24, 0, 0, 0x10000), PASS_IF(0x10000)));  /* * */
	assert_true(RUN(LOAD(0xfffffffe), LOADX(2), INSN(0x3c, 0, 0, 0), PASS_IF(0x7fffffff)));
	assert_false(RUN(LOAD(5), LOADX(0), INSN(0x3c, 0, 0, 0), INSN(0x06, 0, 0, 1))); /* / 0 */
	assert_false(RUN(LOAD(5), LOADX(0), INSN(0x9c, 0, 0, 0), INSN(0x06, 0, 0, 1))); /* % 0 */
	assert_true(RUN(LOAD(17), LOADX(5), INSN(0x9c, 0, 0, 0), PASS_IF(2)));          /* % x */
	assert_true(
		RUN(LOAD(0x81), LOADX(31), INSN(0x6c, 0, 0, 0), PASS_IF(0x80000000))); /* << x */
	assert_true(RUN(LOAD(0x81), LOADX(32), INSN(0x6c, 0, 0, 0), PASS_IF(0)));
	assert_true(RUN(LOAD(0x80000000), LOADX(31), INSN(0x7c, 0, 0, 0), PASS_IF(1))); /* >> x */
	assert_true(RUN(LOAD(0x80000000), LOADX(64), INSN(0x7c, 0, 0, 0), PASS_IF(0)));
	assert_true(RUN(LOAD(1), INSN(0x84, 0, 0, 0), PASS_IF(0xffffffff)));  /* - */
	assert_true(RUN(LOAD(6), LOADX(3), INSN(0xac, 0, 0, 0), PASS_IF(5))); /* ^ x */
	assert_true(RUN(LOAD(6), LOADX(3), INSN(0x4c, 0, 0, 0), PASS_IF(7))); /* | x */
	assert_true(RUN(LOAD(6), LOADX(3), INSN(0x5c, 0, 0, 0), PASS_IF(2))); /* & x */
	assert_true(RUN(LOADX(9), INSN(0x87, 0, 0, 0), PASS_IF(9)));          /* A = X */
	/* X = A; a store to memory and a load from memory, whose words are 0 at first */
	assert_true(RUN(LOAD(7), INSN(0x07, 0, 0, 0), INSN(0x03, 0, 0, 15), LOAD(0),
			INSN(0x60, 0, 0, 15), PASS_IF(7)));
	assert_true(RUN(INSN(0x60, 0, 0, 3), PASS_IF(0)));
	assert_true(RUN(LOAD(7), INSN(0x02, 0, 0, 2), INSN(0x61, 0, 0, 2), INSN(0x87, 0, 0, 0),
			PASS_IF(7)));
	assert_true(RUN(INSN(0x80, 0, 0, 0), PASS_IF(100))); /* len */
	assert_true(RUN(INSN(0x81, 0, 0, 0), INSN(0x87, 0, 0, 0), PASS_IF(100)));
	assert_true(RUN(INSN(0xb1, 0, 0, 0), INSN(0x87, 0, 0, 0), PASS_IF(20))); /* msh */
	/* X + k does not wrap around, and so is beyond the packet */
	assert_false(RUN(LOADX(0xffffffff), INSN(0x50, 0, 0, 1), INSN(0x06, 0, 0, 1)));
	assert_true(RUN(LOADX(3), INSN(0x50, 0, 0, 1), PASS_IF(4)));
	/* returns A; registers are 0 at first; a jump skips code that is never reached */
	assert_true(RUN(LOAD(7), INSN(0x16, 0, 0, 0)));
	assert_false(RUN(INSN(0x16, 0, 0, 0)));
	assert_true(RUN(INSN(0x05, 0, 0, 1), INSN(0x06, 0, 0, 0), INSN(0x06, 0, 0, 1)));
}

int main(int argc, char **argv)
{
	static const char *const ours[] = {"tests/pcap"};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_operations),
		cmocka_unit_test(test_captures),
	};

	folders = argc > 1 ? (const char *const *)argv + 1 : ours;
	nfolder = argc > 1 ? argc - 1 : 1;
	mode = argc > 1 ? VM_NATIVE : VM_CHECKED;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else /* built without the header: libpcap-dev */

int main(void)
{
	return 0;
}
#endif
