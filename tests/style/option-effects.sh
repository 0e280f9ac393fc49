#!/bin/bash
# Each accepted option has an effect: its row names a variable, and some code reads that variable.
# The manual page lists the options without effect, which are accepted for compatibility.
cd "$(dirname "$0")/../.." || exit 1
exec python3 - <<'END'
import pathlib
import re
import sys

bad = 0


def wrong(text):
    global bad
    bad = 1
    print(f"WRONG: {text}")


def table(file, start):
    text = open(file, encoding="utf-8").read()
    return text[text.index(start):].split("\n};", 1)[0]


sources = {str(f): f.read_text(encoding="utf-8")
           for top in ("cmd", "consumer", "compiler", "engine", "providers")
           for f in pathlib.Path(top).rglob("*.c")}
TABLES = {"cmd/options.c", "consumer/options.c"}


def is_read(member):
    """Returns whether code outside of the option tables reads that member."""
    name = member.split(".")[-1]
    use = re.compile(r"(?:->|\.)" + name + r"\b(?!\s*=[^=])")
    return any(use.search(text) for f, text in sources.items() if f not in TABLES) or \
        any(len(use.findall(re.sub(r"offsetof\([^)]*\)|(?:OPT|IN)\([^)]*\)", "", sources[f]))) for f in TABLES)


OTHERWISE = {"encoding": "look.utf8"}  # set by a function
n, idle = 0, set()
for name, kind, off in re.findall(r'\{"(\w+)", (OPT_\w+), (IN\([^)]*\)|0),', table("cmd/options.c", "} options[] =")):
    n += 1
    member = re.match(r"IN\(([\w.]+)", off)
    if kind.startswith("OPT_NO_"):
        idle.add(name)
    elif member and not is_read(member[1]):
        wrong(f"-x {name}: nobody reads what it sets, {member[1]}")
    elif not member and kind not in ("OPT_LIBDIR", "OPT_CPP", "OPT_VERSION", "OPT_UNSUPPORTED", "OPT_UNSUPPORTED_FLAG"):
        wrong(f"-x {name}: its row does not say where its value goes")
rows = table("consumer/options.c", "options[] = {")
for name, setter in re.findall(r'(?:OPT\(|\{")(\w+)"?, (\w+)', rows):
    n += 1
    if setter == "set_rate":
        idle.add(name)
        continue
    named = re.search(r'"' + name + r'", \w+, offsetof\(struct consumer_opts, ([\w.]+)', rows)
    if not is_read(named[1] if named else OTHERWISE.get(name, name)):
        wrong(f"-x {name}: nobody reads what it sets")

page = open("docs/dtrace.8", encoding="utf-8").read()
said = re.search(r"checked for their form and accepted: (.*?)\.\n", page, re.S)
said = set(re.findall(r"\w+", said[1].replace("\\fB", "").replace("\\fR", ""))) if said else set()
for name in sorted(idle - said):
    wrong(f"-x {name} has no effect, and the manual page does not say so")
for name in sorted(said - idle):
    wrong(f"the manual page says that -x {name} has no effect, but it may have one")
if n < 80:
    wrong(f"only {n} options were found")
print(f"{n} options, {len(idle)} without an effect: {' '.join(sorted(idle))}")
sys.exit(bad)
END
