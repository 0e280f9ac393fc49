# Live tests under Debian's kernels. The oldest kernel runs the tests of the providers of the host
# (processes, scheduler, disks, counters), mib, flame graphs, drops and backups. The newer kernels
# run the tests of drops, of backups, and of single TCP segments, whose owners only these kernels
# report. With HOSTS=all, the newer kernels also run the tests of the oldest one.
. "$(dirname "$0")/lib.bash"

command -v strace >/dev/null || skip "no strace command here"
helpers procs threads counters traffic peer sleeper busy
# shellcheck disable=SC2016
under_all hosts env HOSTS="${HOSTS:-}" LIVES=40 ROUNDS=80 REQUESTS=200 TIMES=100 TELLS=500 bash -c '
	[ -e /dev/loop-control ] || mknod /dev/loop-control c 10 237 # opening it loads the module
	tests="process/proc process/sched process/io process/counters packets/mib stack/flames"
	case $(uname -r) in
	6.1.*) ;;
	*) tests="${HOSTS:+$tests} tcp/states tcp/resets" ;;
	esac
	for t in packets/drops run/backups $tests; do bash "$1/$t.sh" || status=1; done
	exit ${status:-0}' - "$VM/../live"
for deb in $kernels; do
	r=$(release "$deb")
	sed "s/^/$r: /" "$T/hosts.$r"
done
finish
