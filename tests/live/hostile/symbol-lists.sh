# Libraries of another user have 900,000 functions, or 60,000 static probes, whose names are 16 KB
# long on average. dtrace lists only as many as fit in a limited memory, and says so. dtrace lists
# all functions of a library with 200,000 long C++ names.
. "$(dirname "$0")/hostile.bash"
need python3

# Writes libraries of the kinds "functions", "probes" and "large". The names of "functions" and
# "probes" are different suffixes of a few long texts, so the files are small.
cat >"$T/make.py" <<'PY'
import os, struct, sys

TEXT, SIZE, LONG = 0x1000, 0x200000, 32000
machine = 62 if os.uname().machine == "x86_64" else 183

def texts(kind):
    """Returns the string table and the offsets of the functions' names."""
    table, at = bytearray(b"\0"), []
    if kind == "large":
        for i in range(200000):
            at.append(len(table))
            table += b"_ZN5boost%06d" % i + b"x" * 300 + b"\0"
    elif kind == "functions":
        while len(at) < 900000:
            at += range(len(table), len(table) + LONG)
            table += bytes(97 + (i * 7 + len(at) // LONG * 13 + i // 26) % 26 for i in range(LONG)) + b"%06d\0" % len(at)
    return bytes(table), at

def section(name, kind, flags, at, size, link=0, info=0, entry=0):
    return struct.pack("<IIQQQQIIQQ", name, kind, flags, at if flags else 0, at, size, link, info, 8, entry)

def write(path, kind):
    strings, names = texts(kind)
    symbols = bytes(24) + b"".join(struct.pack("<IBBHQQ", o, 0x12, 0, 1, TEXT + i % SIZE, 1) for i, o in enumerate(names))
    labels = b"\0.text\0.symtab\0.strtab\0.note.stapsdt\0"
    notes = bytearray()
    for i in range(60000 if kind == "probes" else 1):
        name = b"query%d" % i + (b"\x01" * 4000 if kind == "probes" else b"")
        body = struct.pack("<QQQ", TEXT + i, 0, 0) + b"listed\0" + name + b"\0\0"
        notes += struct.pack("<III", 8, len(body), 3) + b"stapsdt\0" + body + bytes(-len(body) % 4)
    parts, at = [], TEXT + SIZE
    for p in symbols, strings, labels, bytes(notes):
        at = (at + 7) & ~7
        parts.append((at, p))
        at += len(p)
    at = (at + 7) & ~7
    (sy, _), (st, _), (la, _), (no, _) = parts
    table = (bytes(64) + section(1, 1, 6, TEXT, SIZE) + section(7, 2, 0, sy, len(symbols), 3, 1, 24) +
             section(15, 3, 0, st, len(strings)) + section(0, 3, 0, la, len(labels)) + section(23, 7, 0, no, len(notes)))
    with open(path, "wb") as f:
        f.write(b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, TEXT, 64, at, 0, 64, 56, 1, 64, 6, 4))
        f.write(struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, TEXT + SIZE, TEXT + SIZE, 0x1000))
        for where, p in parts + [(at, table)]:
            f.seek(where)
            f.write(p)

for kind in "functions", "probes", "large":
    write("%s/%s.so" % (sys.argv[1], kind), kind)
PY
python3 "$T/make.py" "$U" || { fail 'no libraries'; finish; }
chown $HOSTILE_UID:$HOSTILE_UID "$U"/*.so

# mapped LIBRARY: starts a process of the other user, and returns when it has mapped the library
mapped() {
	mapper "$1"
	wait_for /proc/$user_pid/maps "$1" || finish
}

mapped large.so
run large -ln "pid$user_pid:large.so:_ZN5boost199999x*:entry"
ended large 0
shown large 'large.so _ZN5boost199999x+ entry'
same 'large: no message' 0 "$(grep -c . "$T/large.err")"
kill $user_pid

mapped functions.so
run functions -ln 'listed*:::query0'
ended functions 0
shown functions 'listed\* +functions\.so .*query0'
run entry -ln "pid$user_pid:functions.so:no_such_function:entry"
ended entry 0
for r in functions entry; do
	same "$r: a message names the file" 1 "$(grep -cE 'functions\.so: only its first [0-9]+ functions can be traced, because' "$T/$r.err")"
done
kill $user_pid

mapped probes.so
run probes -ln 'listed*:::none'
ended probes 0
same 'probes: a message names the file' 1 "$(grep -cE 'probes\.so: only its first [0-9]+ static probes can be traced, because' "$T/probes.err")"
kill $user_pid
finish
