# netlat's stages with netem, fq, VLAN and bond, under the newest of Debian's kernels (vm/kernels).
# The virtual machine's clock counts instructions, so times do not depend on the load of this
# machine.
. "$(dirname "$0")/lib.bash"

export VM_CLOCK=instructions
# Alone, this test takes two minutes. Beside eight busy processes it takes four.
export VM_TIMEOUT=1500
kernels=$(tail -n 1 <<<"$kernels")
under_all stages bash "$VM/../live/scripts/netlat-stages.sh"
r=$(release "$kernels")
sed "s/^/$r: /" "$T/stages.$r"
n=$(grep -c '^ok: .* netlat [0-9]* us, measured' "$T/stages.$r")
[ "$n" = 10 ] || fail "$n of 10 delays were made"
finish
