/*
 * stability.h - how far a name can be relied on: D's attributes, "Evolving/Evolving/ISA".
 *
 * Each is of three parts: that the name stays, that what it gives means the same, and on which
 * machines.  What is made of several names can be relied on as far as the least of them.
 */
#ifndef BASE_STABILITY_H
#define BASE_STABILITY_H

#include <stdbool.h>
#include <stdint.h>

enum stability_level {
	ST_INTERNAL,
	ST_PRIVATE,
	ST_OBSOLETE,
	ST_EXTERNAL,
	ST_UNSTABLE,
	ST_EVOLVING,
	ST_STABLE,
	ST_STANDARD,
};

enum stability_class { STC_UNKNOWN, STC_CPU, STC_PLATFORM, STC_GROUP, STC_ISA, STC_COMMON };

struct stability {
	uint8_t name, data; /* enum stability_level */
	uint8_t class;      /* enum stability_class */
};

/* What D itself gives, what is about to settle, and what nobody should count on. */
#define STABLE_COMMON ((struct stability){ST_STABLE, ST_STABLE, STC_COMMON})
#define EVOLVING_COMMON ((struct stability){ST_EVOLVING, ST_EVOLVING, STC_COMMON})
#define EVOLVING_ISA ((struct stability){ST_EVOLVING, ST_EVOLVING, STC_ISA})
#define UNSTABLE_COMMON ((struct stability){ST_UNSTABLE, ST_UNSTABLE, STC_COMMON})
#define PRIVATE_ISA ((struct stability){ST_PRIVATE, ST_PRIVATE, STC_ISA})
#define PRIVATE_UNKNOWN ((struct stability){ST_PRIVATE, ST_PRIVATE, STC_UNKNOWN})

/* Of a provider's probes: the four fields of a description, and args[]. */
enum { STP_PROVIDER, STP_MODULE, STP_FUNCTION, STP_NAME, STP_ARGS, STP_PARTS };

struct provider_stability {
	struct stability part[STP_PARTS];
};

/* Part by part the lesser. */
struct stability stability_min(struct stability a, struct stability b);

/* Is no part of @a less than that of @least? */
bool stability_reaches(struct stability a, struct stability least);

/* "Evolving", "ISA" ...: as stability_parse() reads them. */
const char *stability_level_name(unsigned level);
const char *stability_class_name(unsigned class);

/* Reads "Name/Data/Class". */
bool stability_parse(const char *text, struct stability *out);

/* "provider", "module" ... of a pragma to STP_PROVIDER ...; -1: none of them. */
int stability_part(const char *name);

#endif
