/*
 * scripts.h - finds the installed scripts and prints their descriptions.
 *
 * A script begins with a comment that describes it. The comment's first line is "NAME.d - TEXT". A
 * line "usage: dtrace NAME ..." and more text follow.
 */
#ifndef CMD_ABOUT_SCRIPTS_H
#define CMD_ABOUT_SCRIPTS_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Returns the folder of the installed scripts, or NULL if there is no such folder. The folder is
 * "scripts" beside the dtrace command or, if that does not exist, SCRIPT_DIR (CMakeLists.txt),
 * which is relative to the command's folder. The string lives as long as the process.
 */
const char *script_dir(void);

/*
 * Returns the path of script @name, which may end in ".d". Returns NULL if there is no such script.
 * The caller frees the path with xfree().
 */
char *script_find(const char *name);

/*
 * Returns the name of the installed script that is most similar to the misspelt @name. Returns NULL
 * if no name is similar enough. The caller frees the name with xfree().
 */
char *script_near(const char *name);

/*
 * Prints one line for each script, sorted by name. Only lines that contain @word, in upper or lower
 * case, are printed. Returns false if no line is printed, for example because there is no folder of
 * scripts that can be read.
 */
bool script_list(const char *word, FILE *to);

/*
 * Prints the description of the script at @path, and the options that a user can combine with the
 * script. Returns false if the script cannot be read or has no description.
 */
bool script_usage(const char *path, FILE *to);

/*
 * Returns the line "usage: dtrace tcptop ..." of the script at @path. Returns NULL if the script
 * has no such line. The caller frees the line with xfree().
 */
char *script_synopsis(const char *path);

#endif
