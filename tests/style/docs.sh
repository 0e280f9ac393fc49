#!/bin/bash
# Names of code in docs/ exist: files, folders, functions, tables, structs and their members,
# options. Limits in docs/ equal those of the code. Files that comments name exist.
cd "$(dirname "$0")/../.." || exit 1
exec python3 - <<'END'
import glob
import os
import re
import sys

tree = set()
for at, dirs, files in os.walk("."):
    dirs[:] = [d for d in dirs if d[0] != "." and d != "build" and not d.startswith("build-")]
    tree |= {os.path.join(at, f)[2:] for f in dirs + files}
code = {f: open(f, encoding="utf-8").read() for f in tree if re.search(r"\.[ch]$", f) and os.path.isfile(f)}
code = {f: t for f, t in code.items() if not f.startswith("tests/")}
words = set(re.findall(r"\w+", "\n".join(code.values())))
words |= set(re.findall(r"\w+", open("CMakeLists.txt", encoding="utf-8").read()))
words |= set(re.findall(r"\w+", "\n".join(open(f, encoding="utf-8").read() for f in tree if f.endswith(".d"))))
structs = {}
for text in code.values():
    for m in re.finditer(r"^(?:static )?(?:const )?struct (\w+) \{\n(.*?)^\}", text, re.M | re.S):
        structs.setdefault(m.group(1), set()).update(re.findall(r"\w+", m.group(2)))
options = {n for f, row in (("cmd/options.c", r'^\t\{"(\w+)"'), ("consumer/options.c", r'(?:OPT\(|^\t\{")(\w+)'), ("cmd/filter.c", r'^\t\{"(\w+)"'))
           for n in re.findall(row, code[f], re.M)}
bad, n = 0, 0


def check(where, what, name, there):
    global bad, n
    n += 1
    if not there:
        bad = 1
        print(f"{where} names {what} that is not there: {name}")


def file_there(name):
    return name.rstrip("/") in tree or name + ".c" in tree or any(f.endswith("/" + name) for f in tree)


def look_at(where, s):
    """Checks one text in backquotes."""
    if re.fullmatch(r"[\w.-]+(/[\w.-]+)*\.(c|h|d|js|sh|md|conf|cmake)", s) or re.fullmatch(r"[a-z][\w-]*(/[\w-]+)*/", s):
        if not re.search(r"NAME|DIR|^x\.|^build/", s):
            check(where, "a file", s, file_there(s))
    elif m := re.match(r"-x (\w{3,})", s):
        if m.group(1) != "name":
            check(where, "an option", s, m.group(1) in options)
    elif m := re.fullmatch(r"(?:struct )?(\w+)\.(\w+)", s):
        if m.group(1) in structs:
            check(where, "a member", s, m.group(2) in structs[m.group(1)])
    elif m := re.fullmatch(r"(?:struct|enum|union) (\w+)", s):
        check(where, "a type", s, m.group(1) in words)
    elif m := re.fullmatch(r"(?:bpf_)?(\w*_\w*)(?:\(\)|\[\])?|(\w+)(?:\(\)|\[\])", s):
        name = m.group(1) or m.group(2)
        check(where, "something", s, name in words or "bpf_" + name in words)


for name in ("architecture", "adding"):
    doc = f"docs/{name}.md"
    text = re.sub(r"```.*?```", "", open(doc, encoding="utf-8").read(), flags=re.S)
    for s in re.findall(r"`([^`\n]+)`", text):
        look_at(doc, s)
for doc in sorted(glob.glob("docs/*.md")):
    for name in re.findall(r"`-x (\w{3,})", open(doc, encoding="utf-8").read()):
        if name != "name":
            check(doc, "an option", "-x " + name, name in options)
    for name in re.findall(r"`((?:docs|tests|scripts|bench|fleet|tools|providers|translators)/[\w./-]+)`", open(doc, encoding="utf-8").read()):
        if not re.search(r"NAME|DIR", name):
            check(doc, "a file", name, file_there(name))

