# After fail() or same(), a test still has status 0 until finish() returns the verdict. So each test
# that sources live/lib.bash or cli/lib.bash ends with finish, or with a command whose status is the
# verdict. A trap on EXIT replaces the trap of the library, so it must call the same functions.
set -u
cd "$(dirname "$0")/../.." || exit 1
bad=0 n=0
for f in tests/live/*/*.sh tests/matrix/*.sh tests/cli/*/*.sh; do
	grep -qE '^\. .*(lib|hostile|peer|rows)\.bash' "$f" || continue
	n=$((n + 1))
	last=$(grep -v '^[[:space:]]*#' "$f" | grep . | tail -n 1)
	if grep -qE '(^|[;&|({[:space:]])(fail|same|same_files|wrong|run|status|out|err) ' "$f" &&
		! grep -qE '^([^#]*[;&| ])?(finish|exit|exec)\b' <<<"$last"; then
		echo "$f: its last command is no finish: $last"
		bad=1
	fi
	case $f in
	tests/live/*)
		while read -r line; do
			name=$(sed -n 's/^[[:space:]]*trap \([a-z_]*\) EXIT.*/\1/p' <<<"$line")
			if [ -n "$name" ]; then
				line=$(sed -n "/^$name() {/,/^}/p" "$f")
			fi
			[[ $line == *live_end* ]] || { echo "$f: a trap on EXIT without live_end"; bad=1; }
		done < <(grep -E '^[[:space:]]*trap .* EXIT' "$f")
		;;
	esac
done
[ $n -gt 150 ] || { echo "only $n tests were found"; bad=1; }
exit $bad
