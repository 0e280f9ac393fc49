# Some rows of the traffic matrix, traced from a cgroup namespace that does not contain the traffic.
set -u
[ "$(id -u)" = 0 ] || { echo "SKIP: live tracing needs root"; exit 77; }
: "${DTRACE:?must be the path of the dtrace command}"
t=$(mktemp -d)
export BOX=$t/tree/dtrace-test-$$ REAL
REAL=$(realpath "$DTRACE")
mkdir "$t/tree"
mount -t cgroup2 none "$t/tree" || { echo "SKIP: no cgroup2 here"; rm -r "$t"; exit 77; }
mkdir "$BOX" || { echo "SKIP: no cgroup can be made"; umount "$t/tree"; rm -r "$t"; exit 77; }
trap 'until rmdir "$BOX"; do sleep 0.1; done 2>/dev/null; umount "$t/tree"; rm -r "$t"' EXIT
cat >"$t/dtrace" <<'EOF'
#!/bin/bash
echo $$ >"$BOX/cgroup.procs" || exit 1
exec unshare -C "$REAL" "$@"
EOF
chmod +x "$t/dtrace"
DTRACE=$t/dtrace bash "$(dirname "$0")/here.sh" veth bridge vxlan via-veth
