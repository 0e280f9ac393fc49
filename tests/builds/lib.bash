# lib.bash - what the tests of other builds share: the tree built once more, in a folder of the test build's own.
#
#   build NAME CMAKE-ARGUMENTS...   builds it, warnings are errors; its folder is then $dir
set -u
: "${DTRACE_BUILD:?must be the folder to build in}"

skip() {
	echo "SKIP: $*"
	exit 77
}

build() {
	dir=$DTRACE_BUILD/$1
	shift
	cmake -S . -B "$dir" -DCMAKE_BUILD_TYPE=Release -DWERROR=ON "$@" >"$dir.log" 2>&1 &&
		cmake --build "$dir" -j "$(nproc)" >>"$dir.log" 2>&1 && return
	grep -E -m 20 'error|warning|Error' "$dir.log"
	exit 1
}
