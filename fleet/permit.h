/*
 * permit.h - permissions of hosts and viewers: lines of nats-server's configuration.
 *
 * Hosts are in an account of their own, which has no stream. The server stores its answer to a
 * message if a stream of the sender's account has the answer's subject, which the sender chooses.
 * So a host cannot make the server store anything for a viewer or for another host.
 */
#ifndef FLEET_PERMIT_H
#define FLEET_PERMIT_H

struct strbuf;

/* Lets the agent of @host publish as that host, and read requests. */
void permit_host(struct strbuf *out, const char *host);

/* Lets @name create, change and delete streams, and plan the inventory. */
void permit_admin(struct strbuf *out, const char *name);

/* Lets @name send requests and read all messages. */
void permit_viewer(struct strbuf *out, const char *name);

/*
 * Appends both accounts. @hosts is the output of permit_host(), @others that of permit_admin() and
 * permit_viewer().
 */
void permit_accounts(struct strbuf *out, const char *hosts, const char *others);

#endif
