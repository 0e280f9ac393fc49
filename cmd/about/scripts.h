/*
 * scripts.h - the installed scripts: where they are, and what each is for.
 *
 * A script begins with a comment that describes it.  The comment's first line is "NAME.d - TEXT".
 * A line "usage: dtrace NAME ..." and more text follow.
 */
#ifndef CMD_ABOUT_SCRIPTS_H
#define CMD_ABOUT_SCRIPTS_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Returns the folder of the scripts: "scripts" beside the command, or SCRIPT_DIR (CMakeLists.txt),
 * which is relative to the command's folder. NULL: there is none. The string lives as long as the
 * process.
 */
const char *script_dir(void);

/*
 * Returns the path of script @name, which may end in ".d". NULL: there is no such script. The
 * caller frees it with xfree().
 */
char *script_find(const char *name);

/*
 * Returns the name of the installed script that is nearest to the misspelt @name. NULL: no name is
 * near. The caller frees it with xfree().
 */
char *script_near(const char *name);

/*
 * Prints one line for each script whose line contains @word, ignoring case; sorted by name. Returns
 * false if there is no such line, or no folder of scripts that can be read.
 */
bool script_list(const char *word, FILE *to);

/*
 * Prints the description of the script at @path, and the options that go with it. Returns false if
 * the script cannot be read or has no description.
 */
bool script_usage(const char *path, FILE *to);

/*
 * Returns the line "usage: dtrace tcptop ..." of the script at @path. NULL: the script has none.
 * The caller frees it with xfree().
 */
char *script_synopsis(const char *path);

#endif
