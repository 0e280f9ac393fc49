# A sockops program gets a trusted pointer to the kernel's context, and casts it before the first
# load. Otherwise, at each load through the pointer, the verifier compares names with the names of
# all types. For some scripts this took a fifth of a second.
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
