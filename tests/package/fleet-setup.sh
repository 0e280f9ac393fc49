# The commands of docs/fleet.md, "Set up", work when they are typed literally in a clean Debian, with
# Debian's apt and nats-server. A chroot has no systemd: its systemctl starts what a unit says, as
# the unit's user.
. tests/package/lib.bash

# This script calls itself in a new network namespace as "fleet-setup.sh type ROOT". It then runs
# the commands in ROOT/srv/commands, and makes seven connections, which the host counts.
if [ "${1:-}" = type ]; then
	ip link set lo up
	cd "$2" && out=$3
	chroot . bash -e -x /srv/commands >"$out" 2>"$out.err" </dev/null &
	shell=$!
	for ((i = 0; i < 1200; i++)); do
		compgen -G 'var/lib/dtrace-fleet/runs/*/agg' >/dev/null && break
		kill -0 $shell 2>/dev/null || break
		sleep 0.1
	done
	python3 - <<'P'
import socket
listener = socket.create_server(("127.0.0.1", 4999))
for _ in range(7):
    s = socket.create_connection(("127.0.0.1", 4999))
    listener.accept()[0].close()
    s.close()
P
	wait $shell
	status=$?
	kill $(cat run/services) 2>/dev/null
	exit $status
fi

[ "$(uname -n)" = fleet1 ] || [ -n "${PACKAGE_NAMED:-}" ] || PACKAGE_NAMED=1 exec unshare -u bash -c 'hostname fleet1; exec bash "$0"' "$0"
timeout 120 "$DTRACE" -qn 'BEGIN { exit(0) }' >/dev/null 2>&1 || skip 'no BPF here'
make_root
make_package
[ -f "$fleet_deb" ] || skip "dtrace-fleet is not built"
archives=$(bash tests/package/root "$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")") || exit
archives=$(dirname "$archives")/archives
mkdir -p "$archives" "$root/srv/build"
mount --bind "$archives" "$root/var/cache/apt/archives"
cp "$deb" "$fleet_deb" "$root/srv/build"
cp /etc/resolv.conf "$root/etc/"
# Makes the files that the installation and the first start of a machine write.
echo '127.0.0.1 localhost fleet1' >"$root/etc/hosts"
od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$root/etc/machine-id"
# Packages stay in the cache, and apt asks no questions.
echo 'APT { Keep-Downloaded-Packages "true"; Get::Assume-Yes "true"; };' >"$root/etc/apt/apt.conf.d/test"
rm -f "$root/etc/apt/apt.conf.d/docker-clean"
cat >"$root/usr/local/bin/systemctl" <<'S'
#!/bin/bash
# systemctl ... UNIT: starts the unit's command as its user, with its folder and its options.
unit=${!#} file=/lib/systemd/system/${!#}.service
of() { sed -n "s/^$1=//p" "$file"; }
case "$*" in
"restart $unit" | "enable --now $unit") ;;
*) echo "systemctl $*: not in this test" >&2; exit 1 ;;
esac
[ -z "$(of StateDirectory)" ] || install -d -m "$(of StateDirectoryMode)" "/var/lib/$(of StateDirectory)" || exit
environment=$(of EnvironmentFile)
[ -z "$environment" ] || . "${environment#-}" || exit
user=$(of User)
eval "set -- $(of ExecStart | sed 's/\$MAINPID//')"
setsid setpriv ${user:+--reuid="$user" --regid="$(of Group)" --init-groups} "$@" >>/run/$unit.log 2>&1 </dev/null &
echo $! >>/run/services
S
chmod 755 "$root/usr/local/bin/systemctl"

sed -n '/^## Set up/,/^##* More machines/p' docs/fleet.md | sed -n '/^```sh$/,/^```$/{/^```/d;p}' >"$root/srv/all"
what='docs/fleet.md has no commands'
checks=$((checks + 1))
[ "$(wc -l <"$root/srv/all")" -gt 10 ] || wrong "$(cat "$root/srv/all")"
cd "$root/srv" && {
	echo 'cd ~/build'
	grep '^apt ' all
} >commands
cd "$OLDPWD" || exit
what='apt install'
as_root() { env -i HOME=/srv PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C TZ=UTC "$@"; }
as_root chroot "$root" bash -e /srv/commands >"$out" 2>"$err" </dev/null
status=$?
if [ $status != 0 ] && grep -qE 'Failed to fetch|Unable to fetch|Temporary failure|Unable to locate package' "$err" "$out"; then
	skip "packages of Debian cannot be had: $(grep -m 1 -E '^(E|Err)' "$err")"
fi
status 0
[ -d "$root/etc/dtrace-fleet" ] || wrong "the package has no /etc/dtrace-fleet"
[ ! -e "$root/etc/dtrace-fleet/policy" ] || wrong "the package contains a policy"

# Runs the other commands, in one shell.
{
	echo 'cd ~/build'
	grep -v '^apt ' "$root/srv/all"
} >"$root/srv/commands"
what='the set-up of docs/fleet.md'
timeout 200 unshare -n env -i HOME=/srv PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C TZ=UTC \
	DTRACE="$DTRACE" bash "$PWD/tests/package/fleet-setup.sh" type "$root" "$tmp/said"
status=$?
cp "$tmp/said" "$out"
cp "$tmp/said.err" "$err"
status 0
out_has '^fleet1 +expected '
out_has '^ +fleet1 +4999 +7$'
err_has '^dtrace-fleet: 1 host asked: 1 whole$'
[ "$bad" = 0 ] || { cat "$err" "$root"/run/*.log; }
finish
