/*
 * tree.h - named values in each other, as JSON, XML or HTML: how libxo writes them.
 */
#ifndef CONSUMER_OFORMAT_TREE_H
#define CONSUMER_OFORMAT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;
struct tree;

/* What goes into each other. */
enum tree_node {
	TREE_CONTAINER, /* one of its name */
	TREE_LIST,      /* of instances */
	TREE_INSTANCE,
	TREE_LINE,   /* an instance that is a line of its own where there are lines */
	TREE_VALUES, /* a list of values without names of their own */
};

struct tree_ops {
	void (*open)(struct tree *t, enum tree_node n, const char *name);
	void (*close)(struct tree *t, enum tree_node n, const char *name);
	/* A value, of @name; @name is that of the list in TREE_VALUES.  @number: of digits. */
	void (*leaf)(struct tree *t, const char *name, const char *s, size_t n, bool number);
};

extern const struct tree_ops tree_json, tree_xml, tree_html;

/* All zero but the first row. */
struct tree {
	const struct tree_ops *ops;
	struct strbuf *out;
	bool pretty; /* JSON: a line a value */
	bool comma;  /* something stands before the next value */
	bool values; /* in TREE_VALUES */
	int depth;
};

/* Begins and ends what holds others. */
void tree_open(struct tree *t, enum tree_node n, const char *name);
void tree_close(struct tree *t, enum tree_node n, const char *name);
/* A value called @name. */
void tree_int(struct tree *t, const char *name, int64_t v);
void tree_uint(struct tree *t, const char *name, uint64_t v);
void tree_text(struct tree *t, const char *name, const char *s, size_t n);
void tree_string(struct tree *t, const char *name, const char *s);

#endif
