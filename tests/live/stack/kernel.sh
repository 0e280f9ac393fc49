# stack() shows the callers of an event, innermost first, without frames of tracing. The test knows
# these callers. It checks stack() as an action, as a key, printed, and in samples. stackcollapse.pl
# of the flame graph tools can read the text.
. "$(dirname "$0")/../lib.bash"
need perl dd
helper traffic

SPACES=one
ns one
PORT=47011 # no listener, and no other client
DROP='
inline struct sk_buff *skb = (struct sk_buff *)args[0];
inline uint16_t port = ((struct udphdr *)(skb->head + skb->transport_header))->dest;'
drops() {
	in_ns one "$T/traffic" udp 127.0.0.1 $PORT 100 "$1" || fail "no traffic"
}

# Prints one line per stack, innermost frame first: "vmlinux`a+0x1 vmlinux`b+0x2 = 5". Prints "not a
# stack" for each line other than frames and counts.
stacks() {
	awk -v file="$1" '
		/READY/ || /^$/ { next }
		/^ *[0-9]+$/ { print s "= " $1; s = ""; next }
		/^              [a-zA-Z_][a-zA-Z0-9_]*`[a-zA-Z_][a-zA-Z0-9_.]*(\+0x[1-9a-f][0-9a-f]*)?$/ ||
		/^              0x[0-9a-f]+$/ { s = s $1 " "; next }
		{ print "not a stack: " $0 }' "$T/$1.out"
}

# Frames of tracing itself, which must not be shown.
OWN='bpf_(prog|trace|trampoline|get)|_bpf_|__traceiter'

# ------------------------------------------------------------ keys of drops

# A second tracer changes how the kernel calls the program of the first.
dt_start keys -x footer -n "$DROP rawtp:::kfree_skb /port == htons($PORT)/ { @[stack(12)] = count(); }" || finish
drops 30
dt_start more -n 'rawtp:::kfree_skb { @ = count(); }' || finish
drops 20
dt_stop keys
dt_stop more
lossless keys
stacks keys >"$T/keys"
same 'the stacks of all 50 drops are counted' 50 "$(awk '{ n += $NF } END { print n + 0 }' "$T/keys")"
same 'each stack shows who dropped the datagram' "$(wc -l <"$T/keys")" \
	"$(grep -cE '^vmlinux`(sk_skb_reason_drop|kfree_skb_reason|kfree_skb|__kfree_skb)\+.* vmlinux`__udp4_lib_rcv\+.*vmlinux`(ip_protocol_deliver_rcu|ip_local_deliver)' "$T/keys")"
same 'no stack has frames of tracing itself' 0 "$(grep -cE "$OWN|not a stack" "$T/keys")"
same 'a stack is printed once' "$(wc -l <"$T/keys")" "$(sed 's/ =.*//' "$T/keys" | sort -u | wc -l)"
same 'the stack of drops has twelve frames' 12 "$(sed -n '1s/ =.*//p' "$T/keys" | wc -w)"

# --------------------------------------------------------------- as an action

dt_start act -x stackframes=4 -x stackindent=2 \
	-n "$DROP rawtp:::kfree_skb /port == htons($PORT)/ { stack(); printf(\"two:%-3k:\", stack(2)); }" || finish
drops 1
dt_stop act
same 'stack() prints as many frames as -x stackframes says' 4 "$(sed '/two:/,$d' "$T/act.out" | grep -cE '^  [a-z]+`[^ ]+$')"
same 'printf() prints a stack with %k' 'two: sk_skb_reason_drop __udp4_lib_rcv :' "$(sed -n '/two:/,$p' "$T/act.out" |
	sed -E 's/^   vmlinux`([a-z0-9_]+)\+0x[0-9a-f]+ *$/\1/; s/kfree_skb(_reason)?/sk_skb_reason_drop/' |
	grep . | paste -sd ' ')"

# ------------------------------------------------- where stable probes are fired

if why=$(timeout 120 "$DTRACE" -qe -n 'cgroup_skb:::egress { stack(); }' 2>&1); then
	dt_start send -n "ip:::send /args[2]->ip_plength == 128 && args[3]->if_ipstack == $(inum one)/ {
		@[stack(), execname] = count(); } ip:::receive /args[2]->ip_plength == 128 &&
		args[3]->if_ipstack == $(inum one)/ { @r[args[2]->ip_daddr, stack(3)] = count(); }" || finish
	in_ns one "$T/traffic" udp 127.0.0.1 $PORT 120 25
	dt_stop send
	same 'the stack of ip:::send begins with a function of IP' 25 "$(awk '/^$/ { top = 1; next } top { first = $1; top = 0 }
		/^  traffic/ && first ~ /`(ip|__ip)_/ { n += $NF } END { print n + 0 }' "$T/send.out")"
	same 'the stack of ip:::send contains the caller sendto()' 1 "$(sed '/127.0.0.1/,$d' "$T/send.out" | grep -c '`__sys_sendto+')"
	same 'the stack of ip:::receive begins in the device layer' 1 \
		"$(sed '1,/^  127.0.0.1/d' "$T/send.out" | head -1 | grep -c '^              vmlinux`__netif_receive_skb')"
	same 'no frames of tracing itself at ip:::send' 0 "$(grep -cE "$OWN" "$T/send.out")"
