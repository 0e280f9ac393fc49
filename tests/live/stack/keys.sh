# Aggregations have short and long stacks as keys. Each stack is printed once, with all its events,
# also after a clear().
. "$(dirname "$0")/../lib.bash"
cc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o "$T/keys" "$LIVE/helpers/stack-keys.c" || fail "no test program"


cat >"$T/keys.d" <<'D'
syscall::getppid:entry
/pid == $target/
{
	@one[ustack()] = count();
	@two[probefunc, stack(), ustack(), pid] = sum(ustackdepth);
}

syscall::getpgid:entry, END
/pid == $target || probename == "END"/
{
	printa("%k one %@d\n", @one);
	printa("%s%k%k%d two %@d\n", @two);
	clear(@one);
	trunc(@two);
}

syscall::setsid:entry
/pid == $target/
{
	@many[ustack(), stack(), n++] = count();
}
D
many=9000
timeout 200 "$DTRACE" -q -x ustackframes=60 -s "$T/keys.d" -c "$T/keys $many" >"$T/out" 2>"$T/err" || fail "$(cat "$T/err")"
same 'dtrace prints no message' 0 "$(wc -c <"$T/err")" ''

# totals one|two: prints the number of events at each depth of from(), from the printed tables. The
# values of `two` are sums of stack depths, so the function divides them by the depth.
totals() {
	awk -v want="$1" '
		/^keys`from\+/ { calls++ }
		/^(keys|libc[^ ]*)`/ { frames++ }
		/ (one|two) [0-9]+$/ {
			if ($(NF - 1) == want)
				sum[calls + 0] += want == "one" ? $NF : $NF / frames
			calls = frames = 0
		}
		END { for (c in sum) print c, sum[c] }' "$T/out" | sort -n | awk '{ printf "%s%s", sep, $2; sep = " " }'
}
same 'thirty kernel stacks, each with its events' "$(seq -s ' ' 2 2 60)" "$(totals one)"
same 'thirty stacks of kernel and process' "$(seq -s ' ' 2 2 60)" "$(totals two)"
awk '/^ +[0-9]+ +1$/ { print s; s = ""; next } / (one|two) [0-9]+$/ { s = ""; next } NF { s = s $1 " " }' "$T/out" >"$T/many"
same 'many keys with one stack' "$many" "$(wc -l <"$T/many")"
same 'all of these keys have one stack' 1 "$(sort -u "$T/many" | wc -l)"

finish
