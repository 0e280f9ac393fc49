# tests/pcap has exactly the captures that mkpcap makes, byte for byte.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
command -v python3 >/dev/null || { echo 'SKIP: no python3'; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -B tests/pcap/mkpcap --all "$tmp" || exit 1
bad=0 n=0
for f in tests/pcap/*.pcap*; do
	n=$((n + 1))
	cmp "$f" "$tmp/$(basename "$f")" || bad=1
done
for f in "$tmp"/*; do
	[ -e "tests/pcap/$(basename "$f")" ] || { echo "tests/pcap/$(basename "$f") is missing: mkpcap --all"; bad=1; }
done
echo "$n captures"
exit $bad
