/*
 * library.h - the D texts that are built into the program.
 */
#ifndef COMPILER_LIBRARY_H
#define COMPILER_LIBRARY_H

#include "compiler/syntax/libindex.h"

/* The library's texts, in the order in which they are read. A NULL name ends the list. */
extern const struct library_text library_texts[];

/* The declarations of the kernel's types for replay, as a list with one text. */
extern const struct library_text library_ksim[];

/* The indexes of library_texts and library_ksim. */
extern const struct libindex library_index, library_ksim_index;

#endif