# Fuzzers and tests that docs/trust.md names exist, and docs/trust.md names every fuzzer.
trust = open("docs/trust.md", encoding="utf-8").read()
for name in re.findall(r"`((?:fuzz|unit|cli|live|matrix)/[\w/-]+)`", trust):
    kind, _, rest = name.rpartition("/")
    file = {"fuzz": "fuzz/fuzz_%s.c", "unit": "unit/test_%s.c"}.get(kind, name + ".sh").replace("%s", rest)
    check("docs/trust.md", "a test", name, "tests/" + file in tree)
for f in sorted(glob.glob("tests/fuzz/fuzz_*.c")):
    name = "fuzz/" + f[len("tests/fuzz/fuzz_"):-len(".c")]
    check("tests/fuzz", "no row of docs/trust.md has it; a fuzzer", name, f"`{name}`" in trust)

# Limits that documents state: the page, the text before the number, the macro of the code, and the
# number.
FIGURES = [
    ("limits", "one clause needs: .*", "UNIT_MAPS", "64"), ("limits", "programs of about ", "UNIT_LONG", "24,000"),
    ("limits", r"a record \| ", "RECORD_MAX", "16 MB"), ("limits", r"speculations at a time \| ", "NSPEC_MAX", "16,384"),
    ("limits", r"`copyin\(\)`\) \| ", "SCRATCHSIZE_DEFAULT", "2,048"), ("limits", r"variables and keys \| ", "STRSIZE_DEFAULT", "256"),
    ("limits", r"a stack \| ", "STACK_FRAMES_MAX", "127"), ("limits", r"translators are expanded \| ", "TREE_MAX", "2,000"),
    ("limits", "add at most ", "NODES_MAX", "400,000"), ("limits", r"inlines and translators \| ", "NEST_MAX", "256"),
    ("limits", r"inlines and translators \| 256; ", "DEPTH_MAX", "64"),
    ("limits", r"listening ports, at a time \| ", "TCP_CONNS_DEFAULT", "1,048,576"),
    ("limits", "`-x conns`, at least ", "TCP_CONNS_MIN", "16"), ("limits", r"wait for others \| ", "REASSEMBLE_MEMORY", "4 MB"),
    ("limits", "if there are more than ", "LIB_KEYS", "65,536"), ("architecture", r"So only hashes with at most ", "PREALLOC_KEYS", "8,192"),
    ("compat", "each aggregation has at most ", "MAX_KEYS_LIVE", "262,144"), ("compat", "take at most ", "AGG_BYTES_LIVE", "256 MB"),
    ("compat", r"at most `pcapsize` \(", "PCAPSIZE", "9,216"),
]
UNITS = {"": 1, " MB": 1 << 20}
for doc, before, macro, figure in FIGURES:
    value = next((m.group(1) for f in sorted(code) for m in [re.search(rf"#define {macro}\s+(\S.*?)\s*(?:/\*.*)?$", code[f], re.M)]
                  if m), "")
    value = eval(re.sub(r"(\d)u?l*\b", r"\1", value)) if re.fullmatch(r"[\d ul<*()]+", value) else None
    number, unit = re.fullmatch(r"([\d,]+)(.*)", figure).groups()
    check("the code", "a limit, of docs/" + doc + ".md,", f"{macro} {figure}", value == int(number.replace(",", "")) * UNITS[unit])
    check(f"docs/{doc}.md", "a limit", f"{macro} {figure}", re.search(before + figure, open(f"docs/{doc}.md", encoding="utf-8").read()))
tops = {f.split("/")[0] for f in code}
for f, text in sorted(code.items()):
    for comment in re.findall(r"/\*.*?\*/", text, re.S):
        for name in re.findall(r'(?<![\w<"/.*-])((?:[\w-]+/)+[\w-]+\.(?:c|h|d|sh|md))\b', comment):
            if name.split("/")[0] in tops - {"include"}:
                check(f, "a file", name, file_there(name))
print(n, "names and figures")
sys.exit(bad or n < 300)
END
