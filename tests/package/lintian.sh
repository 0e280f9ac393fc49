# What Debian's own checker finds wrong with the package, and what the package says of itself.
. tests/package/lib.bash
command -v lintian >/dev/null || skip "there is no lintian"
make_package
lintian --allow-root --fail-on error,warning "$deb" ${fleet_deb:+"$fleet_deb"} >"$out" 2>&1 || { wrong "lintian:"; cat "$out"; }
dpkg-deb -f "$deb" >"$out"
# What is linked is needed, what is loaded when it is used is not.
out_has '^Depends: libc6 \(>= '
for name in $(sed -n 's/^run: //p' tools/packages); do
	checks=$((checks + 1))
	sed -n 's/^Recommends: //p' "$out" | tr -d ' ' | tr , '\n' | grep -qxF "$name" || wrong "$name is not recommended"
done
# What NATS takes is the other package's alone.
if [ -f "$fleet_deb" ]; then
	checks=$((checks + 2))
	grep -q nats "$out" && wrong "dtrace-net asks for NATS"
	dpkg-deb -f "$fleet_deb" Depends | grep -q 'dtrace-net (= .*libnats' || wrong "dtrace-net-fleet depends on $(dpkg-deb -f "$fleet_deb" Depends)"
fi
finish
