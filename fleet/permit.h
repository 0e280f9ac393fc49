/*
 * permit.h - permissions of hosts and viewers: lines of nats-server's configuration.
 *
 * Hosts and viewers are in accounts of their own, which have no streams. The server sends its
 * answer to the subject that the sender chooses, in the sender's account. If that account had the
 * streams, a client could make the server store any message, or delete a stream.
 */
#ifndef FLEET_PERMIT_H
#define FLEET_PERMIT_H

struct strbuf;

/* Lets the agent of @host publish as that host, and read requests. */
void permit_host(struct strbuf *out, const char *host);

/* Lets @name create, change and delete streams, and store plans in the inventory (inventory.h). */
void permit_admin(struct strbuf *out, const char *name);

/* Lets @name send requests and read all messages. */
void permit_viewer(struct strbuf *out, const char *name);

/*
 * Appends the accounts. @hosts is the output of permit_host(), @viewers that of permit_viewer(),
 * @admins that of permit_admin().
 */
void permit_accounts(struct strbuf *out, const char *hosts, const char *viewers,
		     const char *admins);

#endif
