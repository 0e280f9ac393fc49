/*
 * screen.h - a terminal, as whole lines of text that change: ncurses, loaded when it is wanted.
 */
#ifndef CONSUMER_SCREEN_SCREEN_H
#define CONSUMER_SCREEN_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct diag;
struct screen;

enum screen_style { SCREEN_PLAIN, SCREEN_DIM, SCREEN_BOLD, SCREEN_REVERSE };

/* Keys beside characters. */
enum screen_key {
	SCREEN_NONE = -1,
	SCREEN_RESIZED = 1000, /* no key: the terminal has another size */
	SCREEN_UP,
	SCREEN_DOWN,
	SCREEN_LEFT,
	SCREEN_RIGHT,
	SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN,
	SCREEN_HOME,
	SCREEN_END,
	SCREEN_BACK_TAB,
	SCREEN_BACKSPACE,
};

/*
 * The terminal that we are at, not yet taken; NULL with the error in @d: there is none, or no
 * library. Reads what is known of terminals: afterwards no file is opened.
 */
struct screen *screen_new(struct diag *d);

/* Takes the terminal; gives it back as it was. */
void screen_begin(struct screen *s);
void screen_end(struct screen *s);
void screen_free(struct screen *s);

/*
 * Gives back whatever terminal is taken, from wherever the process is.  Also called when it dies of
 * a fault.
 */
void screen_restore(void);

/* What can be waited for; the next key, SCREEN_NONE if there is none. */
int screen_fd(const struct screen *s);
int screen_key(struct screen *s);

/* As it is now: it may change at any time. */
void screen_size(const struct screen *s, int *lines, int *columns);

/* An empty screen; text on it, cut where the line ends; all of it at once to the terminal. */
void screen_clear(struct screen *s);
void screen_put(struct screen *s, int line, int column, enum screen_style style, const char *text,
		size_t n);
void screen_show(struct screen *s);

#endif
