# The providers of the host (processes, scheduler, disks, counters), mib, flame graphs and drops
# under Debian's kernels. Tests of single TCP segments run only where the kernel reports the owners
# of segments (not 6.1).
. "$(dirname "$0")/lib.bash"

helpers procs threads counters traffic peer sleeper busy
# shellcheck disable=SC2016
under_all hosts env LIVES=40 ROUNDS=80 REQUESTS=200 TIMES=100 bash -c '
	[ -e /dev/loop-control ] || mknod /dev/loop-control c 10 237 # opening it loads the module
	case $(uname -r) in 6.1.*) segments= ;; *) segments="tcp/states tcp/resets" ;; esac
	for t in process/proc process/sched process/io process/counters packets/mib stack/flames packets/drops $segments; do bash "$1/$t.sh" || status=1; done
	exit ${status:-0}' - "$VM/../live"
for deb in $kernels; do
	r=$(release "$deb")
	sed "s/^/$r: /" "$T/hosts.$r"
done
finish
