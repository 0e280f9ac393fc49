# results.bash - reports the results of test scripts. live/lib.bash and vm/lib.bash source it.
failed=0

skip() {
	echo "SKIP: $*"
	exit 77
}

fail() {
	echo "FAIL: $*"
	failed=1
}

# same_files WHAT WANTED GOT: prints ok if the files are equal, else fails with their difference
same_files() {
	local lines

	if cmp -s "$2" "$3"; then
		mapfile -t lines <"$2" # no process, which would take time in a guest
		echo "ok: $1 (${#lines[@]} lines)"
	else
		fail "$1 (< wanted, > got)"
		diff "$2" "$3" | head -40
	fi
}

finish() {
	exit "$failed"
}
