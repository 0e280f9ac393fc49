# Kernel symbols: addresses, values, values with declared types, and names.
. "$(dirname "$0")/../lib.bash"

run() { # run NAME PROGRAM: writes both output streams to $T/NAME
	timeout 120 "$DTRACE" -x errtags -qn "$2" >"$T/$1" 2>&1 || :
}

addr=$(awk '$3 == "tcp_v4_rcv" && $2 == "T" { print $1 }' /proc/kallsyms)
case $addr in ''|0000000000000000) skip "no addresses in /proc/kallsyms here" ;; esac

run address 'BEGIN { printf("%p %p %a %a %A\n", &`tcp_v4_rcv, kernel`tcp_v4_rcv, &vmlinux`tcp_v4_rcv,
	(uintptr_t)&`tcp_v4_rcv + 0x10, 0x10); exit(0); }'
same "addresses and names of functions" "$addr $addr vmlinux\`tcp_v4_rcv vmlinux\`tcp_v4_rcv+0x10 0x10" \
	"$(cat "$T/address")"

# A kernel variable with the type that the program declares: the kernel's own bytes.
run declared 'extern unsigned char __start_rodata[]; extern uint32_t vmlinux`__stop___ex_table;
	BEGIN { this->word = *(uint32_t *)&`__start_rodata;
	printf("%d %d %d\n", this->word != 0, `__start_rodata[0] == (this->word & 0xff),
	    __start_rodata[3] == this->word >> 24); exit(0); }'
same "a kernel variable whose type the program declares" "1 1 1" "$(cat "$T/declared")"

run unknown 'BEGIN { trace(`no_such_symbol); }'
grep -q '\[D_IDENT_UNDEF\] in action list: failed to resolve `no_such_symbol: Unknown symbol name' "$T/unknown" ||
	fail "an unknown symbol: $(cat "$T/unknown")"
run module 'BEGIN { trace(no_such`symbol); }'
grep -q '\[D_IDENT_UNDEF\] in action list: failed to resolve no_such`symbol: Unknown module name' "$T/module" ||
	fail "an unknown module: $(cat "$T/module")"
run untyped 'BEGIN { trace(`__start_rodata); }'
grep -q '\[D_SYM_NOTYPES\] in action list: no symbolic type information is available for `__start_rodata' \
	"$T/untyped" || fail "a symbol of unknown type: $(cat "$T/untyped")"
run written 'extern int __start_rodata; BEGIN { `__start_rodata = 1; }'
grep -q '\[D_OP_WRITE\]' "$T/written" || fail "a symbol that is assigned to: $(cat "$T/written")"
run scoped 'BEGIN { printf("%d %d %d", sizeof(vmlinux`struct list_head), sizeof(struct kernel`list_head),
	sizeof(`size_t)); exit(0); }'
same "sizes of types that are named with a scope" "16 16 8" "$(cat "$T/scoped")"
finish
