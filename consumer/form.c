/*
 * form.c - the forms that output can have: one row each.
 */
#include "consumer/form.h"

#include <string.h>

#include "base/xalloc.h"

static const struct form_ops *const forms[] = {&form_text};

const struct form_ops *form_find(const char *name)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (!strcmp(forms[i]->name, name))
			return forms[i];
	return NULL;
}

struct form *form_new(const struct form_ops *ops, struct output *out, const struct consumer_opts *o,
		      const struct program *p, bool elsewhere)
{
	struct form *f = xcalloc(1, ops->size);

	*f = (struct form){.ops = ops, .out = out, .o = o, .p = p, .elsewhere = elsewhere};
	if (ops->begin)
		ops->begin(f);
	return f;
}

void form_free(struct form *f)
{
	if (f && f->ops->release)
		f->ops->release(f);
	xfree(f);
}
