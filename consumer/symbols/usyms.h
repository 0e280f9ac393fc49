/*
 * usyms.h - which function of a process an address is in.
 */
#ifndef CONSUMER_SYMBOLS_USYMS_H
#define CONSUMER_SYMBOLS_USYMS_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

/* How much of object`name+0x1f is wanted. */
enum usym_detail { USYM_OBJECT, USYM_NAME, USYM_OFFSET };

struct diag;
struct program;

/*
 * Before @p runs: if it shows addresses of processes, what they map from now on is noted, also by
 * processes that are gone before usyms_remember().  False, with the error in @d: the process that
 * is to read their files cannot be confined.
 */
bool usyms_start(const struct program *p, struct diag *d);

/*
 * Notes what process @pid has mapped, unless that was done before: as long as it lives.
 * Names are found afterwards, too.
 */
void usyms_remember(uint64_t pid);

/*
 * Process @pid is about to begin: what it maps is noted as it does so, and seen when it is asked
 * for.
 */
void usyms_watch(uint64_t pid);

/*
 * Appends the name of @addr in process @pid; "object`0x1234" where the object has no symbol
 * there, "0x1234" where there is none.  Reads the object's symbols when they are first wanted.
 */
void usym_text(uint64_t pid, uint64_t addr, enum usym_detail detail, struct strbuf *out);

/* From here on no process is looked at: addresses are shown as numbers. */
void usyms_numbers_only(void);

#endif
