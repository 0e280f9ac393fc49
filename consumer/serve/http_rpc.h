/* clang-format off */
/*
 * http_rpc.h - the messages between dtrace and the confined process (a reader) that answers HTTP.
 *
 *	from dtrace   body                            meaning
 *	HTTP_LISTEN   text name of this host;         answer HTTP at this listening socket
 *	              the message carries the
 *	              socket
 *	HTTP_TEXT     u64 ns; the message carries     a new text with metrics, in sealed memory;
 *	              the descriptor of the text      it stays fresh for that many ns
 *
 *	from reader   body                            meaning
 *	HTTP_READY    none                            answer to HTTP_LISTEN: the reader serves
 *	HTTP_FAILED   u32 of enum http_failure        answer to HTTP_LISTEN: the reader cannot serve
 *	HTTP_WANT     none                            a client waits for a fresh text
 */
/* clang-format on */
#ifndef CONSUMER_SERVE_HTTP_RPC_H
#define CONSUMER_SERVE_HTTP_RPC_H

#include "sandbox/job.h"

enum { HTTP_LISTEN = RPC_FIRST, HTTP_TEXT, HTTP_READY, HTTP_FAILED, HTTP_WANT };

enum http_failure { HTTP_NOT_BUILT = 1, HTTP_NO_LIBRARY, HTTP_NO_START };

#define HTTP_LIBRARY "libmicrohttpd.so.12"
#define HTTP_NAME_MAX 256u /* maximum size of a host name in bytes */

#endif
