/*
 * label.h - recorded values as names in pictures and on terminals.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_LABEL_H
#define CONSUMER_OFORMAT_PICTURES_LABEL_H

#include <stddef.h>

#include <stdint.h>

struct agg_info;
struct strbuf;

/* Appends the parts of a row's key with ", " between them; "" if it has none. */
void label_keys(struct strbuf *out, const struct agg_info *ai, const uint8_t *key);

/* How many columns UTF-8 text takes, one a character, and how many bytes its first @columns are. */
size_t label_columns(const char *s, size_t n);
size_t label_cut(const char *s, size_t n, size_t columns);

#endif
