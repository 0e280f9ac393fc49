#!/bin/bash
# A signal handler may run between a failed call and the code that reads errno. So a handler that
# calls functions must restore errno before it returns.
set -u
cd "$DTRACE_TOP" || exit 1
exec python3 - <<'END'
import pathlib
import re
import sys

bad = found = 0
for path in sorted(pathlib.Path().glob("*/**/*.c")):
    if re.match(r"tests$|build(-|$)", path.parts[0]):
        continue
    text = path.read_text(encoding="utf-8")
    names = re.findall(r"\bsa_handler = (\w+)|\bsignal\(SIG\w+, (\w+)\)", text)
    names = {a or b for a, b in names} - {"SIG_IGN", "SIG_DFL", "handler"}
    names |= set(re.findall(r"\bcatch_death\((on_\w+)\)", text))
    for name in sorted(names):
        body = re.search(r"\b" + name + r"\(int \w+\)\n{\n(.*?)\n}", text, re.S)
        if not body:
            print(f"{path}: the handler {name}() was not found")
            bad = 1
            continue
        found += 1
        calls = re.findall(r"\b(?!if|while|for|switch|sizeof)\w+\(", body[1])
        ends = "_exit(" in body[1].splitlines()[-1]
        if calls and not ends and "errno = saved_errno" not in body[1]:
            print(f"{path}: the handler {name}() does not keep errno")
            bad = 1
if found < 4:
    print(f"only {found} handlers were found")
    bad = 1
sys.exit(bad)
END
