# Tests the systemd unit of the agent. For this, the test starts a systemd of its own, which runs in
# namespaces, on a copy of the root file system (an overlay in memory), and has no other units.
set -u
export LC_ALL=C TZ=UTC
: "${DTRACE:?must be the path of the dtrace command}" "${FLEET:?must be the path of dtrace-fleet}"
systemd=/lib/systemd/systemd top=$PWD
slow=${SLOW:-1} # factor for all times: a virtual machine of tests/vm is slow

skip() {
	echo "SKIP: $*"
	exit 77
}
wrong() {
	echo "WRONG: $*"
	bad=1
}
until_true() { # until_true SECONDS COMMAND: repeats the command until it succeeds, for SECONDS * SLOW at most
	local end=$((SECONDS + slow * $1))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}

# Commands that run in the copied root, as a service beside the agent.
drive() {
	bad=0 checks=12
	dir=/var/lib/dtrace-fleet
	export DTRACE_FLEET_KEY=/run/key
	main_pid() { systemctl show -P MainPID dtrace-fleet; }
	keeper() { pgrep -f "^[^ ]*dtrace-fleet keep $dir/runs/$id " | head -n 1; }
	another() { [ "$(main_pid)" != 0 ] && [ "$(main_pid)" != "$1" ]; }
	ask() { # ask SECONDS GRACE: starts a run of SECONDS * SLOW in the background, and sets $viewer and $id
		: >/run/err
		dtrace-fleet run -d $((slow * $1)) --grace "$2" --rate 0.1 -n 'tick-10ms { @ = count(); }' >/run/out 2>/run/err &
		viewer=$!
		until_true 20 grep -q '^dtrace-fleet: run ' /run/err || wrong 'the viewer starts no run'
		id=$(sed -n 's/^dtrace-fleet: run //p' /run/err)
		until_true 30 test -s "$dir/runs/$id/agg" || wrong "the host has no file: $(cat /run/err)"
	}
	# If the unit's control group has controllers, each run has a group inside the unit's group.
	unit=/sys/fs/cgroup/system.slice/dtrace-fleet.service
	bounded() { [ "$(cat $unit/dtrace-fleet.*.run-"$id"/pids.max)" = 128 ]; }
	ip link set lo up
	dtrace-fleet keygen /run/key >/run/keyline
	mkdir -p /etc/dtrace-fleet /etc/default
	{
		cat /run/keyline
		printf 'rate 100\nseconds 1000\nlease %d\n' $((3 * slow))
	} >/etc/dtrace-fleet/policy
	# LeakSanitizer needs the rights that a command gives up.
	printf '%s\n' 'DTRACE_FLEET_OPTIONS=-v -H box' ASAN_OPTIONS=detect_leaks=0 >/etc/default/dtrace-fleet
	printf 'listen: 127.0.0.1:4222\njetstream { store_dir: "/run/js", max_file_store: 2TB }\n' >/run/nats.conf
	nats-server -c /run/nats.conf >/run/nats.log 2>&1 &
	until_true 20 dtrace-fleet setup 2>/run/setup.err || wrong "$(cat /run/setup.err /run/nats.log)"

	timeout 300 systemctl start dtrace-fleet || wrong 'the service does not start'
	until_true 20 systemctl -q is-active dtrace-fleet || wrong "$(systemctl status dtrace-fleet)"
	checks=$((checks + 1))
	systemctl show -p CapabilityBoundingSet -p UMask -p RestrictSUIDSGID -p RestrictNamespaces dtrace-fleet >/run/bounds
	grep -q UMask=0077 /run/bounds && grep -q RestrictSUIDSGID=yes /run/bounds && ! grep -q 'module\|RestrictNamespaces=no' /run/bounds || wrong "the unit has these bounds: $(cat /run/bounds)"
	until_true 20 test -d $dir # systemd makes $dir just before it executes the agent
	[ "$(stat -c %a $dir)" = 700 ] || wrong "$dir is $(stat -c %a $dir)"
	ask 10 20
	if grep -qw pids $unit/cgroup.controllers; then
		checks=$((checks + 3))
		bounded || wrong "the run has no control group: $(ls $unit)"
		[ ! -s $unit/cgroup.procs ] || wrong 'the agent is in the group of its unit'
	fi
	before=$(main_pid) kept=$(keeper)
	kill -9 "$before"
	until_true 20 another "$before" || wrong 'systemd does not restart the agent'
	[ -n "$kept" ] && [ "$(keeper)" = "$kept" ] || wrong 'the run ended with the agent'
	if grep -qw pids $unit/cgroup.controllers; then
		until_true 20 bounded || wrong 'the next agent does not bound the run'
	fi
	wait $viewer || wrong "status $?"
	grep -q '^dtrace-fleet: 1 host asked: 1 whole$' /run/err || wrong "$(cat /run/err)"
	dtrace -q --merge $dir/runs/$id/agg | cmp - /run/out || wrong 'the host has another file'

	# An upgrade of the package starts the agent again, and its runs continue. SIGHUP does not
	# end the agent. A first installation does not end an agent that runs already.
	if command -v deb-systemd-invoke >/dev/null; then
		checks=$((checks + 4))
		ask 8 20
		before=$(main_pid)
		systemctl reload dtrace-fleet || wrong 'it cannot be reloaded'
		sh /run/postinst configure '' || wrong "postinst has status $?"
		[ "$(main_pid)" = "$before" ] || wrong 'a reload or a first installation starts it again'
		sh /run/postinst configure 0.9 || wrong "postinst has status $?"
		another "$before" || wrong 'an upgrade does not start it again'
		wait $viewer || wrong "status $?"
		grep -q '^dtrace-fleet: 1 host asked: 1 whole$' /run/err || wrong "$(cat /run/err)"
	fi

	# When the agent is stopped, its runs continue until their leases end.
	ask 50 1
	kept=$(keeper)
	timeout 300 systemctl stop dtrace-fleet || wrong 'the service does not stop'
	systemctl -q is-active dtrace-fleet && wrong 'the service is still active'
	kill -0 "$kept" || wrong 'the run ended with the service'
	until_true 20 test -e "$dir/runs/$id/end" || wrong 'the run does not end with its lease'
	[ "$(tail -n 1 $dir/runs/$id/end)" = "lease the server was away for $((3 * slow)) seconds" ] || wrong "$(cat $dir/runs/$id/end)"
	kill $viewer
	echo "$checks checks"
	return $bad
}

