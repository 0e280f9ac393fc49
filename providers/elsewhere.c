/*
 * elsewhere.c - probes of other systems for which Linux has no event, and modules of other systems.
 *
 * If a program names such a probe, the error says what Linux lacks. Otherwise users would look for
 * a misspelling. A module of another system means any module.
 */
#include <stddef.h>
#include <string.h>

#include "base/glob.h"
#include "providers/provider.h"

/* The first matching row of a provider applies. Names may be patterns. */
static const struct {
	const char *prov, *names, *lacks;
} rows[] = {
	{"lockstat", "*-acquire *-release *-upgrade *-downgrade thread-spin",
	 "an event for taking and releasing locks: only waiting for a lock has one"},
	{"mib", "ipReasm* ipFrag* ipv6Reasm* ipv6Frag*",
	 "an event for fragments and their reassembly"},
	{"mib", "ipInDiscards ipOutDiscards ipv6InDiscards ipv6OutDiscards icmp*Errors",
	 "an event for this kind of discard or error"},
	{"mib",
	 "tcpCurrEstab tcpInDup* tcpIn*Dup* tcpRtt* tcpTim* "
	 "tcpInUnorder* tcpInPast* tcpInAck* tcpOutAck* tcpOutWin*",
	 "an event for this counter of TCP"},
	{"proc", "signal-clear", "an event for a signal that sigwait() accepts"},
	{"sched", "surrender", "a separate event for this: sched:::preempt fires"},
	{"sched", "schedctl-* cpucaps-*", "this feature in its scheduler"},
	{"sched", "lend-pri", "a separate event for this: sched:::change-pri fires"},
	{"sched", "load-change",
	 "a stable event for this: rawtp:::sched_update_nr_running_tp fires"},
	{"sysinfo", "cpu_ticks_* wait_ticks_*",
	 "an event for each kind of tick: sched:::tick fires at all ticks"},
	{"sysinfo",
	 "bawrite canch intrblk lread lwrite mdmint namei outch phread phwrite procovf rawch "
	 "rcvint trap ufs* xmtint",
	 "a separate event for this"},
	{"vminfo", "swapin swapout", "swapping of whole processes"},
	{"vminfo",
	 "anonfree anonpgin anonpgout dfree execfree execpgin execpgout fsfree pgswapin pgswapout",
	 "an event for this kind of page"},
	{"vminfo", "cow_fault pgfrec pgrec rev softlock zfod",
	 "an event for this kind of page fault"},
};

/* Returns whether one of the patterns in @words, separated by blanks, matches the name. */
static bool is_of(const char *words, const char *name)
{
	char word[40];
	size_t n;

	for (; *words; words += n + strspn(words + n, " ")) {
		n = strcspn(words, " ");
		if (n >= sizeof(word))
			continue;
		memcpy(word, words, n);
		word[n] = 0;
		if (glob_match(word, name))
			return true;
	}
	return false;
}

bool module_elsewhere(const char *prov, const char *mod)
{
	/* providers, and the modules that have their probes on illumos, macOS and FreeBSD */
	static const char *const modules[][2] = {
		{"*", "genunix unix mach_kernel"},
		{"ip icmp tcp udp udplite mib", "ip tcp udp"},
		{"syscall", "freebsd"},
	};

	for (size_t i = 0; i < sizeof(modules) / sizeof(*modules); i++)
		if (is_of(modules[i][0], prov) && is_of(modules[i][1], mod))
			return true;
	return false;
}

const char *probe_elsewhere(const char *prov, const char *name)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(prov, rows[i].prov) && is_of(rows[i].names, name))
			return rows[i].lacks;
	return NULL;
}
