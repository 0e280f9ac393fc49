#!/usr/bin/env python3
"""same-in-json.py CASE...: compares the text of dtrace -q with the output of -x oformat=json.

The script parses every line of the JSON as strict UTF-8, without NaN.  Then the text must have each
message, value, frame, member, key, count and bucket of the JSON, in the same order, and nothing else.
White space is ignored, because only text has columns.  Arguments of printf() are formatted once more
where Python's % gives the same as D's.  The JSON must have as many faults and losses as standard error.
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

DTRACE = os.environ["DTRACE"]
HIST = re.compile(rb"\s*value  ------------- Distribution ------------- count\s*\n")
BAR = re.compile(rb" *((?:< |>= )?-?\d+) [ @]*\|[ @]* (-?\d+) *\n")
DUMP_HEAD = re.compile(rb"\s*\n           (?:  [0-9a-f]){16}  0123456789abcdef\n")
DUMP_ROW = re.compile(rb" +[0-9a-f]+:((?: [0-9a-f]{2}){1,16}) +[^\n]*\n")
FAULT = re.compile(rb" in (?:action #\d+|predicate) at DIF offset \d+(?:, and (\d+) more)?\n")
CONV = re.compile(r"%(?:%|[-+ 0#]*\d*(?:\.[1-9]\d*)?(?:hh|h|ll|l)?([a-zA-Z@]))")


# The text of these cases is not compared: it differs for the given reason.
OTHERWISE = {
    "tests/lang/agg/agghist.d": "the text has other pictures",
    "tests/lang/agg/aggpack.d": "the text has other pictures",
    "tests/lang/options/bufpolicy-fill-full.d": "records with a time take more of the buffer",
    "tests/lang/options/bufpolicy-fill.d": "records with a time take more of the buffer",
    "tests/lang/options/bufpolicy-ring.d": "records with a time take more of the buffer",
    "tests/lang/types/char-arrays.d": "the text dumps the bytes of arrays",
    "tests/replay/end/fill-counts-what-it-drops.d": "records with a time take more of the buffer",
    "tests/replay/main/no-quiet-lines.d": "the text has a line for each probe",
    "tests/replay/trace/flowindent.d": "the text has a line for each probe",
}
# Other programs may print to the same file; their lines are not JSON.
OTHERS = {
    "tests/lang/actions/freopen.d",
    "tests/lang/actions/system.d",
    "tests/lang/options/bufpolicy-switch.d",
    "tests/lang/options/bufpolicy-ring.d",
}


class Differs(Exception):
    pass


class Text:
    def __init__(self, text):
        self.text, self.at = text, 0

    def eat(self, want):
        """Skips the text @want, which must come next; white space is ignored."""
        for c in want:
            if c in b" \t\n\v\f\r":
                continue
            self.skip()
            if self.at >= len(self.text) or self.text[self.at] != c:
                raise Differs(f"wanted {want!r} at {self.text[self.at:self.at + 60]!r}")
            self.at += 1

    def skip(self):
        while self.at < len(self.text) and self.text[self.at] in b" \t\n\v\f\r":
            self.at += 1

    def take(self, regex, required=True):
        m = regex.match(self.text, self.at)
        if m:
            self.at = m.end()
        elif required:
            raise Differs(f"wanted {regex.pattern!r} at {self.text[self.at:self.at + 60]!r}")
        return m

    def dump(self, want):
        got = b""
        self.take(DUMP_HEAD)
        while m := self.take(DUMP_ROW, False):
            got += bytes.fromhex(m[1].decode())
        if got[:len(want)] != want or any(got[len(want):]):
            raise Differs(f"a dump of {want!r} is {got!r}")

    def value(self, v):
        if isinstance(v, list) and v and isinstance(v[0], dict):
            for frame in v:
                self.eat(frame["symbol"].encode())
        elif isinstance(v, list):
            v = bytes(v)
            self.skip() if v == b"" else self.dump(v)
        elif isinstance(v, str):
            self.string(v.encode())
        else:
            self.number(v)

    def string(self, v):
        """Skips string @v, which the text shows as a dump if it has control characters."""
        start = self.at
        try:
            self.eat(v)
        except Differs:
            self.at = start
            self.dump(v)

    def number(self, v):
        """Skips integer @v, which the text may show with another sign or width."""
        self.skip()
        got = int(self.take(re.compile(rb"-?\d+"))[0]) if v is not None else None
        while got != v and not any((got - v) % (1 << bits) == 0 for bits in (8, 16, 32, 64)):
            self.at -= 1  # the digits of the next number follow without a blank
            got = int(self.text[self.at - len(str(got)) + 1:self.at]) if got // 10 else None
            if got is None:
                raise Differs(f"wanted {v} before {self.text[self.at:self.at + 40]!r}")

    def histogram(self, buckets):
        rows = {}
        self.take(HIST)
        while m := self.take(BAR, False):
            if int(m[2]):
                rows[m[1].decode()] = int(m[2])
        want = {label(b): b["count"] for b in buckets if b["count"]}
        if rows != want:
            raise Differs(f"buckets {want} are {rows}")

    def shape(self, kind, v):
        self.eat(kind.encode())
        self.printed(v)

    def printed(self, v):
        """Skips a value of print(), which in the text also has the types of members."""
        self.skip()
        if isinstance(v, dict):
            self.eat(b"{")
            self.members(v)
            self.eat(b"}")
        elif isinstance(v, list):
            self.eat(b"[")
            for i, x in enumerate(v):
                if isinstance(x, dict):
                    self.at = self.text.index(b"{", self.at)
                self.printed(x)
                if i + 1 < len(v):
                    self.eat(b",")
            self.eat(b"]")
        elif isinstance(v, str):
            self.printed_text(v.encode())
        elif isinstance(v, float):
            got = float(self.take(re.compile(rb"[-+.\de]+"))[0])
            if abs(got - v) > abs(v) * 1e-6:
                raise Differs(f"{v} is {got}")
        else:
            self.printed_number(v)

    def printed_text(self, v):
        quoted = self.take(re.compile(rb'\[ "|"'), False)
        self.eat(v)
        if quoted:
            self.eat(b'" ]' if quoted[0][:1] == b"[" else b'"')

    def printed_number(self, v):
        m = self.take(re.compile(rb"'\\?[^']+'|-?(?:0x[0-9a-f]+|\d+)"))[0].decode()
        if m[0] == "'":
            got = ord(m[1]) if len(m) == 3 else int(m[2:-1], 8)
        else:
            got = int(m, 0)
        if got != v and not (v < 0 and any(v % (1 << bits) == got for bits in range(1, 65))):
            raise Differs(f"{v} is {m}")

    def members(self, v):
        unnamed = 0  # open structs without a name, whose members belong to the struct around them
        for name, x in v.items():
            m = re.compile(rb"(?:[^\n={]|\{\n)*?\b" + name.encode() + rb"(?: :\d+)? = ").search(self.text, self.at)
            if not m:
                raise Differs(f"no member {name} at {self.text[self.at:self.at + 80]!r}")
            self.at = m.end()
            unnamed += m[0].count(b"{\n")
            self.printed(x)
            while unnamed and self.take(re.compile(rb"\s*\}"), False):
                unnamed -= 1

    def end(self):
        self.skip()
        if self.at < len(self.text):
            raise Differs(f"more text: {self.text[self.at:self.at + 80]!r}")


def label(bucket):
    if bucket["min"] is None:
        return f"< {bucket['max'] + 1}"
    if bucket["max"] is None:
        return f">= {bucket['min']}"
    return str(bucket["max"] if bucket["max"] < 0 and bucket.get("log") else bucket["min"])


def raw(v):
    return bytes(v) if isinstance(v, list) else v.encode()


formatted = 0


def check_arguments(entry):
    """Formats the arguments here, where Python can."""
    global formatted
    convs, args = [m[1] for m in CONV.finditer(entry["format"]) if m[1]], list(entry["args"].values())
    if "*" in entry["format"] or "'" in entry["format"] or len(convs) != len(args):
        return
    for c, a in zip(convs, args):
        if not (c in "dixXc" and isinstance(a, int) and 0 <= a < 128 or c == "s" and isinstance(a, str) and a.isascii()):
            return
    form = re.sub(r"(%[-+ 0#.\d]*)(?:hh|h|ll|l)(?=[dixX])", r"\1", entry["format"])
    if (form % tuple(args)).encode().split(b"\0")[0] != raw(entry["message"]).split(b"\0")[0]:
        raise Differs(f"{entry['format']!r} of {args} is {entry['message']!r}")
    formatted += 1


def read_entry(text, e):
    if "message" in e:
        text.eat(raw(e["message"]))
        check_arguments(e)
    elif "tracemem" in e:
        text.dump(bytes(e["tracemem"]))
    elif "print" in e:
        text.shape(e["type"], e["print"])
    elif "printa" in e:
        pass  # its rows are lines of their own
    else:
        for kind in ("value", "stack", "ustack", "sym", "mod", "usym", "umod", "uaddr"):
            if kind in e:
                text.value(e[kind])
                return
        raise Differs(f"what is {e}?")


def read_row(text, row):
    if "message" in row:
        text.eat(raw(row["message"]))
        return
    for key in row["keys"].values():
        text.value(key)
    for agg in row["aggregations"]:
        if "buckets" in agg:
            for b in agg["buckets"]:
                b["log"] = agg["function"] == "quantize"
            text.histogram(agg["buckets"])
        else:
            text.number(agg["value"])


def read_along(text, lines):
    seen = {}
    for line in lines:
        kind = line["type"]
        seen[kind] = seen.get(kind, 0) + line.get("count", 1)
        if kind == "record":
            for e in line["output"]:
                read_entry(text, e)
        elif kind == "aggregation":
            read_row(text, line)
        elif kind not in ("fault", "loss", "footer"):
            raise Differs(f"a line of type {kind}")
    text.end()
    return seen


def run(args):
    r = subprocess.run([DTRACE, "-q"] + args, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False)
    return r.returncode, r.stdout, r.stderr


def no_constant(name):
    raise Differs(f"{name} is no JSON")


def masked(err, otherwise):
    """
    Masks numbers that differ: records with a time change the offset of a fault in the code, and
    how many records a small buffer drops.
    """
    if otherwise:
        err = re.sub(rb"dtrace: \d+ drops? on", b"dtrace: N drops on", err)
    return re.sub(rb"DIF offset \d+", b"DIF offset N", err)


def compare(args, others, otherwise):
    status, out, err = run(args)
    jstatus, jout, jerr = run(["-x", "oformat=json"] + args)
    if (status, masked(err, otherwise)) != (jstatus, masked(jerr, otherwise)):
        raise Differs(f"status {status} and {jstatus}; {err!r} and {jerr!r}")
    if jout and not jout.endswith(b"\n"):
        raise Differs("the last line has no end")
    jout = jout.decode("utf-8").split("\n")[:-1]
    lines = [json.loads(line, parse_constant=no_constant) for line in jout if line[:1] == "{" or not others]
    return lines, out, err


def arguments(case):
    with open(case, encoding="latin-1") as f:
        text = f.read()
    if case.endswith(".args"):
        return shlex.split(text)
    m = re.match(r"/\* args: (.*) \*/\n", text)
    args = shlex.split(m[1]) if m else []
    if "-r" not in args:
        args = ["-r", "tests/pcap/empty.pcap"] + args
    return args + ["-s", case]


def try_case(case):
    try:
        lines, out, err = compare(arguments(case), case in OTHERS, case in OTHERWISE)
        if case in OTHERWISE:
            return case, None, {}
        if case in OTHERS:
            return case, None, {}
        seen = read_along(Text(out), lines)
        faults = sum(1 + int(m[1] or 0) for m in FAULT.finditer(err))
        if seen.get("fault", 0) != faults:
            raise Differs(f"{faults} faults are {seen.get('fault', 0)}")
        return case, None, seen
    except (Differs, ValueError, subprocess.TimeoutExpired) as e:
        return case, f"{type(e).__name__}: {e}", {}


def main():
    bad, total = 0, {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for case, wrong, seen in pool.map(try_case, sys.argv[1:]):
            for kind, n in seen.items():
                total[kind] = total.get(kind, 0) + n
            if wrong:
                bad += 1
                print(f"WRONG: {case}: {wrong}")
    print(len(sys.argv) - 1, "programs:", total, f"{formatted} messages formatted, {bad} wrong")
    few = not all(total.get(k) for k in ("record", "aggregation", "fault", "loss")) or formatted < 100
    return bad or (len(sys.argv) > 100 and few)


sys.exit(bool(main()))
