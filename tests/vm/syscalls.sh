# The syscall provider, and clauses that are split into several programs, under Debian's kernels.
. "$(dirname "$0")/lib.bash"

helpers syscalls calls
# The clauses of an fbt probe are split into several programs. Each of the 100 clauses runs only if
# this->n has the value that the previous clause assigned.
{
	echo 'fbt::vfs_read:entry, fbt::vfs_read:return /pid == $target/ { this->n = 1; }'
	for ((i = 0; i < 100; i++)); do
		echo "fbt::vfs_read:entry, fbt::vfs_read:return /this->n == $((i + 1))/ { @a$i[probename] = count(); this->n++; }"
	done
	echo 'fbt::vfs_read:entry, fbt::vfs_read:return /this->n/ { @last[probename, this->n] = count(); }'
	echo 'END { printa("%s %d %@d\n", @last); }'
} >"$T/functions.d"
CALLS=1000 # a guest's kernel, which is emulated, takes a second for a million firings
CLAUSES=300 # three programs; the emulated verifier takes a minute for the eight programs of 1,000 clauses
# These programs have hundreds of maps for aggregations. With maps of the usual size, most of the
# time would be spent on maps. Other tests use the usual size.
# shellcheck disable=SC2016
under_all syscalls env CALLS=$CALLS CLAUSES=$CLAUSES DTRACE_OPT_aggsize=64k bash -c 'bash "$1/process/syscalls.sh" && bash "$1/probes/split.sh" && "$DTRACE" -qs "$2/functions.d" -c "$HELPERS/syscalls $CALLS"' \
	- "$VM/../live" "$T"
for deb in $kernels; do
	r=$(release "$deb")
	grep -E '^(entry|return) ' "$T/syscalls.$r" | sed 's/100[0-9]$/100N/' | grep 101 | sort >"$T/seen"
	printf '%s\n' 'entry 101 100N' 'return 101 100N' >"$T/want"
	same_files "$r" "$T/want" "$T/seen"
done
finish
