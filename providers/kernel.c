/* kernel.c - the kernel's names for the structs and members that the compiler uses. */
#include "providers/kernel.h"

#include <string.h>

static const char *const tags[] = {
#define X(name, tag) tag,
	KERNEL_STRUCTS(X)
#undef X
};

static const struct {
	enum kernel_struct of;
	const char *name;
} members[] = {
#define X(name, of, member) {KS_##of, member},
	KERNEL_MEMBERS(X)
#undef X
};

struct type *kernel_struct(struct scope *s, enum kernel_struct which)
{
	struct type *t = scope_find(s, TAG_STRUCT, tags[which]);

	return t ? type_strip(t) : NULL;
}

bool kernel_member(struct scope *s, enum kernel_member m, struct member *out)
{
	struct type *t = kernel_struct(s, members[m].of);

	return t && type_member(t, members[m].name, out);
}

uint32_t kernel_offset(struct scope *s, enum kernel_member m)
{
	struct member at;

	return kernel_member(s, m, &at) ? at.bitoff / 8 : 0;
}

bool kernel_is(const struct type *t, enum kernel_struct which)
{
	return t && t->name && !strcmp(t->name, tags[which]);
}

bool kernel_is_member(const struct type *of, const char *name, enum kernel_member m)
{
	return kernel_is(of, members[m].of) && !strcmp(name, members[m].name);
}
