/* tree.h - writes nested named values as JSON, XML or HTML in the form of libxo. */
#ifndef CONSUMER_OFORMAT_TREE_H
#define CONSUMER_OFORMAT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;
struct tree;

/* Kinds of inner nodes. */
enum tree_node {
	TREE_CONTAINER, /* a node that occurs once and has a name */
	TREE_LIST,      /* a list of instances that have the same name */
	TREE_INSTANCE,
	TREE_LINE,   /* an instance that is a line of its own in HTML */
	TREE_VALUES, /* a list of plain values */
};

struct tree_ops {
	void (*open)(struct tree *t, enum tree_node n, const char *name);
	void (*close)(struct tree *t, enum tree_node n, const char *name);
	/*
	 * Writes a value. @name is the value's name or, in TREE_VALUES, the name of the list.
	 * @number says whether @s is a number that JSON accepts.
	 */
	void (*leaf)(struct tree *t, const char *name, const char *s, size_t n, bool number);
};

extern const struct tree_ops tree_json, tree_xml, tree_html;

/*
 * A document that is being written. The caller sets @ops, @out and @pretty; all other members are
 * zero at first. @out is borrowed.
 */
struct tree {
	const struct tree_ops *ops;
	struct strbuf *out;
	bool pretty; /* in JSON, each value has its own line */
	bool comma;  /* in JSON, the next value needs a comma before it */
	bool values; /* the current node is of the kind TREE_VALUES */
	int depth;
};

/* tree_open() begins an inner node, and tree_close() ends it. */
void tree_open(struct tree *t, enum tree_node n, const char *name);
void tree_close(struct tree *t, enum tree_node n, const char *name);
/* Each of the next four functions writes a value called @name. */
void tree_int(struct tree *t, const char *name, int64_t v);
void tree_uint(struct tree *t, const char *name, uint64_t v);
void tree_text(struct tree *t, const char *name, const char *s, size_t n);
void tree_string(struct tree *t, const char *name, const char *s);

#endif
