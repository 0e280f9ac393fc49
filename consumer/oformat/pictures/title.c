/* title.c - makes the title of a picture. */
#include "consumer/oformat/pictures/title.h"

#include <string.h>

#include "base/strbuf.h"
#include "base/visible.h"
#include "agg/agg.h"
#include "consumer/oformat/oformat.h"
#include "consumer/options.h"

char *title_of(const struct oformat *f, bool (*shows)(const struct program *p, uint32_t agg))
{
	const char *option = f->o->title ? f->o->title : "";
	struct strbuf b = {0};

	strbuf_adds(&b, "");
	visible_add(&b, option, strlen(option));
	for (uint32_t i = 0; !*option && i < f->p->nagg; i++) {
		const struct agg_info *ai = &f->p->agg[i];

		if (shows(f->p, i))
			strbuf_addf(&b, "%s@%s = %s()", b.len ? ", " : "",
				    strcmp(ai->name, "_") ? ai->name : "",
				    agg_fn_of(&ai->kind)->name);
	}
	return b.s;
}
