# A program loads a pointer through a cast of the hook's argument. Through the argument itself, the
# verifier would search all types of the kernel, which takes milliseconds for each load.
. "$(dirname "$0")/../lib.bash"

casts() { # casts MEMBER: number of casts in a program that loads this member of an sk_buff
	"$PLAIN" -x dump=bpf -en "rawtp:::netif_receive_skb { trace(((struct sk_buff *)arg0)->$1); }" >"$T/code" ||
		fail "no code for $1"
	grep -c 'call bpf_rdonly_cast' "$T/code"
}
"$PLAIN" -x dump=bpf -en 'ip:::receive { trace(args[2]->ip_saddr); }' | grep -q 'call bpf_rdonly_cast' ||
	skip 'this kernel has no bpf_rdonly_cast()'
same 'a pointer is loaded through a cast' 1 "$(casts dev)"
same 'a number is loaded through the argument' 0 "$(casts len)"
same 'a socket is loaded through a cast, too' 1 "$(casts sk)"
finish
