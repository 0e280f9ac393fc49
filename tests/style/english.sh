# Comments, messages and pages have few sentences that must be read twice.
# english.sh [-v] [PATH...] counts such sentences below PATH; -v prints each with its place.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
command -v python3 >/dev/null || { echo 'SKIP: no python3'; exit 77; }
# The check counts a hard sentence, and does not count a plain one.
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
echo '/* What is told of it, likewise. */' >"$tmp/hard.c"
echo '/* The reader answers one request at a time. */' >"$tmp/plain.c"
! python3 -B tests/style/english.py "$tmp/hard.c" >/dev/null || { echo 'a hard sentence is not counted'; exit 1; }
python3 -B tests/style/english.py "$tmp/plain.c" >/dev/null || { echo 'a plain sentence is counted'; exit 1; }
python3 -B tests/style/english.py "$@"
