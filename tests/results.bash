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

# same_files WHAT WANTED GOT
same_files() {
	if cmp -s "$2" "$3"; then
		echo "ok: $1 ($(wc -l <"$2") lines)"
	else
		fail "$1 (< wanted, > got)"
		diff "$2" "$3" | head -40
	fi
}

finish() {
	exit "$failed"
}
