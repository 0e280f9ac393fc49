/*
 * pcap_lib.c - libpcap, which is loaded when a run wants it.
 */
#include "replay/pcap_lib.h"

#ifdef HAVE_PCAP
#include <dlfcn.h>
#include <stddef.h>

#include "base/diag.h"

static struct pcap_lib lib;

static const struct { const char *name; void **to; } names[] = {
#define X(name) {"pcap_" #name, (void **)&lib.name},
	PCAP_FUNCTIONS(X)
#undef X
};

/* Debian's name, then that of others. */
static void *open_library(void)
{
	void *so = dlopen("libpcap.so.0.8", RTLD_NOW | RTLD_LOCAL);

	return so ? so : dlopen("libpcap.so.1", RTLD_NOW | RTLD_LOCAL);
}

const struct pcap_lib *pcap_lib(const char *why, struct diag *d)
{
	void *so = open_library();

	for (size_t i = 0; so && i < sizeof(names) / sizeof(*names); i++) {
		*names[i].to = dlsym(so, names[i].name);
		if (!*names[i].to)
			so = NULL;
	}
	if (!so)
		diag_error(d, D_SYS, NOLOC, "%s: that takes libpcap, which cannot be loaded (package libpcap0.8)", why);
	return so ? &lib : NULL;
}
#endif
