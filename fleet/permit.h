/*
 * permit.h - what nats-server lets hosts and viewers do: lines of its configuration.
 */
#ifndef FLEET_PERMIT_H
#define FLEET_PERMIT_H

struct strbuf;

/* The agent of @host may publish as that host, and read requests. */
void permit_host(struct strbuf *out, const char *host);

/* @name may create the streams, or do anything else with them. */
void permit_admin(struct strbuf *out, const char *name);

/* @name may ask, and hear all. */
void permit_viewer(struct strbuf *out, const char *name);

#endif
