#!/bin/bash
# A function or variable that only its own file uses is static. No function or variable is unused.
# nm lists the names that each object defines and needs. A name is also used if another C file
# contains it as a word, because some uses are compiled only with other options (tests, sanitizers).
set -u
cd "$DTRACE_TOP" || exit 1
objects=$(dirname "$DTRACE")/CMakeFiles
command -v nm >/dev/null || { echo 'SKIP: no nm'; exit 77; }
python3 - "$objects" <<'END'
import pathlib
import re
import subprocess
import sys

words = {p: set(re.findall(r"\w+", p.read_text(encoding="utf-8")))
         for p in pathlib.Path().glob("*/**/*.c") if not p.parts[0].startswith("build")}
# An old build also has objects of files that are gone.
objects = {o: src for o in pathlib.Path(sys.argv[1]).glob("*.dir/**/*.o")
           for src in [pathlib.Path(*o.relative_to(sys.argv[1]).parts[1:]).with_suffix("")] if src in words}
if len(objects) < 100:
    print(f"only {len(objects)} objects in {sys.argv[1]}")
    sys.exit(77)
symbols = subprocess.run(["nm", "-A", "-g", *map(str, objects)], capture_output=True, text=True, check=True).stdout
needed, defined = set(), {}
for line in symbols.splitlines():
    file, _, symbol = line.partition(":")
    fields = symbol.split()
    if len(fields) == 2:
        needed.add(fields[1])
    else:
        defined[fields[2]] = objects[pathlib.Path(file)]
bad = 0
for name, src in sorted(defined.items(), key=lambda d: (d[1], d[0])):
    if name in needed or name == "main" or re.match(r"__(gcov|asan|odr_asan)", name):
        continue
    if any(name in w for p, w in words.items() if p != src):
        continue
    uses = len(re.findall(rf"\b{name}\b", src.read_text(encoding="utf-8")))
    print(f"{src}: {name}", "is used here only: make it static" if uses > 1 else "is used nowhere")
    bad = 1
print(len(defined), "names")
sys.exit(bad)
END
