/*
 * http_rpc.h - the messages between dtrace and the reader that answers HTTP.
 *
 *	from dtrace   body                            what for
 *	HTTP_LISTEN   text name of this machine,      serves at the socket, which listens already
 *	              with descriptor
 *	HTTP_TEXT     u64 ns, with descriptor         the text, sealed memory; it is new for that
 *long
 *
 *	from reader   body
 *	HTTP_READY    none                            answers HTTP_LISTEN
 *	HTTP_FAILED   u32 of enum http_failure        instead of it
 *	HTTP_WANT     none                            somebody asks, and the last text is not new
 */
#ifndef CONSUMER_SERVE_HTTP_RPC_H
#define CONSUMER_SERVE_HTTP_RPC_H

#include "sandbox/job.h"

enum { HTTP_LISTEN = RPC_FIRST, HTTP_TEXT, HTTP_READY, HTTP_FAILED, HTTP_WANT };

enum http_failure { HTTP_NOT_BUILT = 1, HTTP_NO_LIBRARY, HTTP_NO_START };

#define HTTP_LIBRARY "libmicrohttpd.so.12"
#define HTTP_NAME_MAX 256u /* bytes of the name of a machine */

#endif
