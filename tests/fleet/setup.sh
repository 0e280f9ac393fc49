# dtrace-fleet setup makes certificates that prove what they should, keeps what exists, and gives
# viewers keys that hosts accept.
set -u
export LC_ALL=C TZ=UTC
: "${FLEET:?must be the path of dtrace-fleet}"
unset DTRACE_FLEET_SERVER DTRACE_FLEET_NAME
command -v openssl >/dev/null || { echo 'SKIP: no openssl here'; exit 77; }
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
bad=0 checks=0
check() { # check WHAT COMMAND...
	checks=$((checks + 1))
	"${@:2}" >"$T/said" 2>&1 || { echo "WRONG: $1: $(cat "$T/said")"; bad=1; }
}
not() { ! "$@"; }
cd "$T" || exit
umask 077
check setup "$FLEET" setup -S tls://a.example:4222,tls://10.1.2.3,tls://c --fleet blue h1 h2 --viewer ann --admin root
proves() { openssl verify -purpose "$1" -CAfile "fleet/ca/$2.pem" "$3"; }
server=fleet/servers/a.example/etc/dtrace-fleet host=fleet/hosts/h1/etc/dtrace-fleet
check 'a server, for clients' proves sslserver servers $server/server.pem
check 'a server, for servers' proves sslclient servers $server/server.pem
check 'a host' proves sslclient members $host/host.pem
check 'a host is no server' not proves sslserver members $host/host.pem
check 'a host is nobody to servers' not proves sslclient servers $host/host.pem
check 'a viewer' proves sslclient members fleet/viewers/ann/ann.pem
check 'a host signs nobody' not openssl verify -partial_chain -CAfile $host/host.pem fleet/viewers/ann/ann.pem
check 'the name of a server' openssl verify -verify_hostname a.example -CAfile $host/ca.pem $server/server.pem
check 'the address of a server' openssl verify -verify_ip 10.1.2.3 -CAfile $host/ca.pem fleet/servers/10.1.2.3/etc/dtrace-fleet/server.pem
check 'the CA of members is at the server' cmp fleet/ca/members.pem $server/members.pem
check 'the key of a viewer' grep -qx "$(cat fleet/viewers/ann/policy-line)" $host/policy
check 'the fleet' grep -qx 'fleet blue' $host/policy
for secret in $(find fleet -name '*key*' ! -name policy-line); do
	check "$secret is secret" [ "$(stat -c %a "$secret")" = 600 ]
done
for open in $host/host.pem $host/policy $server/users.conf fleet/hosts/h1/etc/default/dtrace-fleet fleet/servers/a.example/etc/nats-server.conf; do
	check "$open can be read" [ "$(stat -c %a "$open")" = 644 ]
done
check 'no keys of CAs elsewhere' [ "$(find fleet -name 'servers.key' -o -name 'members.key' | grep -vc '^fleet/ca/')" = 0 ]

# Later, a host and a viewer are added. Keys and certificates stay, and so do policies.
find fleet -name '*.pem' -o -name '*key*' -o -name policy | sort | xargs sha256sum >before
check 'more members' "$FLEET" setup h3 --viewer bob
check 'what exists stays' sha256sum -c --quiet before
check 'the viewers of a new host' [ "$(grep -c '^key ' fleet/hosts/h3/etc/dtrace-fleet/policy)" = 2 ]
check 'the users' [ "$(sed -n 's/.*user: "\([^"]*\)".*/\1/p' $server/users.conf | tr '\n' ' ')" = 'h1 h2 h3 ann bob root ' ]
check 'the same users at each server' cmp $server/users.conf fleet/servers/10.1.2.3/etc/dtrace-fleet/users.conf
check 'a member has one role' not "$FLEET" setup bob
check 'nothing of it is made' [ ! -e fleet/hosts/bob ]
check 'without openssl' not env PATH=/nowhere "$FLEET" setup -D other -S tls://a h1
rm -rf fleet/hosts/h2
check 'a member less' "$FLEET" setup h1
check 'the users without it' not grep -q '"h2"' $server/users.conf
if command -v nats-server >/dev/null; then
	sed "s|/etc/dtrace-fleet|$PWD/$server|" $server/../nats-server.conf >conf
	ln -s "$PWD/$server" dtrace-fleet
	check 'nats-server reads its configuration' nats-server -c conf -t
fi
echo "$checks checks"
exit $bad
