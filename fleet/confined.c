/* confined.c - the rights that a client of a server keeps. */
#include "fleet/confined.h"

#include <sodium.h>
#include <time.h>

#include "sandbox/confine.h"

#define DATA_BYTES (512ull << 20)

bool confine_client(enum confined kind, struct strbuf *wrong)
{
	const struct confinement c = {
		.calls = CALLS_BASE | CALLS_MESSAGES | CALLS_CONNECT,
		.data_bytes = kind == CONFINED_ALONE ? DATA_BYTES : 0,
		.connects = true,
	};

	tzset(); /* reads the file of the time zone, which the process cannot open later */
	if (sodium_init() < 0) {
		strbuf_adds(wrong, "libsodium does not work");
		return false;
	}
	if (confine(&c, wrong))
		return true;
	strbuf_adds(wrong, " (dtrace-fleet gives up its rights before it reads messages)");
	return false;
}
