# The scripts about the time of packets under Debian's kernels: pktway, qdisclat, health.
. "$(dirname "$0")/lib.bash"

# shellcheck disable=SC2016
under_all packets bash -c 'for t in pktway qdisclat health; do bash "$1/$t.sh" || status=1; done
	exit ${status:-0}' - "$VM/../live/scripts"
for deb in $kernels; do
	r=$(release "$deb")
	sed "s/^/$r: /" "$T/packets.$r"
done
finish
