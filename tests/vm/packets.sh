# Runs pktway, qdisclat and health under the oldest of Debian's kernels, which differs most from
# this machine's kernel. For the other kernels, vm/verifier only loads these scripts.
. "$(dirname "$0")/lib.bash"

kernels=$(head -n 1 <<<"$kernels")

# shellcheck disable=SC2016
under_all packets env PACKETS=200 bash -c 'for t in pktway qdisclat health; do bash "$1/$t.sh" || status=1; done
	exit ${status:-0}' - "$VM/../live/scripts"
for deb in $kernels; do
	r=$(release "$deb")
	sed "s/^/$r: /" "$T/packets.$r"
done
finish
