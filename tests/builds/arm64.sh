# Built for arm64 and run by an emulator: the same code for the same programs, the same answers from captures.
. tests/builds/lib.bash
for c in aarch64-linux-gnu-gcc qemu-aarch64; do
	command -v $c >/dev/null || skip "no $c here"
done
build arm64 -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_EXE_LINKER_FLAGS=-static-pie \
	-DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DBUILD_TESTING=OFF
# Hardened as the others are.
. tests/package/hardened.bash
missing=$(hardened "$dir/dtrace" aarch64-linux-gnu- yes)
[ -z "$missing" ] || { echo "$missing"; exit 1; }
# The emulator has no system-call filters, and a static program loads no library for them.
# The preprocessor of -C is this machine's.
# Signed return addresses: by the emulator's own function, which is far cheaper than the one of real processors.
printf '#!/bin/sh\nexec qemu-aarch64 -cpu max,pauth-impdef=on %s/dtrace -x confine=off -U __x86_64__ -D __aarch64__ "$@"\n' "$dir" >"$dir/run"
chmod +x "$dir/run"
export DTRACE=$dir/run
# What the front end says it says here, too: of err, those in which numbers are looked at.
WAY=replay bash tests/run-cases lang && WAY=nojit bash tests/run-cases replay/agg || exit
# Each start costs the emulator a tenth of a second.  Scripts and one-liners are made of what the other folders have alone.
folders=$(ls -d tests/replay/*/ | grep -vE 'scripts|oneliners' | sed 's,^tests/,,')
WAY=replay bash tests/run-cases golden $folders $(ls tests/err/*/*.d | sed -nE 's,^tests/(err/[a-z-]*/err\.D_(CHR|INT|ARR|DECL_EN|DECL_BF|DIV|REGS|ARGS)_.*)\.d$,\1,p')
