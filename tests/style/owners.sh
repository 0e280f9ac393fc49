# Code that records a socket's owner in __owner also updates __owner_near, which is searched first.
set -u
cd "$(dirname "$0")/../.." || exit 1
bad=$(find translators providers -name '*.d' -exec awk '
	note && $1 !~ /^__owner_near\[/ { print FILENAME ": " note }
	{ note = $0 ~ /^\t__owner\[.*\] = / ? $0 : "" }' {} +)
[ -z "$bad" ] || { echo "an owner that is not the one found: $bad"; exit 1; }
[ "$(grep -ch '^	__owner\[' translators/socket.d)" -ge 10 ] || { echo 'no place is found that notes one'; exit 1; }
