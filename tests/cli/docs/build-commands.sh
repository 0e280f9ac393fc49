# tools/run and bench/run configure a build without tests, which needs fewer packages. tools/run
# writes no file outside of build/. False commands cmake and make record their arguments.
. tests/cli/lib.bash
mkdir -p "$tmp/bin" "$tmp/tree/tools"
for name in cmake make; do
	printf '#!/bin/sh\necho "%s $*" >>"%s"\necho "no compiler" >&2\nexit "$CMAKE_STATUS"\n' \
		$name "$tmp/called" >"$tmp/bin/$name"
	chmod 755 "$tmp/bin/$name"
done
export PATH=$tmp/bin:$PATH

# configured WHO: the command configures cmake for a Release build without tests
configured() {
	what=$1
	checks=$((checks + 1))
	grep -E '^cmake -S .* -DCMAKE_BUILD_TYPE=Release' "$tmp/called" | grep -q -e '-DBUILD_TESTING=OFF' ||
		{ wrong "it configures tests, which need more packages"; cat "$tmp/called"; }
	: >"$tmp/called"
}

cp tools/run "$tmp/tree/tools/run"
printf '#!/bin/sh\n' >"$tmp/tree/tools/need"
chmod 755 "$tmp/tree/tools/need"
what='tools/run'
CMAKE_STATUS=1 "$tmp/tree/tools/run" >"$out" 2>"$err"
status=$?
status 1
err 'configuring build/
no compiler'
configured tools/run
(cd "$tmp/tree" && find . -type f -not -path './build/*' | sort) >"$out"
out './tools/need
./tools/run'

CMAKE_STATUS=0 PYTHONDONTWRITEBYTECODE=1 python3 -c 'import sys; sys.path.insert(0, "bench"); import common; common.build()' ||
	wrong 'bench/common.py: build() failed'
configured bench/run
finish
