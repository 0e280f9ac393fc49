/* setup.c - writes the files of a fleet. */
#include "fleet/setup/setup.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "fleet/setup/certificates.h"
#include "fleet/files.h"
#include "fleet/message.h"
#include "fleet/permit.h"
#include "fleet/host/policy.h"
#include "fleet/sign.h"

#define TLS "tls://"
#define ETC "/etc/dtrace-fleet"
#define LISTEN "listen: 0.0.0.0:4222"

enum { CLUSTER_PORT = 6222, FILE_MAX = 65536 };

struct address {
	const char *name; /* DNS name or IPv4 address */
	unsigned port;
};

typedef VEC(struct address) addresses;

struct setup {
	const struct setup_opts *o;
	struct arena mem;
	const char *url, *fleet;
	struct strbuf keys;   /* lines of the viewers' keys, for policies */
	struct strbuf admins; /* lines of the administrators' keys, for viewers and relays */
	struct strbuf users;  /* the accounts (permit.h) */
};

static bool fail(const char *what, const char *why)
{
	fprintf(stderr, "dtrace-fleet: %s: %s\n", what, why);
	return false;
}

/* ------------------------------------------------------------------------- addresses */

/*
 * Parses "tls://NAME" or "tls://NAME:PORT" in @s. The name in @a is allocated in @mem. Returns
 * false if @s is something else.
 */
static bool address_parse(struct arena *mem, struct address *a, const char *s)
{
	const char *name = s + strlen(TLS), *colon;
	unsigned long port = 4222;
	char *end = NULL;

	if (strncmp(s, TLS, strlen(TLS)))
		return false;
	colon = strchr(name, ':');
	if (colon && (colon[1] < '0' || colon[1] > '9'))
		return false; /* strtoul() would also accept blanks and signs */
	if (colon)
		port = strtoul(colon + 1, &end, 10);
	if (colon && *end)
		return false;
	a->name = arena_strndup(mem, name, colon ? (size_t)(colon - name) : strlen(name));
	a->port = (unsigned)port;
	return is_host_name(a->name) && port && port <= UINT16_MAX;
}

static bool addresses_parse(struct arena *mem, addresses *a, const char *url, struct strbuf *wrong)
{
	char *list = arena_strdup(mem, url), *rest = NULL;
	struct address one;

	for (char *s = strtok_r(list, ",", &rest); s; s = strtok_r(NULL, ",", &rest)) {
		if (!address_parse(mem, &one, s)) {
			strbuf_addf(wrong, "%s: not tls://NAME:PORT", s);
			break;
		}
		vec_push(a, one);
	}
	if (!a->n && !wrong->len)
		strbuf_adds(wrong, "-S: needs the address of the server, such as tls://NAME:4222");
	return !wrong->len;
}

/* ------------------------------------------------------------------------- servers */

/*
 * Appends the lines that make server number @i join the cluster of all servers. Only machines with
 * a certificate of a server can join.
 */
static void add_cluster(struct strbuf *out, const addresses *a, size_t i)
{
	strbuf_addf(out,
		    "server_name: %s\n"
		    "cluster {\n"
		    "\tname: fleet\n"
		    "\tlisten: 0.0.0.0:%d\n"
		    "\ttls {\n"
		    "\t\tca_file: " ETC "/ca.pem\n"
		    "\t\tcert_file: " ETC "/server.pem\n"
		    "\t\tkey_file: " ETC "/server.key\n"
		    "\t\tverify: true\n"
		    "\t}\n"
		    "\troutes: [",
		    a->v[i].name, CLUSTER_PORT);
	for (size_t k = 0, n = 0; k < a->n; k++)
		if (k != i)
			strbuf_addf(out, "%snats-route://%s:%d", n++ ? ", " : "", a->v[k].name,
				    CLUSTER_PORT);
	strbuf_adds(out, "]\n}\n");
}

static void add_server(struct strbuf *out, const addresses *a, size_t i)
{
	const char *listen = strstr(sample_server, LISTEN);

	strbuf_add(out, sample_server, (size_t)(listen - sample_server));
	strbuf_addf(out, "listen: 0.0.0.0:%u%s", a->v[i].port, listen + strlen(LISTEN));
	if (a->n > 1)
		add_cluster(out, a, i);
}