elif [[ $why == *'cannot be used'* ]]; then # otherwise the probe does not exist
	same 'an error where the kernel gives no stack' "cannot be used in cgroup_skb:::egress: this kernel shows no stack at the probe's hook cgroup_skb:::egress" \
		"$(echo "$why" | grep -o 'cannot be used.*')" ''
fi
if why=$(timeout 120 "$DTRACE" -qe -x nocast -n 'cgroup_skb:::egress { @[stack()] = count(); }' 2>&1) ||
	[[ $why == *'cannot be used'* ]]; then
	same 'an error on kernels that give no stack' 'stack( ) cannot be used in cgroup_skb:::egress' \
		"$(echo "$why" | grep -o 'stack( ) cannot be used in cgroup_skb:::egress')"
fi
# The first function of each stack belongs to the network code.
if timeout 300 "$DTRACE" -qe -n 'tcp::: { stack(); }' 2>"$T/err"; then
	background srv one "$T/traffic" echo 127.0.0.1 5002 || finish
	# The program omits two probes: existing fires in dtrace, and accept fires at the return of
	# a system call. It omits idle CPUs too: a kernel may refuse bpf_get_task_stack() for their
	# tasks (EPERM).
	dt_start tcp -n 'tcp::: /pid && probename != "existing" && probename != "accept"/ { @[stack(2)] = count(); }' || finish
	in_ns one "$T/traffic" ping 127.0.0.1 5002 3 || fail 'no traffic'
	in_ns one "$T/traffic" tcp 127.0.0.1 81 1 2>/dev/null
	dt_stop tcp
	stacks tcp >"$T/tcp"
	same 'tcp probes begin in the network code' none "$(awk '{ print $1 }' "$T/tcp" |
		grep -vE '^vmlinux`(tcp_|skb_copy_|call_trace_sock_|ip_|ip6_|inet_|sk_|__sk_|kfree_skb|__dev_|dev_|__netif)' || echo none)" ''
	same 'there are several different stacks' 1 "$(($(wc -l <"$T/tcp") >= 8))" " ($(wc -l <"$T/tcp"))"
fi
same 'the stack of BEGIN is that of dtrace itself' 1 "$(timeout 120 "$DTRACE" -qn 'BEGIN { stack(); exit(0); }' | grep -c '`__sys_bpf+')"

# -------------------------------------------------------------------- samples

setpriv --pdeathsig KILL dd if=/dev/zero of=/dev/null bs=1M 2>/dev/null &
busy=$!
# Runs as long as needed: a busy machine gives the process little time.
timeout 120 "$DTRACE" -x stackframes=100 -o "$T/kern" \
	-n "profile-997 /arg0 && pid == $busy/ { @[stack()] = count(); n++; } tick-100ms /n >= 300/ { exit(0); }" 2>"$T/err" ||
	fail "$(cat "$T/err")"
kill "$busy"
wait "$busy" 2>/dev/null

# The format of stackcollapse.pl: three heading lines, then frames, a count, a blank line.
perl -ne '
	next if $. <= 3 or /^\s*$/;
	if (/^\s*(\d+)+$/) { $n{join ";", @s} += $1 if @s; @s = (); next }
	chomp; s/^\s*//; s/\+[^+]*$//; unshift @s, $_ eq "" ? "-" : $_;
	END { print "$_ $n{$_}\n" for sort keys %n; print "left over: @s\n" if @s }' "$T/kern" >"$T/folded"
awk '{ n += $NF } /`(read_iter_zero|read_zero)/ { hit += $NF }
	!/^[a-z]+`[^ ]+(;[a-z_]+`[^ ]+)* [0-9]+$/ { odd++ }
	END { print (n >= 300), (hit > n * 0.8), odd + 0 }' "$T/folded" >"$T/sums"
same 'samples of a process: most are in /dev/zero, and all can be folded' '1 1 0' "$(cat "$T/sums")" \
	" $(awk '{ n += $NF } END { print n }' "$T/folded") samples, $(wc -l <"$T/folded") stacks"
finish
