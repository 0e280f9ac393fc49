# A sockops program casts the pointer to the kernel's context before it loads through the pointer.
# Otherwise the pointer is trusted, and the verifier compares names with those of all types at each
# load. This took a fifth of a second for some scripts.
. tests/cli/lib.bash

run -e -x dump=bpf -n 'tcp:::connect-established { @[args[3]->tcps_raddr] = count(); }'
status 0
grep -q 'call bpf_cast_to_kern_ctx' "$out" || skip 'this kernel has other hooks for that'
what='the context of each sockops program is cast'
checks=$((checks + 1))
awk '/^unit/ { op = $2 == "op" } op && /bpf_cast_to_kern_ctx/ { n++; want = NR + 3 }
	op && NR == want && /call bpf_rdonly_cast/ { cast++ }
	END { exit !(n && n == cast) }' "$out" || wrong 'a load does not cast the pointer'
finish
