/* label.h - formats keys of aggregations as text, for pictures and terminals. */
#ifndef CONSUMER_OFORMAT_PICTURES_LABEL_H
#define CONSUMER_OFORMAT_PICTURES_LABEL_H

#include <stddef.h>

#include <stdint.h>

struct agg_info;
struct strbuf;

/* Appends the fields of @key, separated by ", ". Appends nothing if @ai has no keys. */
void label_keys(struct strbuf *out, const struct agg_info *ai, const uint8_t *key);

/*
 * label_columns() returns the number of characters in @n bytes of UTF-8. label_cut() returns the
 * number of bytes in the first @columns characters.
 */
size_t label_columns(const char *s, size_t n);
size_t label_cut(const char *s, size_t n, size_t columns);

#endif
