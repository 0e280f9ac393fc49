# dtrace-fleet setup makes valid certificates for servers and for clients. It keeps existing keys,
# certificates and policies. Hosts accept the keys that it makes for viewers.
set -u
export LC_ALL=C TZ=UTC
: "${FLEET:?must be the path of dtrace-fleet}"
unset DTRACE_FLEET_SERVER DTRACE_FLEET_NAME
command -v openssl >/dev/null || { echo 'SKIP: no openssl here'; exit 77; }
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
bad=0 checks=0
check() { # check WHAT COMMAND...: checks that the command succeeds; WHAT describes the check
	checks=$((checks + 1))
	"${@:2}" >"$T/said" 2>&1 || { echo "WRONG: $1: $(cat "$T/said")"; bad=1; }
}
not() { ! "$@"; }
cd "$T" || exit
umask 077
check setup "$FLEET" setup -S tls://a.example:4222,tls://10.1.2.3,tls://c --fleet blue h1 h2 --viewer ann --admin root
# -x509_strict checks the rules of RFC 5280, as Python 3.13 does.
proves() { openssl verify -x509_strict -purpose "$1" -CAfile "fleet/ca/$2.pem" "$3"; }
server=fleet/servers/a.example/etc/dtrace-fleet host=fleet/hosts/h1/etc/dtrace-fleet admin=fleet/admins/root
check 'a server'\''s certificate proves to clients that it is a server' proves sslserver servers $server/server.pem
check 'a server'\''s certificate proves to other servers that it is a member' proves sslclient servers $server/server.pem
check 'a host'\''s certificate proves that it is a member' proves sslclient members $host/host.pem
check 'a host'\''s certificate does not prove that it is a server' not proves sslserver members $host/host.pem
check 'servers do not accept a host'\''s certificate as that of a server' not proves sslclient servers $host/host.pem
check 'a viewer'\''s certificate proves that it is a member' proves sslclient members fleet/viewers/ann/ann.pem
check 'a host'\''s certificate cannot sign other certificates' not openssl verify -partial_chain -CAfile $host/host.pem fleet/viewers/ann/ann.pem
check 'a server'\''s certificate has the name of the server' openssl verify -verify_hostname a.example -CAfile $host/ca.pem $server/server.pem
check 'a server'\''s certificate has the address of the server' openssl verify -verify_ip 10.1.2.3 -CAfile $host/ca.pem fleet/servers/10.1.2.3/etc/dtrace-fleet/server.pem
check 'the server has the certificate of the members'\'' CA' cmp fleet/ca/members.pem $server/members.pem
check 'the policy of a host lists the key of a viewer' grep -qx "$(cat fleet/viewers/ann/policy-line)" $host/policy
check 'viewers and administrators have the keys of administrators' cmp fleet/viewers/ann/admins $admin/plan-line
check 'relays have the keys of administrators' cmp $host/admins $admin/admins
check 'an administrator has a key of its own' grep -qx 'export DTRACE_FLEET_KEY=$HOME/.dtrace-fleet/key-root' $admin/env-root
check 'no policy lists the key of an administrator' not grep -qF "$(cut -d' ' -f2 $admin/plan-line)" $host/policy
check 'the policy of a host has the name of the fleet' grep -qx 'fleet blue' $host/policy
for secret in $(find fleet -name '*key*' ! -name policy-line); do
	check "$secret is secret" [ "$(stat -c %a "$secret")" = 600 ]
done
for open in $host/host.pem $host/policy $server/users.conf fleet/hosts/h1/etc/default/dtrace-fleet fleet/servers/a.example/etc/nats-server.conf; do
	check "$open can be read" [ "$(stat -c %a "$open")" = 644 ]
done
check 'the keys of the CAs are only in the folder ca' [ "$(find fleet -name 'servers.key' -o -name 'members.key' | grep -vc '^fleet/ca/')" = 0 ]

# Later, a host and a viewer are added. Keys and certificates stay, and so do policies.
find fleet -name '*.pem' -o -name '*key*' -o -name policy | sort | xargs sha256sum >before
check 'setup adds a host and a viewer' "$FLEET" setup h3 --viewer bob
check 'existing keys, certificates and policies do not change' sha256sum -c --quiet before
check 'a later setup keeps the name of the fleet' grep -qx 'fleet blue' fleet/hosts/h3/etc/dtrace-fleet/policy
check 'a viewer keeps the name of the fleet' grep -qx 'export DTRACE_FLEET_NAME=blue' fleet/viewers/ann/env-ann
check 'setup does not give a fleet another name' not "$FLEET" setup --fleet red h3
check 'the name of a fleet is no shell command' not "$FLEET" setup -D other -S tls://a --fleet 'x;id' h1
check 'a port has no sign' not "$FLEET" setup -D other -S tls://a:+4222 h1
mkdir open && chmod 777 open && ln -s fleet link
check 'setup refuses a folder that others may write to' not "$FLEET" setup -D open -S tls://a h1
mkdir open/ours
check 'setup refuses a folder below it' not "$FLEET" setup -D open/ours -S tls://a h1
check 'setup refuses a link' not "$FLEET" setup -D link h3
check 'setup follows no link to write what openssl says' not sh -c "echo kept >target && ln -s $T/target fleet/hosts/h3/etc/dtrace-fleet/host.log && rm fleet/hosts/h3/etc/dtrace-fleet/host.key && '$FLEET' setup h3"
check 'the file behind that link stays' grep -qx kept target
rm -f fleet/hosts/h3/etc/dtrace-fleet/host.log
check 'setup makes a key that is missing' "$FLEET" setup h3
check 'the policy of a new host lists all viewers' [ "$(grep -c '^key ' fleet/hosts/h3/etc/dtrace-fleet/policy)" = 2 ]
check 'the server lists all users' [ "$(sed -n 's/.*user: "\([^"]*\)".*/\1/p' $server/users.conf | tr '\n' ' ')" = 'h1 h2 h3 ann bob root ' ]
check 'each server lists the same users' cmp $server/users.conf fleet/servers/10.1.2.3/etc/dtrace-fleet/users.conf
check 'setup adds an administrator' "$FLEET" setup --admin olga
check 'the viewers get the keys of both administrators' sh -c 'cat fleet/admins/olga/plan-line '$admin'/plan-line | cmp - fleet/viewers/bob/admins'
check 'a viewer cannot become a host, too' not "$FLEET" setup bob
check 'no files are made for the refused host' [ ! -e fleet/hosts/bob ]
check 'setup fails without openssl' not env PATH=/nowhere "$FLEET" setup -D other -S tls://a h1
rm -rf fleet/hosts/h2
check 'setup works after a host has been removed' "$FLEET" setup h1
check 'the server does not list the removed host' not grep -q '"h2"' $server/users.conf
if command -v nats-server >/dev/null; then
	sed "s|/etc/dtrace-fleet|$PWD/$server|" $server/../nats-server.conf >conf
	ln -s "$PWD/$server" dtrace-fleet
	check 'nats-server reads its configuration' nats-server -c conf -t
fi
echo "$checks checks"
exit $bad
