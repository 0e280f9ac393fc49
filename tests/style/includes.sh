#!/bin/bash
# Checks #include lines against the table in docs/architecture.md. Each row has a folder, and the folders and headers
# that its files may include, besides their own. Checks that a header's guard is its path, so no two are the same.
# Only fleet/nats/ includes the header of the NATS library.
set -u
cd "$DTRACE_TOP" || exit 1
exec python3 - <<'END'
import glob
import os
import re
import sys

EVERYTHING = "everything but"
rows = {}
for line in open("docs/architecture.md", encoding="utf-8"):
    m = re.match(r"\| `([a-z_/]+)/` \| (.*) \|$", line)
    if m:
        rows[m[1]] = (m[2].startswith(EVERYTHING), re.findall(r"`([\w/.]+?)/?`", m[2]))
bad = n = 0


def wrong(text):
    global bad
    bad = 1
    print(text)


def row_of(path):
    """Returns the innermost folder that has a row, or the empty string."""
    while path and path not in rows:
        path = os.path.dirname(path)
    return path


def allowed(folder, header):
    if header == folder or row_of(os.path.dirname(header)) == folder:
        return True
    everything, names = rows[folder]
    # A folder in a row stands for its own files, and for subfolders that have no row.
    named = header in names or row_of(os.path.dirname(header)) in names
    return named != everything


for folder, (everything, names) in rows.items():
    for name in [folder] + names:
        if not os.path.exists(name):
            wrong(f"docs/architecture.md: {folder}/: there is no {name}")
for path in sorted(glob.glob("**/*.[ch]", recursive=True)):
    if path.startswith("build"):
        continue
    text = open(path, encoding="utf-8").read()
    guard = re.search(r"(?m)^#ifndef (\w+)\n#define \1$", text) if path.endswith(".h") else None
    if guard and guard[1] != re.sub(r"\W", "_", path).upper():
        wrong(f"{path}: the guard {guard[1]} is not the path")
    if re.match(r"tests/|bench/", path):
        continue
    folder = row_of(os.path.dirname(path))
    if not folder:
        wrong(f"docs/architecture.md has no row for the folder of {path}")
        continue
    if "#include <nats/" in text and folder != "fleet/nats":
        wrong(f"{path} includes the header of the NATS library, which only fleet/nats/ may")
    for header in re.findall(r'(?m)^#include "([^"]+)"', text):
        n += 1
        if "/" in header and not allowed(folder, header):
            wrong(f"{path} includes {header}, which {folder}/ may not")
print(f"{len(rows)} rows, {n} includes")
sys.exit(bad or len(rows) < 25 or n < 1000)
END
