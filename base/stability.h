/*
 * stability.h - D's stability attributes, such as "Evolving/Evolving/ISA".
 *
 * An attribute has three parts: the stability of the name, the stability of the data, and the class
 * of machines on which both hold. An expression is as stable as the least stable name in it.
 * Source: the DTrace guide, chapter "Stability".
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

/*
 * Common attributes. STABLE_COMMON is for D itself, EVOLVING_... and UNSTABLE_... are for providers
 * that may still change, and PRIVATE_... for private interfaces.
 */
#define STABLE_COMMON ((struct stability){ST_STABLE, ST_STABLE, STC_COMMON})
#define EVOLVING_COMMON ((struct stability){ST_EVOLVING, ST_EVOLVING, STC_COMMON})
#define EVOLVING_ISA ((struct stability){ST_EVOLVING, ST_EVOLVING, STC_ISA})
#define UNSTABLE_COMMON ((struct stability){ST_UNSTABLE, ST_UNSTABLE, STC_COMMON})
#define PRIVATE_ISA ((struct stability){ST_PRIVATE, ST_PRIVATE, STC_ISA})
#define PRIVATE_UNKNOWN ((struct stability){ST_PRIVATE, ST_PRIVATE, STC_UNKNOWN})

/*
 * The attributes of a provider's probes: one for each field of a description, and one for args[].
 */
enum { STP_PROVIDER, STP_MODULE, STP_FUNCTION, STP_NAME, STP_ARGS, STP_PARTS };

struct provider_stability {
	struct stability part[STP_PARTS];
};

/* Returns the lower of @a and @b, separately for each of the three parts. */
struct stability stability_min(struct stability a, struct stability b);

/* Returns whether each part of @a is at least as high as the same part of @least. */
bool stability_reaches(struct stability a, struct stability least);

/*
 * Return the name of a level ("Evolving") or of a class ("ISA"), in the spelling that
 * stability_parse() reads.
 */
const char *stability_level_name(unsigned level);
const char *stability_class_name(unsigned class);

/* Reads "Name/Data/Class". Returns false if @text has another form or an unknown word. */
bool stability_parse(const char *text, struct stability *out);

/*
 * Converts a word of #pragma D attributes ("provider", "module" ...) to STP_PROVIDER and so on.
 * Returns -1 for other words.
 */
int stability_part(const char *name);

#endif
