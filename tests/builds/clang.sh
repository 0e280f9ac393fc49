# A build by clang has no warnings, generates the same code and gives the same output for captures.
. tests/builds/lib.bash
command -v clang >/dev/null || skip 'no clang here'
TARGETS=all build clang -DCMAKE_C_COMPILER=clang -DBUILD_TESTING=ON
ctest --test-dir "$dir" --output-on-failure -R '^(golden|replay/replay|err|unit/.*|lang/replay|cli/(options/options|options/usage|forms/output|options/list|scripts/command-line|captures/pcap))$'
