# An arm64 build, run by an emulator, generates the same code and gives the same output for captures.
. tests/builds/lib.bash
for c in aarch64-linux-gnu-gcc qemu-aarch64; do
	command -v $c >/dev/null || skip "no $c here"
done
build arm64 -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_EXE_LINKER_FLAGS=-static-pie \
	-DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64 -DBUILD_TESTING=OFF
# The arm64 build is hardened like the builds for this machine.
. tests/package/hardened.bash
missing=$(hardened "$dir/dtrace" aarch64-linux-gnu- no)
[ -z "$missing" ] || { echo "$missing"; exit 1; }
# The options are for the emulator. -x confine=off is needed because the emulator has no system call
# filters, and a static program loads no library for them. -U and -D change the machine for -C, which
# calls this machine's preprocessor. pauth-impdef makes the emulator sign return addresses with a
# function of its own, which is much faster than the function of real processors.
printf '#!/bin/sh\nexec qemu-aarch64 -cpu max,pauth-impdef=on %s/dtrace -x confine=off -U __x86_64__ -D __aarch64__ "$@"\n' "$dir" >"$dir/run"
chmod +x "$dir/run"
export DTRACE=$dir/run
# The interpreter is portable C, so the cases of values and histograms are enough for it. The front
# end is the same on all machines, so of err/ the test runs only cases that depend on numbers.
WAY=replay bash tests/run-cases lang && WAY=nojit bash tests/run-cases replay/agg/values replay/agg/histograms || exit
# Each start costs the emulator a tenth of a second.  Leave out scripts and one-liners: they combine features that the other folders test one by one.
folders=$(ls -d tests/replay/*/ | grep -vE 'scripts|oneliners' | sed 's,^tests/,,')
WAY=replay bash tests/run-cases golden $folders $(ls tests/err/*/*.d | sed -nE 's,^tests/(err/[a-z-]*/err\.D_(CHR|INT|ARR|DECL_EN|DECL_BF|DIV|REGS|ARGS)_.*)\.d$,\1,p')
