# netlat's stages under the newest of Debian's kernels (vm/kernels), with netem, fq, VLAN and bond. The
# clock of the guest counts instructions, so the load of this machine does not matter.
. "$(dirname "$0")/lib.bash"

export VM_CLOCK=instructions
kernels=$(tail -n 1 <<<"$kernels")
under_all stages bash "$VM/../live/scripts/netlat-stages.sh"
r=$(release "$kernels")
sed "s/^/$r: /" "$T/stages.$r"
n=$(grep -c '^ok: .* netlat [0-9]* us, measured' "$T/stages.$r")
[ "$n" = 10 ] || fail "$n of 10 delays were made"
finish
