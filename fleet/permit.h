/* permit.h - permissions of hosts and viewers: lines of nats-server's configuration. */
#ifndef FLEET_PERMIT_H
#define FLEET_PERMIT_H

struct strbuf;

/* Lets the agent of @host publish as that host, and read requests. */
void permit_host(struct strbuf *out, const char *host);

/* Lets @name create, change and delete streams, and plan the inventory. */
void permit_admin(struct strbuf *out, const char *name);

/* Lets @name send requests and read all messages. */
void permit_viewer(struct strbuf *out, const char *name);

#endif
