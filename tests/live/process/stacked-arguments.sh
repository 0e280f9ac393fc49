# At the entry of a function, arg0 to arg9 are its arguments, also those on the stack. If no probe of
# a clause has an argument, dtrace warns that it is 0.
. "$(dirname "$0")/../lib.bash"

cat >"$T/many.c" <<'END'
__attribute__((noinline, noclone)) long many(long a, int b, unsigned char c, long d, long e, long f,
					     long g, int h, unsigned short i, long j)
{
	__asm__ volatile("");
	return a + b + c + d + e + f + g + h + i + j;
}

int main(void)
{
	return many(1, -2, 3, 4, 5, 6, -7, -8, 65535, 1L << 60) == 0;
}
END
cc -O1 -o "$T/many" "$T/many.c" || fail 'cc'
cat >"$T/many.d" <<'END'
pid$target:many:many:entry
{
	printf("%d %d %d %d %d ", arg0, (int)arg1, (unsigned char)arg2, arg3, arg4);
	printf("%d %d %d %d %x\n", arg5, arg6, (int)arg7, (unsigned short)arg8, arg9);
}

pid$target:many:many:return
{
	printf("%x %d %d\n", arg1, arg0, arg2);
}

pid$target:many:many:0
{
	printf("%d %d\n", arg3, arg9);
}
END
"$DTRACE" -qs "$T/many.d" -c "$T/many" >"$T/out" 2>"$T/err" || fail "$(cat "$T/err")"
sort "$T/out" >"$T/sorted"
same arguments "
1 -2 3 4 5 6 -7 -8 65535 1000000000000000
1000000000010001 0 0
4 0" "$(cat "$T/sorted")"
for what in arg0:return arg2:return arg9:0; do
	grep -q "^dtrace: ${what%:*} is always 0: pid[0-9]*:many:many:${what#*:} has no such argument$" "$T/err" ||
		fail "no warning about $what: $(cat "$T/err")"
done
same warnings 3 "$(wc -l <"$T/err")"

# A clause for several probes may use an argument that some of them have.
"$DTRACE" -en 'syscall:::entry { trace(arg5); } syscall::close:entry, syscall::read:return { trace(arg1); }' >"$T/out" 2>"$T/err"
[ -s "$T/err" ] && fail "a warning: $(cat "$T/err")"
"$DTRACE" -en 'rawtp:::tcp_retransmit_skb { trace(arg9); trace(arg9 + arg9); } profile-97 { trace(arg2); }' >"$T/out" 2>"$T/err"
same 'warnings of other providers' 'dtrace: arg9 is always 0: rawtp:::tcp_retransmit_skb has no such argument
dtrace: arg2 is always 0: profile-97 has no such argument' "$(cat "$T/err")"
finish
