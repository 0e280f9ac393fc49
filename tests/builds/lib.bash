# lib.bash - shared by the tests of other builds: builds the tree in a separate folder.
#
#   build NAME CMAKE-ARGUMENTS...   builds $TARGETS (dtrace) with warnings as errors, optimised by
#                                   $OPTIMISE (-O1); sets $dir to the build folder
set -u
: "${DTRACE_BUILD:?must be the folder to build in}"

skip() {
	echo "SKIP: $*"
	exit 77
}

# make_targets FOLDER: builds $TARGETS (by default dtrace) in FOLDER; prints warnings and errors
make_targets() {
	cmake --build "$1" -j "$(nproc)" --target ${TARGETS:-dtrace} >"$1/build.log" 2>&1 && return
	grep -E -m 20 'error|warning|Error' "$1/build.log"
	return 1
}

build() {
	dir=$DTRACE_BUILD/$1
	shift
	# -O1 compiles in three quarters of the time of -O2, and -O0 in half.
	cmake -S . -B "$dir" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="${OPTIMISE:--O1} -DNDEBUG" -DWERROR=ON "$@" >"$dir.log" 2>&1 || {
		tail -n 20 "$dir.log"
		exit 1
	}
	make_targets "$dir" || exit 1
}
