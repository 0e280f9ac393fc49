/*
 * screen.c - draws text on a terminal with ncurses.
 *
 * ncurses writes to a descriptor of its own. So other output to the terminal can be held back while
 * the screen is open. If a signal ends the process, a handler restores the terminal.
 */
#include "consumer/screen/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/library.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "consumer/oformat/pictures/label.h"

#if __has_include(<curses.h>)
#define NCURSES_NOMACROS 1
#include <curses.h>
#undef getmaxx
#undef getmaxy

#define LIBRARY "libncursesw.so.6"

/* The functions and the variable of ncurses that are used here. */
#define LIB(name) __typeof__(name) *name
static struct {
	LIB(newterm);
	LIB(endwin);
	LIB(delscreen);
	LIB(cbreak);
	LIB(noecho);
	LIB(keypad);
	LIB(nodelay);
	LIB(wgetch);
	LIB(werase);
	LIB(wclear);
	LIB(reset_prog_mode);
	LIB(wmove);
	LIB(waddnstr);
	LIB(wattrset);
	LIB(wnoutrefresh);
	LIB(doupdate);
	LIB(curs_set);
	LIB(getmaxx);
	LIB(getmaxy);
	LIB(set_escdelay);
	char *(*tigetstr)(const char *name);
	WINDOW **window;
} nc;

static bool load(void)
{
#define ROW(n) {#n, (void **)&nc.n}
	static const struct library_symbol names[] = {
		ROW(newterm),         ROW(endwin),
		ROW(delscreen),       ROW(cbreak),
		ROW(noecho),          ROW(keypad),
		ROW(nodelay),         ROW(wgetch),
		ROW(werase),          ROW(wclear),
		ROW(reset_prog_mode), ROW(wmove),
		ROW(waddnstr),        ROW(wattrset),
		ROW(wnoutrefresh),    ROW(doupdate),
		ROW(curs_set),        ROW(getmaxx),
		ROW(getmaxy),         ROW(set_escdelay),
		ROW(tigetstr),        {"stdscr", (void **)&nc.window},
	};
#undef ROW

	return library_load(LIBRARY, names, sizeof(names) / sizeof(*names));
}

struct screen {
	SCREEN *screen;
	FILE *in, *out;
	bool utf8;  /* the terminal shows UTF-8 */
	bool taken; /* screen_begin() was called, and screen_end() was not */
};

/* ------------------------------------------------------------------- fatal signals */

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGSYS};

/* Data for the signal handler, which restores the terminal. screen_begin() sets it. */
static struct {
	volatile sig_atomic_t taken;
	int fd;
	struct termios as_it_was;
	char text[128]; /* escape sequences that restore the terminal */
	size_t n;
} saved;

void screen_restore(void)
{
	ssize_t done;

	if (!saved.taken)
		return;
	saved.taken = 0;
	done = write(saved.fd, saved.text, saved.n);
	(void)done;
	tcsetattr(saved.fd, TCSANOW, &saved.as_it_was);
}

/*
 * Restores the terminal and ends the process with the signal @sig. SA_RESETHAND has removed this
 * handler, so raise() ends the process. If a system-call filter forbids raise(), _exit() ends it.
 */
static void on_fatal_signal(int sig)
{
	screen_restore();
	raise(sig);
	_exit(128 + sig);
}

static void save_sequence(const char *name)
{
	const char *s = nc.tigetstr(name);
	size_t n = s && s != (const char *)-1 ? strlen(s) : 0;

	if (n > sizeof(saved.text) - saved.n)
		return;
	memcpy(saved.text + saved.n, s, n);
	saved.n += n;
}

static void set_fatal_handler(void (*handler)(int))
{
	struct sigaction sa = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};

	for (size_t i = 0; i < sizeof(fatal_signals) / sizeof(*fatal_signals); i++)
		sigaction(fatal_signals[i], &sa, NULL);
	signal(SIGTSTP, handler == SIG_DFL ? SIG_DFL : SIG_IGN);
}

/* -------------------------------------------------------------------------- opening */

/*
 * Opens a duplicate of the standard stream @standard if that is a terminal. Otherwise opens the
 * controlling terminal.
 */
