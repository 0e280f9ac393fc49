# A program that is too large for the kernel is reported in terms of D, with the limit.
. "$(dirname "$0")/../lib.bash"

shopt -s lastpipe # a failure in a pipe must reach this shell

refused() { # refused TEXT: checks that dtrace refuses the program on stdin with a message that has TEXT
	local said
	said=$(timeout 300 "$DTRACE" -e -x verify -s /dev/stdin 2>&1) && fail "accepted: $1"
	case $said in
	*"$1"*) ;;
	*) fail "not '$1' but: $said" ;;
	esac
}

{
	echo 'tick-1s {'
	for ((i = 0; i < 64; i++)); do echo "v$i[pid] = 1;"; done
	echo '}'
} >"$T/arrays.d"
DTRACE_OPT_maps=kernel refused 'need 65 BPF maps, but the kernel allows 64 in one program; use fewer associative arrays, self variables and aggregations with keys' <"$T/arrays.d"

# A program with many aggregations still has room for variables. Each aggregation has one map.
{
	echo 'tick-1s {'
	for ((i = 0; i < 63; i++)); do echo "@a$i[pid] = count();"; done
	echo '}'
} >"$T/aggs.d"
DTRACE_OPT_maps=kernel refused 'need 65 BPF maps, but the kernel allows 64 in one program; use fewer associative arrays, self variables and aggregations with keys' <"$T/aggs.d"
{
	echo 'tick-1s {'
	for ((i = 0; i < 20; i++)); do echo "v$i[pid] = 1;"; done
	for ((i = 0; i < 39; i++)); do echo "@a$i[pid] = count();"; done
	echo '}'
} >"$T/maps.d"
for way in arena kernel; do
	timeout 300 "$DTRACE" -e -x verify -x maps=$way -s "$T/maps.d" || fail "$way: a program with many variables and aggregations is refused"
done

# Each of 200 hooks has its own memory for strings.
for ((i = 0; i < 200; i++)); do
	echo "tick-$((1000 + i))ms { this->s = strjoin(execname, probename); @[strjoin(this->s, \"x\")] = count(); }"
done >"$T/strings.d"
timeout 300 "$DTRACE" -e -x verify -s "$T/strings.d" || fail "a program with strings at many hooks is refused"

refused '@lquantize( ): a value needs 40016 bytes, but the kernel allows at most 32768' <<<'BEGIN { @ = lquantize(5, 0, 5000, 1); }'
refused '@lquantize( ): a value needs 40016 bytes, but the kernel allows at most 32768' <<<'BEGIN { @[1] = lquantize(5, 0, 5000, 1); }'
for ((i = 0; i < 40; i++)); do echo "BEGIN { @a$i = quantize(5); }"; done |
	refused 'need more than the 32768 bytes that the kernel allows on each CPU: give some of these aggregations a key'

# Aggregations without a key leave little room. Scratch memory and its lock must still fit.
for ((n = 3600; n <= 4086; n += 9)); do
	said=$("$DTRACE" -e -x verify -n "tcp:::receive, ip:::send { @ = lquantize(pid, 0, $n, 1);
		trace(strjoin(execname, probename) == stringof(curthread->comm)); }" 2>&1) ||
		case $said in
		*'need more than the 32768 bytes that the kernel allows on each CPU'*) [ $n -gt 4070 ] || fail "at $n: $said" ;;
		*) fail "at $n: $said" ;;
		esac
done

# The clauses of a hook are split over several programs. There is also room for the state that these
# programs share.
for ((i = 0; i < 500; i++)); do
	echo "rawtp:::sys_enter { this->a = arg1 + $i; self->s = execname; @[self->s, $i] = count(); n++; }"
done >"$T/parts.d"
for ((n = 4035; n <= 4056; n += 3)); do
	{
		echo "rawtp:::sys_exit { @q = lquantize(arg1, 0, $n, 1); x = strjoin(execname, probename); }"
		cat "$T/parts.d"
	} >"$T/full.d"
	said=$("$DTRACE" -e -s "$T/full.d" 2>&1) || fail "at $n: $said"
done

{
	echo 'int x, y; BEGIN { x = 1; }'
	echo 'BEGIN {'
	for ((i = 0; i < 9000; i++)); do echo "y = x == $i || x == -$i ? y : $i;"; done
	echo '}'
} | refused "failed to enable 'BEGIN': its clauses are too many or too long for the kernel: the verifier \
can keep at most 8192 branches to examine later; the longest clause is that of BEGIN, line 2 of "

# The verifier checks a string routine once, even if a program calls it often.
{
	echo 'string s; BEGIN {'
	for ((i = 0; i < 40; i++)); do echo 's = strstr(s, probename);'; done
	echo '}'
} >"$T/strstr.d"
said=$(timeout 300 "$DTRACE" -e -x verify -x strsize=4096 -s "$T/strstr.d" 2>&1)
[ -z "$said" ] || fail "searches of long strings: $said"
timeout 300 "$DTRACE" -e -x verify -s "$T/strstr.d" || fail "a program with 40 calls of strstr() is refused"
finish
