# Probes at the kernel's locks. A program takes some of these locks itself, so under these kernels
# such a probe could hang the machine.
. "$(dirname "$0")/lib.bash"

under_all locks "$VM/locks"
for deb in $kernels; do
	r=$(release "$deb")
	# 6.1 allows one program at 4,096 functions, which is less than all.
	case $r in
	6.1.*) sed '/^all functions/,$d' "$VM/locks.out" >"$T/want" ;;
	*) cp "$VM/locks.out" "$T/want" ;;
	esac
	same_files "$r" "$T/want" "$T/locks.$r"
done
finish