static FILE *terminal(int standard, int flags, const char *mode)
{
	int fd = isatty(standard) ? fcntl(standard, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
				  : open("/dev/tty", flags | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, mode);

	if (fd >= 0 && !f)
		close(fd);
	return f;
}

static int report_failure(struct diag *d, const char *why)
{
	return diag_error(d, D_SYS, NOLOC, "failed to set -x view: %s", why);
}

static int open_terminal(struct screen *s, struct diag *d)
{
	const char *term = getenv("TERM");

	s->in = terminal(STDIN_FILENO, O_RDONLY, "r");
	s->out = terminal(STDOUT_FILENO, O_WRONLY, "w");
	if (!s->in || !s->out)
		return report_failure(d, "there is no terminal");
	if (!load())
		return library_missing(d, D_SYS, NOLOC, "-x view", LIBRARY);
	tcgetattr(fileno(s->out), &saved.as_it_was);
	setlocale(LC_CTYPE, "");
	s->utf8 = MB_CUR_MAX > 1;
	s->screen = nc.newterm(NULL, s->out, s->in);
	/*
	 * newterm() changes the terminal's mode, which only screen_begin() may do. So restore the
	 * mode.
	 */
	tcsetattr(fileno(s->out), TCSANOW, &saved.as_it_was);
	if (!s->screen)
		return diag_error(d, D_SYS, NOLOC,
				  "failed to set -x view: ncurses does not know the terminal "
				  "TERM=%s",
				  term ? term : "");
	return 0;
}

struct screen *screen_new(struct diag *d)
{
	struct screen *s = xcalloc(1, sizeof(*s));

	if (!open_terminal(s, d))
		return s;
	screen_free(s);
	return NULL;
}

void screen_free(struct screen *s)
{
	if (!s)
		return;
	screen_end(s);
	if (s->screen)
		nc.delscreen(s->screen);
	if (s->in)
		fclose(s->in);
	if (s->out)
		fclose(s->out);
	xfree(s);
}

void screen_begin(struct screen *s)
{
	saved.fd = fileno(s->out);
	saved.n = 0;
	save_sequence("sgr0");
	save_sequence("rmkx");
	save_sequence("cnorm");
	save_sequence("rmcup");
	saved.taken = 1;
	set_fatal_handler(on_fatal_signal);
	nc.reset_prog_mode();
	nc.cbreak();
	nc.noecho();
	nc.keypad(*nc.window, TRUE);
	nc.nodelay(*nc.window, TRUE);
	nc.set_escdelay(25);
	nc.curs_set(0);
	s->taken = true;
}

void screen_end(struct screen *s)
{
	if (!s->taken)
		return;
	nc.endwin();
	fflush(s->out);
	screen_restore();
	set_fatal_handler(SIG_DFL);
	s->taken = false;
}

/* ----------------------------------------------------------------------------- using */

int screen_fd(const struct screen *s)
{
	return fileno(s->in);
}

int screen_key(struct screen *s)
{
	static const struct {
		int theirs, ours;
	} keys[] = {
		{ERR, SCREEN_NONE},          {KEY_RESIZE, SCREEN_RESIZED},
		{KEY_UP, SCREEN_UP},         {KEY_DOWN, SCREEN_DOWN},
		{KEY_LEFT, SCREEN_LEFT},     {KEY_RIGHT, SCREEN_RIGHT},
		{KEY_PPAGE, SCREEN_PAGE_UP}, {KEY_NPAGE, SCREEN_PAGE_DOWN},
		{KEY_HOME, SCREEN_HOME},     {KEY_END, SCREEN_END},
		{KEY_BTAB, SCREEN_BACK_TAB}, {KEY_BACKSPACE, SCREEN_BACKSPACE},
		{0x7f, SCREEN_BACKSPACE},    {'\b', SCREEN_BACKSPACE},
	};
	int k = nc.wgetch(*nc.window);

	(void)s;
	if (k == KEY_RESIZE) /* the contents of the terminal are unknown after a resize */
		nc.wclear(*nc.window);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i].theirs == k)
			return keys[i].ours;
	return k > 0xff ? 0 : k;
}

void screen_size(const struct screen *s, int *lines, int *columns)
{
	(void)s;
	*lines = nc.getmaxy(*nc.window);
	*columns = nc.getmaxx(*nc.window);
}

void screen_clear(struct screen *s)
{
	(void)s;
	nc.werase(*nc.window);
}

/* Puts the text on the screen, with a question mark for each character that is not ASCII. */
static void put_ascii(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i += label_cut(text + i, n - i, 1)) {
		char c = (unsigned char)text[i] > 0x7f ? '?' : text[i];

		nc.waddnstr(*nc.window, &c, 1);
	}
}

void screen_put(struct screen *s, int line, int column, enum screen_style style, const char *text,
		size_t n)
{
	static const int attributes[] = {A_NORMAL, A_DIM, A_BOLD, A_REVERSE};
	int lines, columns;

	screen_size(s, &lines, &columns);
	if (line < 0 || line >= lines || column >= columns ||
	    nc.wmove(*nc.window, line, column) == ERR)
		return;
	n = label_cut(text, n, (size_t)(columns - column));
	nc.wattrset(*nc.window, attributes[style]);
	if (s->utf8)
		nc.waddnstr(*nc.window, text, (int)n);
	else
		put_ascii(text, n);
	nc.wattrset(*nc.window, A_NORMAL);
}

void screen_show(struct screen *s)
{
	nc.wnoutrefresh(*nc.window);
	nc.doupdate();
	fflush(s->out);
}

#else /* built without the header of libncurses-dev */

struct screen *screen_new(struct diag *d)
{
	diag_error(d, D_SYS, NOLOC,
		   "failed to set -x view: this dtrace was built without libncurses-dev");
	return NULL;
}

void screen_begin(struct screen *s)
{
	(void)s;
}

void screen_end(struct screen *s)
{
	(void)s;
}

void screen_free(struct screen *s)
{
	(void)s;
}

void screen_restore(void)
{
}

int screen_fd(const struct screen *s)
{
	(void)s;
	return -1;
}

int screen_key(struct screen *s)
{
	(void)s;
	return SCREEN_NONE;
}

void screen_size(const struct screen *s, int *lines, int *columns)
{
	(void)s;
	*lines = *columns = 0;
}

void screen_clear(struct screen *s)
{
	(void)s;
}

void screen_put(struct screen *s, int line, int column, enum screen_style style, const char *text,
		size_t n)
{
	(void)s, (void)line, (void)column, (void)style, (void)text, (void)n;
}

void screen_show(struct screen *s)
{
	(void)s;
}
#endif
