/*
 * library.h - the D texts that are built into the program.
 */
#ifndef COMPILER_LIBRARY_H
#define COMPILER_LIBRARY_H

#include "compiler/syntax/libindex.h"

/* The library's texts, in the order in which they are read. A NULL name ends the list. */
extern const struct library_text library_texts[];

/* The kernel's types in replay: one text. */
extern const struct library_text library_ksim[];

/* The index of each list. */
extern const struct libindex library_index, library_ksim_index;

#endif
