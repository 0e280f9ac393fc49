/*
 * list.c - all forms of output: one row each.
 */
#include <string.h>

#include "consumer/forms/form.h"

/* The form NAME is the variable form_NAME, which its own file defines. */
#define FORMS(F) \
	F(text) \
	F(json) \
	F(csv) \
	F(prometheus) \
	F(xo_json) \
	F(xml) \
	F(html) \
	F(folded) \
	F(flame) \
	F(heat) \
	F(heat_svg) \
	F(hist_svg) \
	F(time_svg)

#define DECLARE(name) extern const struct form_ops form_##name;
#define ROW(name) &form_##name,

FORMS(DECLARE)

static const struct form_ops *const forms[] = {FORMS(ROW)};

const struct form_ops *form_find(const char *name)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (!strcmp(forms[i]->name, name))
			return forms[i];
	return NULL;
}
