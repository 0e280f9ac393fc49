/*
 * usyms.h - finds the names of addresses in processes.
 *
 * A process may have ended when its addresses are printed. So its mappings are recorded while it is
 * running. The recorded mappings take at most 48 MB; those of the oldest processes are forgotten
 * first.
 */
#ifndef CONSUMER_SYMBOLS_USYMS_H
#define CONSUMER_SYMBOLS_USYMS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct strbuf;

/* How much of a name such as object`name+0x1f is printed. */
enum usym_detail { USYM_OBJECT, USYM_NAME, USYM_OFFSET };

struct diag;
struct program;

/*
 * Prepares for printing addresses of processes, if @p prints any. Starts the process that reads
 * symbols. Also starts to record the mappings of all processes, including short-lived ones. Call
 * this function before @p runs. Returns false with the error in @d if the process that reads
 * symbols cannot be confined.
 */
bool usyms_start(const struct program *p, struct diag *d);

/*
 * In this and the next functions, @process is as in struct uaddr: a PID and the mark of an address
 * space, which may be 0. Records the current mappings of the process. Does nothing if the mappings
 * of that process were recorded before.
 */
void usyms_remember(uint64_t process);

/*
 * Says that the addresses of the following calls of usym_text() were recorded after @from, a time
 * of now_monotonic(). 0, as at the start, stands for any time of the run.
 */
void usyms_window(uint64_t from);

/* Lets usym_text() print numbers while *@signals is 2 or more. */
void usyms_interrupt(const volatile sig_atomic_t *signals);

/*
 * Appends the name of @addr in the process, such as "object`name+0x1f". If the object has no symbol
 * at @addr, the name is "object`0x1234". If nothing is mapped at @addr, or if it is unknown which
 * of several files was mapped there at the time, the name is "0x1234". The first call for an object
 * reads its symbols.
 */
void usym_text(uint64_t process, uint64_t addr, enum usym_detail detail, struct strbuf *out);

/*
 * Makes later calls of usym_text() print numbers for processes whose mappings have not been
 * recorded.
 */
void usyms_numbers_only(void);

#endif
