#!/bin/bash
# Checks calls between the parts of the compiler in the object files: syntax does not call meaning,
# meaning does not call code, and none of these calls the rows of builtins.
set -u
cd "$DTRACE_TOP" || exit 1
objects=$(dirname "$DTRACE")/CMakeFiles/dt.dir
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0

# objects_of FILE...: prints the objects of files that exist; an old build has more objects
objects_of() {
	for src; do
		[ -f "$objects/$src.o" ] || { echo "no object of $src in $objects" >&2; exit 77; }
		echo "$objects/$src.o"
	done
}

# may_not WHAT FILES OF FILES...: prints calls from the first files to the second files
may_not() {
	local what=$1
	shift
	local from=() to=()
	while [ "$1" != OF ]; do from+=("$1"); shift; done
	shift
	to=("$@")
	objects_of "${from[@]}" >"$tmp/from" && objects_of "${to[@]}" >"$tmp/to" || exit 77
	xargs nm -u <"$tmp/from" | awk '$1 == "U" { print $2 }' | sort -u >"$tmp/needs"
	xargs nm --defined-only <"$tmp/to" | awk '$2 ~ /^[TDRB]$/ { print $3 }' | sort -u >"$tmp/has"
	[ -s "$tmp/needs" ] && [ -s "$tmp/has" ] || { echo "$what: nm shows nothing"; bad=1; }
	up=$(comm -12 "$tmp/needs" "$tmp/has" | xargs)
	[ -z "$up" ] || { echo "$what: $up"; bad=1; }
}

mapfile -t syntax < <(find compiler/syntax -name '*.c')
mapfile -t meaning < <(find compiler/meaning -name '*.c')
mapfile -t code < <(find compiler/code -name '*.c')
driver=(compiler/*.c)
rows=(compiler/builtins/*.c)
may_not "compiler/syntax calls" "${syntax[@]}" OF "${meaning[@]}" "${code[@]}" "${driver[@]}" "${rows[@]}"
may_not "compiler/meaning calls" "${meaning[@]}" OF "${code[@]}" "${driver[@]}" "${rows[@]}"
may_not "compiler/code calls" "${code[@]}" OF "${driver[@]}" "${rows[@]}"
may_not "compiler calls" "${driver[@]}" OF "${rows[@]}"
exit $bad
