# Shared by the tests of the package.
#
#   make_package        sets $deb to the package of an optimised build
#   make_root           sets $root to a clean Debian with /proc, /sys and /dev, removed when the test ends
#                       It is the release of this machine, because the package is built for its C library.
#   inside COMMAND...   runs COMMAND in $root
. tests/cli/lib.bash
build=$(dirname "${DTRACE_PLAIN:-$DTRACE}")

make_package() {
	what="the package"
	command -v dpkg-shlibdeps >/dev/null || skip "there is no dpkg-shlibdeps"
	# The package does not depend on the umask.
	(umask 077 && cd "$build" && cpack -G DEB -B "$tmp/deb") >"$tmp/cpack" 2>&1 || { cat "$tmp/cpack"; exit 1; }
	deb=$(echo "$tmp/deb/dtrace-net_"*.deb) fleet_deb=$(find "$tmp/deb" -maxdepth 1 -name "dtrace-net-fleet_*.deb")
	[ -f "$deb" ] || { cat "$tmp/cpack"; exit 1; }
}

# Makes $root an overlay on the cached Debian. No process outside of the test sees its mounts.
make_root() {
	local clean suite

	[ -n "${PACKAGE_MOUNTS:-}" ] || { rmdir "$tmp"; exec env PACKAGE_MOUNTS=1 unshare -m --propagation private bash "$0"; }
	suite=$(. /etc/os-release && [ "$ID" = debian ] && echo "${VERSION_CODENAME:-}")
	clean=$(bash tests/package/root "${suite:-bookworm}") || exit
	root=$tmp/root
	# If a mount is left, rm must not remove its files, so rm stays in one file system.
	trap 'umount -l "$root" "$tmp/layers" 2>/dev/null; rm -rf --one-file-system "$tmp"' EXIT
	mkdir "$tmp/layers" "$root"
	mount -t tmpfs -o size=300m tmpfs "$tmp/layers"
	mkdir "$tmp/layers/new" "$tmp/layers/work"
	mount -t overlay -o "lowerdir=$clean,upperdir=$tmp/layers/new,workdir=$tmp/layers/work" overlay "$root"
	for dir in proc sys dev; do
		mount --rbind "/$dir" "$root/$dir"
	done
}

# Sets $out, $err and $status as run does.
inside() {
	what="$*"
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin TZ=UTC LC_ALL=C timeout 60 chroot "$root" "$@" >"$out" 2>"$err" </dev/null
	status=$?
}
