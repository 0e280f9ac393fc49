# Debian's own checker finds nothing wrong with the package, and the package's description is right.
. tests/package/lib.bash
command -v lintian >/dev/null || skip "there is no lintian"
make_package
lintian --allow-root --fail-on error,warning "$deb" ${fleet_deb:+"$fleet_deb"} >"$out" 2>&1 || { wrong "lintian:"; cat "$out"; }
dpkg-deb -f "$deb" >"$out"
# Linked libraries are dependencies; libraries that are loaded when used are recommendations.
out_has '^Depends: libc6 \(>= '
for name in $(sed -n 's/^run: //p' tools/packages); do
	checks=$((checks + 1))
	sed -n 's/^Recommends: //p' "$out" | tr -d ' ' | tr , '\n' | grep -qxF "$name" || wrong "$name is not recommended"
done
# NATS is needed by the other package only.
if [ -f "$fleet_deb" ]; then
	checks=$((checks + 2))
	grep -q nats "$out" && wrong "dtrace-net asks for NATS"
	dpkg-deb -f "$fleet_deb" Depends | grep -q 'dtrace-net (= .*libnats' || wrong "dtrace-net-fleet depends on $(dpkg-deb -f "$fleet_deb" Depends)"
fi
finish