# Creates a root directory at $1/root. Changes inside it are not visible outside.
make_root() {
	mount -t tmpfs none "$1" && mkdir "$1/up" "$1/work" "$1/root" || return
	mount -t overlay none -o "lowerdir=/,upperdir=$1/up,workdir=$1/work" "$1/root" && cd "$1/root" || return
	mount --rbind /sys sys && umount -l sys/fs/cgroup
	mount -t tmpfs none dev && cp -a /dev/{null,zero,full,random,urandom,tty} dev/ && mkdir dev/shm
	mount -t tmpfs none run && mount -t tmpfs none tmp || return
	install "$DTRACE" "$FLEET" usr/sbin/
	cp "$top/fleet/setup/dtrace-fleet.service" etc/systemd/system/
	cp "$top/tests/fleet/unit.sh" "$top/fleet/setup/postinst" run/
	rm -f usr/sbin/policy-rc.d # images of containers may have this file, which forbids services
	for target in sysinit basic network-online; do # these replace the targets of the host system
		echo '[Unit]' >etc/systemd/system/$target.target
	done
	printf '%s\n' '[Unit]' DefaultDependencies=no '[Service]' Type=oneshot \
		'Environment=DTRACE=/usr/sbin/dtrace FLEET=/usr/sbin/dtrace-fleet ASAN_OPTIONS=detect_leaks=0' "Environment=SLOW=$slow" 'ExecStart=/bin/bash /run/unit.sh drive' \
		StandardOutput=file:/run/said StandardError=inherit \
		"ExecStopPost=/bin/sh -c 'echo \$EXIT_STATUS >/run/status; systemctl exit --force'" \
		>etc/systemd/system/drive.service
}

# The first process of new namespaces becomes systemd.
become_systemd() {
	mount -t proc none proc && mount --bind proc/sys proc/sys && mount -o remount,ro,bind proc/sys &&
		mount -t cgroup2 none sys/fs/cgroup || exit
	exec env -i container=test PATH="$PATH" chroot . $systemd --system --unit=drive.service --log-target=console \
		--show-status=no </dev/null
}

case ${1:-} in
drive)
	drive
	exit
	;;
boot) # only the process that becomes systemd enters the group; those that wait for it do not
	echo 0 >"$3/cgroup.procs" && grep -q "/${3##*/}\$" /proc/self/cgroup || exit
	exec unshare -mC bash "$0" first "$2"
	;;
first)
	cd "$2/root" && become_systemd
	exit 1
	;;
esac

[ "$(id -u)" = 0 ] || skip 'a separate systemd needs root'
[ -x $systemd ] || skip 'no systemd here'
for c in nats-server ip unshare systemd-analyze; do
	command -v "$c" >/dev/null || skip "no $c command here"
done
timeout 120 "$DTRACE" -qn 'BEGIN { exit(0) }' >/dev/null 2>&1 || skip 'no BPF here'
if [ -z "${UNIT_INSIDE:-}" ]; then
	unshare -m true 2>/dev/null || skip 'no namespaces here'
	UNIT_INSIDE=1 exec unshare -m --propagation private bash "$0"
fi
bad=0
T=$(mktemp -d)
root=$T/root
tree=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=$tree/dtrace-unit-$$ beside=$tree/dtrace-unit-beside-$$
clean() {
	cd / && umount -R "$T" && rmdir "$T"
	find "$group" "$beside" -depth -type d -exec rmdir {} + 2>/dev/null
}
trap clean EXIT
make_root "$T" || skip 'no overlay here'
# The control groups of this systemd are below a group that the test creates, because systemd
# removes empty groups in its tree.
[ -n "$tree" ] && mkdir "$group" "$beside" || skip 'no control groups here'
[ -e "$group/cgroup.procs" ] || skip "no control groups in $tree"
# Without /proc, systemd-analyze takes no command for executable under Linux 6.12.
mount -t proc none "$root/proc" || skip 'no /proc in another root'
said=$(chroot "$root" systemd-analyze verify --man=no dtrace-fleet.service 2>&1 | grep dtrace-fleet)
umount "$root/proc"
[ -z "$said" ] || wrong "$said"
timeout -k 5 $((200 * slow)) unshare -mpnui --fork --kill-child bash "$top/tests/fleet/unit.sh" boot "$T" "$group" \
	>"$T/boot.log" 2>&1
[ -d "$beside" ] || wrong 'systemd removed a control group outside of its own group'
cat "$root/run/said" || wrong "$(tail -n 20 "$T/boot.log")"
[ "$(cat "$root/run/status")" = 0 ] || wrong "status $(cat "$root/run/status")"
exit $bad
