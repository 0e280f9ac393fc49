/* admins.c - reads the keys of administrators, and checks their signatures. */
#include "fleet/admins.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "fleet/files.h"
#include "fleet/message.h"
#include "fleet/sign.h"

enum { FILE_MAX = 1 << 20 };

bool admins_read(struct admins *a, const char *path, const char *fleet, struct strbuf *wrong)
{
	struct strbuf text = {0}, why = {0};

	*a = (struct admins){.fleet = fleet};
	if (!file_get(path, 0, FILE_MAX + 1, &text))
		strbuf_adds(&why, strerror(errno));
	else if (file_weakness(path))
		strbuf_adds(&why, file_weakness(path));
	else if (text.len > FILE_MAX || strlen(strbuf_text(&text)) != text.len)
		strbuf_adds(&why, "too long, or not text");
	else if (policy_parse(&a->keys, strbuf_text(&text), &why))
		strbuf_adds(&why, !a->keys.key.n    ? "lists no key"
				  : a->keys.limit.n ? "limits have no effect here: remove the line "
						      "of a key to revoke it"
				  : a->keys.set.n || a->keys.probes.n || a->keys.replay.n
					  ? "only lines that begin with key have an effect here"
					  : "");
	if (why.len)
		strbuf_addf(wrong, "%s: %s", path, why.s);
	strbuf_release(&text);
	strbuf_release(&why);
	return !wrong->len;
}

void admins_release(struct admins *a)
{
	policy_release(&a->keys);
}

bool admins_open(const struct admins *a, const void *data, size_t size, const void **p, size_t *n,
		 uint64_t *time)
{
	uint8_t key[KEY_SIZE];
	struct message m = {0};
	const char *fleet = NULL;
	bool is_signed = sign_open(data, size, p, n, key), ok;
	uint64_t at;

	if (!is_signed) {
		*p = data;
		*n = size;
	}
	ok = message_parse(&m, *p, *n);
	if (ok)
		fleet = message_get(&m, "fleet");
	ok = ok && message_number(&m, "time", &at);
	if (ok)
		*time = at;
	if (a)
		ok = ok && is_signed && policy_signer(&a->keys, key, 0) && fleet &&
		     !strcmp(fleet, a->fleet);
	message_release(&m);
	return !a || ok;
}
