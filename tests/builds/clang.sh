# Built by clang: no warning, the same code for the same programs, all that needs no live traffic.
. tests/builds/lib.bash
command -v clang >/dev/null || skip 'no clang here'
build clang -DCMAKE_C_COMPILER=clang -DBUILD_TESTING=ON
ctest --test-dir "$dir" --output-on-failure -LE 'live|vm|matrix|fuzz|style|builds'
