/*
 * setup.h - dtrace-fleet setup: the files of a fleet's servers, hosts, viewers and administrators.
 *
 *	FOLDER/address                     the servers' addresses, as for -S
 *	FOLDER/ca/servers.{pem,key}        the CA of servers
 *	FOLDER/ca/members.{pem,key}        the CA of hosts, viewers and administrators
 *	FOLDER/servers/NAME/etc/...        to copy to /etc of that server
 *	FOLDER/hosts/NAME/etc/...          to copy to /etc of that host
 *	FOLDER/viewers/NAME/...            to copy to ~/.dtrace-fleet of that viewer
 *	FOLDER/admins/NAME/...             to copy to ~/.dtrace-fleet of that administrator
 *
 * Viewers and administrators get the file "admins" with the keys of all administrators (admins.h).
 * Hosts get it too, because a relay that runs on a host reads it.
 *
 * Servers and members have different CAs, so that no member can pose as a server to clients, or
 * join a cluster.
 */
#ifndef FLEET_SETUP_SETUP_H
#define FLEET_SETUP_SETUP_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

struct setup_names {
	const char *const *v;
	size_t n;
};

struct setup_opts {
	const char *dir;
	const char *url; /* tls://NAME[:PORT],...; if NULL, the file "address" has the addresses */
	/* name of the fleet; if NULL, the name is in the file "fleet", or is "default" */
	const char *fleet;
	struct setup_names hosts, viewers, admins;
};

/*
 * Makes the files of new members. Keeps keys, certificates and policies that exist, and writes the
 * other files again. Refuses a name of the fleet that differs from the one in the folder, because
 * existing policies have that name. Prints an error and returns false on failure. Needs OpenSSL's
 * command.
 */
bool setup_files(const struct setup_opts *o);

/*
 * Appends the configuration of nats-server for server number @i of the servers in @url, a list of
 * addresses with commas between them. Several servers form a cluster. Returns false, with the
 * reason in @wrong, if @url is not such a list.
 */
bool setup_server(struct strbuf *out, const char *url, size_t i, struct strbuf *wrong);

/* The texts of fleet/nats-server.conf and fleet/setup/policy.sample. */
extern const char sample_server[], sample_policy[];

#endif