bool setup_server(struct strbuf *out, const char *url, size_t i, struct strbuf *wrong)
{
	addresses a = {0};
	struct arena mem;
	bool ok;

	arena_init(&mem);
	ok = addresses_parse(&mem, &a, url, wrong) && i < a.n;
	if (ok)
		add_server(out, &a, i);
	vec_free(&a);
	arena_release(&mem);
	return ok;
}

/* ------------------------------------------------------------------------- files */

static bool put(const char *path, const struct strbuf *b, mode_t mode)
{
	int err = file_replace(path, strbuf_text(b), b->len, mode, false);

	return !err || fail(path, file_error(err));
}

/*
 * Makes a folder, or uses an existing one. Refuses a symbolic link, and a folder in which another
 * user could replace files, because keys are written to the folder.
 */
static bool make_folder(const char *path, mode_t mode)
{
	struct stat st;

	if ((mkdir(path, mode) && errno != EEXIST) || lstat(path, &st))
		return fail(path, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return fail(path, "not a folder");
	if (st.st_uid != geteuid() || st.st_mode & (S_IWGRP | S_IWOTH) || file_check_owner(path))
		return fail(path, "another user owns this folder, or others may write to it");
	return true;
}

/* Makes FOLDER/KIND/NAME/etc/dtrace-fleet, and returns its path, or NULL after a message. */
static const char *make_etc(struct setup *s, const char *kind, const char *name)
{
	const char *dir = arena_printf(&s->mem, "%s/%s/%s", s->o->dir, kind, name);
	const char *etc = arena_printf(&s->mem, "%s/etc", dir);
	const char *ours = arena_printf(&s->mem, "%s" ETC, dir);

	return make_folder(dir, 0700) && make_folder(etc, 0755) && make_folder(ours, 0755) ? ours
											   : NULL;
}

static const char *ca(struct setup *s, const char *name)
{
	return arena_printf(&s->mem, "%s/ca/%s", s->o->dir, name);
}

/* Copies the certificate of the CA @name, "servers" or "members", to @path. */
static bool copy_ca(struct setup *s, const char *name, const char *path)
{
	struct strbuf b = {0};
	const char *from = arena_printf(&s->mem, "%s.pem", ca(s, name));
	bool ok = (file_get(from, 0, FILE_MAX, &b) || fail(from, strerror(errno))) &&
		  put(path, &b, 0644);

	strbuf_release(&b);
	return ok;
}

static bool make_server(struct setup *s, const addresses *a, size_t i)
{
	const char *name = a->v[i].name, *dir = make_etc(s, "servers", name);
	struct strbuf conf = {0};
	bool ok = dir &&
		  certificate_make(CERTIFICATE_SERVER, arena_printf(&s->mem, "%s/server", dir),
				   name, ca(s, "servers")) &&
		  copy_ca(s, "servers", arena_printf(&s->mem, "%s/ca.pem", dir)) &&
		  copy_ca(s, "members", arena_printf(&s->mem, "%s/members.pem", dir));

	add_server(&conf, a, i);
	ok = ok && put(arena_printf(&s->mem, "%s/../nats-server.conf", dir), &conf, 0644) &&
	     put(arena_printf(&s->mem, "%s/users.conf", dir), &s->users, 0644);
	strbuf_release(&conf);
	return ok;
}

/* Writes the file of the administrators' keys (admins.h), for viewers and for relays on hosts. */
static bool put_admins(struct setup *s, const char *dir)
{
	return !s->admins.len || put(arena_printf(&s->mem, "%s/admins", dir), &s->admins, 0644);
}

static bool make_host(struct setup *s, const char *name)
{
	const char *dir = make_etc(s, "hosts", name), *folder, *policy;
	struct strbuf options = {0}, rules = {0};
	bool ok;

	if (!dir)
		return false;
	folder = arena_printf(&s->mem, "%s/../default", dir);
	policy = arena_printf(&s->mem, "%s/policy", dir);
	strbuf_addf(&options,
		    "DTRACE_FLEET_OPTIONS=\"-H %s -S %s --ca " ETC "/ca.pem --cert " ETC
		    "/host.pem --certkey " ETC "/host.key\"\n",
		    name, s->url);
	strbuf_add(&rules, s->keys.s, s->keys.len);
	strbuf_addf(&rules, "fleet %s\n\n%s", s->fleet, sample_policy);
	ok = certificate_make(CERTIFICATE_CLIENT, arena_printf(&s->mem, "%s/host", dir), name,
			      ca(s, "members")) &&
	     copy_ca(s, "servers", arena_printf(&s->mem, "%s/ca.pem", dir)) &&
	     make_folder(folder, 0755) &&
	     put(arena_printf(&s->mem, "%s/dtrace-fleet", folder), &options, 0644) &&
	     put_admins(s, dir) && (!access(policy, F_OK) || put(policy, &rules, 0644));
	strbuf_release(&rules);
	strbuf_release(&options);
	return ok;
}

/*
 * Returns the name of the file of a secret key. A person may be a viewer and an administrator, and
 * have the files of both in one folder.
 */
static const char *key_name(struct setup *s, const char *name, bool viewer)
{
	return viewer ? "key" : arena_printf(&s->mem, "key-%s", name);
}

static const char *line_name(bool viewer)
{
	return viewer ? "policy-line" : "plan-line";
}

/*
 * Makes a new key, which signs requests if @viewer is set, and plans otherwise. Also makes a file
 * with the line that lists the key in policies, or in the file of admins.h. Does nothing if both
 * files exist.
 */
static bool make_key(struct setup *s, const char *dir, const char *name, bool viewer)
{
	const char *key = arena_printf(&s->mem, "%s/%s", dir, key_name(s, name, viewer));
	const char *line = arena_printf(&s->mem, "%s/%s", dir, line_name(viewer));
	uint8_t seed[SEED_SIZE], public[KEY_SIZE];
	struct strbuf secret = {0}, rule = {0};
	bool ok;

	if (!access(key, F_OK) && !access(line, F_OK))
		return true;
	if (!sign_new(seed, public))
		return fail(key, "libsodium does not work here");
	key_text(&secret, seed);
	strbuf_addc(&secret, '\n');
	strbuf_adds(&rule, "key ");
	key_text(&rule, public);
	strbuf_addf(&rule, " %s\n", name);
	ok = put(key, &secret, 0600) && put(line, &rule, 0644);
	memset(seed, 0, sizeof(seed));
	memset(secret.s, 0, secret.len);
	strbuf_release(&secret);
	strbuf_release(&rule);
	return ok;
}

/* Makes the files of a viewer or an administrator. */
static bool make_user(struct setup *s, const char *kind, const char *name, bool viewer)
{
	const char *dir = arena_printf(&s->mem, "%s/%s/%s", s->o->dir, kind, name);
	struct strbuf env = {0};
	bool ok;

	strbuf_addf(&env,
		    "export DTRACE_FLEET_SERVER=%s\n"
		    "export DTRACE_FLEET_NAME=%s\n"
		    "export DTRACE_FLEET_CA=$HOME/.dtrace-fleet/ca.pem\n"
		    "export DTRACE_FLEET_CERT=$HOME/.dtrace-fleet/%s.pem\n"
		    "export DTRACE_FLEET_CERTKEY=$HOME/.dtrace-fleet/%s.key\n"
		    "export DTRACE_FLEET_KEY=$HOME/.dtrace-fleet/%s\n",
		    s->url, s->fleet, name, name, key_name(s, name, viewer));
	if (s->admins.len)
		strbuf_adds(&env, "export DTRACE_FLEET_ADMINS=$HOME/.dtrace-fleet/admins\n");
	ok = make_folder(dir, 0700) &&
	     certificate_make(CERTIFICATE_CLIENT, arena_printf(&s->mem, "%s/%s", dir, name), name,
			      ca(s, "members")) &&
	     copy_ca(s, "servers", arena_printf(&s->mem, "%s/ca.pem", dir)) &&
	     put(arena_printf(&s->mem, "%s/env-%s", dir, name), &env, 0644) && put_admins(s, dir);
	strbuf_release(&env);
	return ok;
}

/* ------------------------------------------------------------------------- members */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef VEC(const char *) names;

/*
 * Lists the names of the members of one kind, sorted. Each member has a folder. @s owns the names.
 */
static names members(struct setup *s, const char *kind)
{
	DIR *d = opendir(arena_printf(&s->mem, "%s/%s", s->o->dir, kind));
	names n = {0};

	for (const struct dirent *e; d && (e = readdir(d));)
		if (is_host_name(e->d_name))
			vec_push(&n, arena_strdup(&s->mem, e->d_name));
	if (d)
		closedir(d);
	if (n.n)
		qsort(n.v, n.n, sizeof(*n.v), compare_names);
	return n;
}

typedef void permit_fn(struct strbuf *out, const char *name);

static const struct kind {
	const char *name;
	permit_fn *permit;
} kinds[] = {{"hosts", permit_host}, {"viewers", permit_viewer}, {"admins", permit_admin}};

enum { HOSTS, VIEWERS, ADMINS, KINDS };

static const struct setup_names *wanted(const struct setup_opts *o, int kind)
{
	return kind == HOSTS ? &o->hosts : kind == VIEWERS ? &o->viewers : &o->admins;
}

static const char *member_path(struct setup *s, int kind, const char *name)
{
	return arena_printf(&s->mem, "%s/%s/%s", s->o->dir, kinds[kind].name, name);
}

/*
 * Returns whether @name is a member of another kind than @kind, in the folder or on the command
 * line.
 */
static bool is_taken(struct setup *s, int kind, const char *name)
{
	for (int k = 0; k < KINDS; k++) {
		const struct setup_names *n = wanted(s->o, k);

		if (k == kind)
			continue;
		if (!access(member_path(s, k, name), F_OK))
			return true;
		for (size_t i = 0; i < n->n; i++)
			if (!strcmp(n->v[i], name))
				return true;
	}
	return false;
}

/*
 * Checks the names on the command line, and prints an error. A name must not be of two kinds,
 * because this member would have the rights of both.
 */
static bool are_names(struct setup *s)
{
	for (int k = 0; k < KINDS; k++) {
		const struct setup_names *n = wanted(s->o, k);

		for (size_t i = 0; i < n->n; i++)
			if (!is_host_name(n->v[i]))
				return fail(n->v[i], "not a name: use letters, digits, - . and _");
			else if (is_taken(s, k, n->v[i]))
				return fail(n->v[i], "the name is given twice");
	}
	return true;
}

/* Makes a folder for each new member. The members of the fleet are those that have a folder. */
static bool add_members(struct setup *s)
{
	for (int k = 0; k < KINDS; k++) {
		const struct setup_names *n = wanted(s->o, k);

		for (size_t i = 0; i < n->n; i++)
			if (!make_folder(member_path(s, k, n->v[i]), 0700))
				return false;
	}
	return true;
}

/* Makes the keys of all members of one kind, and appends the lines that list them to @lines. */
static bool make_keys(struct setup *s, const names *n, int kind, struct strbuf *lines)
{
	for (size_t i = 0; i < n->n; i++) {
		const char *dir = member_path(s, kind, n->v[i]);
		bool viewer = kind == VIEWERS;

		if (!make_key(s, dir, n->v[i], viewer))
			return false;
		file_get(arena_printf(&s->mem, "%s/%s", dir, line_name(viewer)), 0, FILE_MAX,
			 lines);
	}
	return true;
}

/* Makes the files of all viewers and administrators, and then those of all hosts. */
static bool make_members(struct setup *s)
{
	names n[KINDS];
	struct strbuf users[KINDS] = {{0}};
	bool ok = true;

	for (int k = 0; k < KINDS; k++) {
		n[k] = members(s, kinds[k].name);
		for (size_t i = 0; i < n[k].n; i++)
			kinds[k].permit(&users[k], n[k].v[i]);
	}
	permit_accounts(&s->users, strbuf_text(&users[HOSTS]), strbuf_text(&users[VIEWERS]),
			strbuf_text(&users[ADMINS]));
	for (int k = 0; k < KINDS; k++)
		strbuf_release(&users[k]);
	ok = make_keys(s, &n[VIEWERS], VIEWERS, &s->keys) &&
	     make_keys(s, &n[ADMINS], ADMINS, &s->admins);
	for (int k = VIEWERS; k <= ADMINS; k++)
		for (size_t i = 0; ok && i < n[k].n; i++)
			ok = make_user(s, kinds[k].name, n[k].v[i], k == VIEWERS);
	for (size_t i = 0; ok && i < n[HOSTS].n; i++)
		ok = make_host(s, n[HOSTS].v[i]);
	for (int k = 0; k < KINDS; k++)
		vec_free(&n[k]);
	return ok;
}

static bool make_servers(struct setup *s, const addresses *a)
{
	for (size_t i = 0; i < a->n; i++)
		if (!make_server(s, a, i))
			return false;
	return true;
}

static bool make_folders(struct setup *s)
{
	static const char *const name[] = {"ca", "servers", "hosts", "viewers", "admins"};
	bool ok = make_folder(s->o->dir, 0700);

	for (size_t i = 0; ok && i < sizeof(name) / sizeof(*name); i++)
		ok = make_folder(arena_printf(&s->mem, "%s/%s", s->o->dir, name[i]), 0700);
	return ok;
}

/*
 * Takes the servers' addresses from the command line, or else from the file "address" in the
 * folder. Writes this file, and makes the folders. Returns false, after a message, on failure.
 */
static bool find_addresses(struct setup *s, addresses *a)
{
	const char *path = arena_printf(&s->mem, "%s/address", s->o->dir);
	struct strbuf b = {0}, wrong = {0};
	bool ok;

	if (s->o->url)
		strbuf_addf(&b, "%s\n", s->o->url);
	else
		file_get(path, 0, FILE_MAX, &b);
	s->url = arena_strndup(&s->mem, strbuf_text(&b), strcspn(strbuf_text(&b), "\n"));
	ok = addresses_parse(&s->mem, a, s->url, &wrong);
	if (!ok)
		fprintf(stderr, "dtrace-fleet: %s\n", wrong.s);
	ok = ok && make_folders(s) && put(path, &b, 0644);
	strbuf_release(&b);
	strbuf_release(&wrong);
	return ok;
}

/*
 * Takes the fleet's name from the folder, or from the command line. Sets *@kept if it is from the
 * folder. Writes nothing. Returns false, after a message, if the name is wrong.
 */
static bool find_fleet(struct setup *s, bool *kept)
{
	const char *path = arena_printf(&s->mem, "%s/fleet", s->o->dir);
	struct strbuf b = {0};
	bool ok = true;

	*kept = file_get(path, 0, FILE_MAX, &b) && b.len;
	if (!*kept)
		strbuf_addf(&b, "%s\n", s->o->fleet ? s->o->fleet : FLEET_DEFAULT);
	s->fleet = arena_strndup(&s->mem, b.s, strcspn(strbuf_text(&b), "\n"));
	if (!is_host_name(s->fleet))
		ok = fail(s->fleet, "not a name of a fleet: use letters, digits, - . and _");
	else if (s->o->fleet && strcmp(s->o->fleet, s->fleet))
		ok = fail(s->o->fleet,
			  arena_printf(&s->mem, "the fleet already has the name %s", s->fleet));
	strbuf_release(&b);
	return ok;
}

/* Writes the fleet's name to the folder, for later calls of setup. */
static bool keep_fleet(struct setup *s)
{
	struct strbuf b = {0};
	bool ok;

	strbuf_addf(&b, "%s\n", s->fleet);
	ok = put(arena_printf(&s->mem, "%s/fleet", s->o->dir), &b, 0644);
	strbuf_release(&b);
	return ok;
}

bool setup_files(const struct setup_opts *o)
{
	struct setup s = {.o = o};
	addresses a = {0};
	mode_t mask = umask(
		/* the files for /etc must be readable, even if the user's umask is stricter */
		0022);
	bool ok, kept;

	arena_init(&s.mem);
	ok = are_names(&s) && find_fleet(&s, &kept) && find_addresses(&s, &a) &&
	     (kept || keep_fleet(&s)) && add_members(&s) &&
	     certificate_make(CERTIFICATE_CA, ca(&s, "servers"), "servers of the fleet", NULL) &&
	     certificate_make(CERTIFICATE_CA, ca(&s, "members"), "members of the fleet", NULL) &&
	     make_members(&s) && make_servers(&s, &a);
	umask(mask);
	vec_free(&a);
	strbuf_release(&s.keys);
	strbuf_release(&s.admins);
	strbuf_release(&s.users);
	arena_release(&s.mem);
	return ok;
}
