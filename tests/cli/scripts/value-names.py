"""value-names.py SCRIPT...: checks the names that values of scripts have in CSV, JSON and Prometheus.

A value is an argument of printf(), or a key of an aggregation. Its name is that of the expression's
variable, member or inline. So the name is false if the expression computes something else from this
variable. Prints each such place.
"""
import re
import sys

UNIT = r"(ns|us|ms|bytes|length)$"


def split(text, i):
    """Returns the arguments of the call or the keys whose list begins at @i, and the list's end."""
    args, depth, at, quoted = [], 1, i, False
    while depth:
        c = text[i]
        if quoted:
            i += c == "\\"
            quoted = c != '"'
        elif c == '"':
            quoted = True
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "," and depth == 1:
            args.append(text[at:i])
            at = i + 1
        i += 1
    args.append(text[at:i - 1])
    return [" ".join(a.split()) for a in args], i


def fault(e):
    """Says what is wrong with the name of expression @e, or returns None."""
    bare = re.sub(r'"(\\.|[^"\\])*"', '""', e)  # literals
    bare = re.sub(r"^\((int|u?int\d+_t)\)", "", bare)
    outer = re.sub(r"\[[^][]*\]", "", bare.replace("->", "."))
    while "(" in outer and re.search(r"\w\([^()]*\)", outer):
        outer = re.sub(r"(\w)\([^()]*\)", r"\1", outer)
    if "?" in outer:
        names = {re.split(r"[.(]", n.strip())[-1] for n in re.split(r"[?:]", outer)[1:]} - {'""'}
        condition = outer.split("?")[0]
        if len(names) > 1:
            return "has the name of one branch only"
        if not names and re.search(r"probename|out|b_flags", condition):
            return "has the name of its condition"
        return None
    m = re.search(r"(\w+)\)* *[-+*/%&]|>>|<<", outer)
    if m and (m[0] in (">>", "<<") or "%" in outer or re.search(UNIT, m[1])):
        return "has the name of a value in another unit"
    last = re.split(r"[.]", outer)[-1]
    return last + " is not the name of a value" if last in ("copyinstr", "strjoin", "args", "arg0") else None


def wrong_unit(name, e):
    """Says why @name is wrong for the value of expression @e, or returns None."""
    if "timestamp - start" in e and not name.startswith("time_"):
        return "the time since the start is time_..."
    unit = re.search(r"(^|_)(ns|us|ms)$", name)
    by = [int(n) for n in re.findall(r"/ (1000+)\b", e)]
    if not unit or e == "0":
        return None
    want = {"ns": [], "us": [1000], "ms": [1000] if "us" in e else [1000000]}[unit[2]]
    return None if by == want and "%" not in e and "ipstack" not in e else "is not in " + unit[2]


bad = places = 0
for path in sys.argv[1:]:
    text = re.sub(r"/\*.*?\*/", "", open(path, encoding="utf-8").read(), flags=re.S)
    values = []
    for m in re.finditer(r"\bprintf\(", text):
        args, _ = split(text, m.end())
        # The argument of a '*' is a width.
        stars = [c == "*" for c in re.findall(r"%(?:%|[-#0-9.]*(\*)?[0-9.]*[a-zA-Z])", args[0]) for c in (c, "")[:1 + (c == "*")]]
        values += [a for i, a in enumerate(args[1:]) if not a.startswith('"') and not (i < len(stars) and stars[i])]
    for m in re.finditer(r"@\w*\[", text):
        values += split(text, m.end())[0]
    if re.search(r"normalize\(@\w*bytes", text):
        values.append("normalized bytes / 1024")
    faults = [(v, fault(v)) for v in values]
    for name, op, e in re.findall(r"(?:this->|inline \w+ )(\w+) (%?=) ([^;]*);", text):
        faults.append((name + " = " + e, wrong_unit(name, e + op.rstrip("="))))
    places += len(values)
    for what, why in faults:
        if why:
            print("%s: %s: %s" % (path, " ".join(what.split()), why))
            bad = 1
print("%d values in %d scripts" % (places, len(sys.argv) - 1))
sys.exit(bad or places < 300)
