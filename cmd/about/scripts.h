/*
 * scripts.h - the scripts that are installed: where they are, what each is for.
 *
 * A script says itself what it is for, in the comment that it begins with: the first line is
 * "NAME.d - text", behind it stand its usage and what else is to be known.
 */
#ifndef CMD_ABOUT_SCRIPTS_H
#define CMD_ABOUT_SCRIPTS_H

#include <stdbool.h>
#include <stdio.h>

/*
 * The directory of the scripts, beside the command: "scripts" where it was built, SCRIPT_DIR (of
 * CMakeLists.txt) from where it is installed.  NULL: there is none.  Lives as long as the process.
 */
const char *script_dir(void);

/*
 * The path of script @name, with or without its ".d"; NULL: there is none.  The caller's to free.
 */
char *script_find(const char *name);

/*
 * The name of the script that @name, which is none, may have been meant to be; NULL: of none.  The
 * caller's to free.
 */
char *script_near(const char *name);

/*
 * A line for each script whose line contains @word in any case, by name.  False: there is none, no
 * directory of scripts, or none can be read.
 */
bool script_list(const char *word, FILE *to);

/*
 * What the comment of the script at @path says of it, as text.  False: it cannot be read, or says
 * nothing.
 */
bool script_usage(const char *path, FILE *to);

/*
 * The line of that comment that says how the script is used, "usage: dtrace tcptop ...".  NULL: it
 * has none.  The caller's to free.
 */
char *script_synopsis(const char *path);

#endif
