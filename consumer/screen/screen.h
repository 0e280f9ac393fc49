/* screen.h - draws text on a terminal. ncurses is loaded when it is first needed. */
#ifndef CONSUMER_SCREEN_SCREEN_H
#define CONSUMER_SCREEN_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct diag;
struct screen;

enum screen_style { SCREEN_PLAIN, SCREEN_DIM, SCREEN_BOLD, SCREEN_REVERSE };

/* Results of screen_key() that are not characters. */
enum screen_key {
	SCREEN_NONE = -1,      /* no key was pressed */
	SCREEN_RESIZED = 1000, /* the size of the terminal has changed */
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
 * Opens the terminal of this process but does not change it yet. Reads the terminal's description
 * now, so that no file has to be opened later. Returns NULL with the error in @d if there is no
 * terminal or no ncurses, or if ncurses does not know the terminal. The caller frees the result
 * with screen_free().
 */
struct screen *screen_new(struct diag *d);

/*
 * screen_begin() switches the terminal to full-screen mode, and screen_end() back to the mode that
 * it had before.
 */
void screen_begin(struct screen *s);
void screen_end(struct screen *s);
void screen_free(struct screen *s);

/*
 * Restores the terminal without ncurses, if a screen is open. Signal handlers may call this
 * function.
 */
void screen_restore(void);

/* Returns a descriptor that is readable when a key was pressed. */
int screen_fd(const struct screen *s);

/*
 * Returns the next key, or SCREEN_NONE if no key was pressed. A special key that enum screen_key
 * does not have gives 0. Does not wait.
 */
int screen_key(struct screen *s);

/* Sets *@lines and *@columns to the size of the terminal, which may change at any time. */
void screen_size(const struct screen *s, int *lines, int *columns);

/*
 * Functions to draw. Clear the screen, put text on it, and then show all of the text with one call.
 * screen_put() cuts the text of @n bytes at the end of the line.
 */
void screen_clear(struct screen *s);
void screen_put(struct screen *s, int line, int column, enum screen_style style, const char *text,
		size_t n);
void screen_show(struct screen *s);

#endif
