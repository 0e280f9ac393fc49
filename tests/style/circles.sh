#!/bin/bash
# Files form a circle if each uses symbols of the others, directly or through other files. They can
# only be understood together, so a circle may have at most six files.
set -u
cd "$DTRACE_TOP" || exit 1
objects=$(dirname "$DTRACE")/CMakeFiles/dt.dir
command -v nm >/dev/null || { echo 'SKIP: no nm (package binutils)'; exit 77; }
for src in $(find base agg sandbox procinfo ir providers compiler engine consumer -name '*.c'); do
	[ -f "$objects/$src.o" ] || { echo "SKIP: no object of $src in $objects: build first"; exit 77; }
done
exec python3 - "$objects" <<'END_OF_PYTHON'
import os
import subprocess
import sys

LIMIT = 6

top = sys.argv[1]
files = []
for folder, _, names in os.walk(top):
    for name in names:
        src = os.path.relpath(os.path.join(folder, name), top)[:-2]
        if name.endswith(".c.o") and os.path.exists(src):  # an old build has objects of files that moved
            files.append(src)
files.sort()
out = subprocess.run(["nm", "-A"] + [f + ".o" for f in files], cwd=top, check=True,
                     stdout=subprocess.PIPE, text=True).stdout
defined, used = {}, {f: set() for f in files}
for line in out.splitlines():
    where, name = line.split(":")[0][:-2], line.split()[-1]
    kind = line.split()[-2]
    if kind in "TDRBCVW":
        defined[name] = where
    elif kind in "Uvw":
        used[where].add(name)
calls = {f: {} for f in files}
for f in files:
    for name in used[f]:
        if defined.get(name, f) != f:
            calls[f].setdefault(defined[name], name)
if sum(map(len, calls.values())) < 500:
    sys.exit("nm shows too few calls between objects: %d" % sum(map(len, calls.values())))


def reached(start, edges):
    seen, todo = {start}, [start]
    while todo:
        for f in edges[todo.pop()]:
            if f not in seen:
                seen.add(f)
                todo.append(f)
    return seen


callers = {f: [g for g in files if f in calls[g]] for f in files}
bad, done, sizes = 0, set(), []
for f in files:
    if f in done:
        continue
    circle = reached(f, calls) & reached(f, callers)
    done |= circle
    sizes.append(len(circle))
    if len(circle) > LIMIT:
        bad = 1
        print("%d files call each other in a circle, at most %d may:" % (len(circle), LIMIT))
        for g in sorted(circle):
            print("  %s uses %s" % (g, ", ".join(
                "%s of %s" % (calls[g][h], h) for h in sorted(calls[g]) if h in circle)))
print("%d files, the largest circle has %d" % (len(files), max(sizes)))
sys.exit(bad)
END_OF_PYTHON
