/*
 * usyms.h - names of addresses in processes.
 *
 * A process may have ended when its addresses are printed, so its mappings are noted while it
 * lives.  At most 48 MB of mappings are kept; the oldest processes are forgotten first.
 */
#ifndef CONSUMER_SYMBOLS_USYMS_H
#define CONSUMER_SYMBOLS_USYMS_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

/* How much of object`name+0x1f to print. */
enum usym_detail { USYM_OBJECT, USYM_NAME, USYM_OFFSET };

struct diag;
struct program;

/*
 * To be called before @p runs.  If @p prints addresses of processes, starts the process that reads
 * symbols, and starts to note what processes map, also short-lived ones.  Returns false with the
 * error in @d if the process that reads symbols cannot be confined.
 */
bool usyms_start(const struct program *p, struct diag *d);

/* Notes what process @pid has mapped. Does nothing if its mappings were noted before. */
void usyms_remember(uint64_t pid);

/* Starts to note what process @pid maps.  To be called before the process starts to run. */
void usyms_watch(uint64_t pid);

/*
 * Appends the name of @addr in process @pid: "object`name+0x1f"; "object`0x1234" if the object has
 * no symbol there; "0x1234" if nothing is mapped there.  The first call for an object reads its
 * symbols.
 */
void usym_text(uint64_t pid, uint64_t addr, enum usym_detail detail, struct strbuf *out);

/* From now on, usym_text() prints numbers for processes that have not been noted yet. */
void usyms_numbers_only(void);

#endif
