#!/usr/bin/env python3
"""Runs the examples of documents: examples.py DOCUMENT...

An example is in a block ```console. A line "$ " begins a command, and "> " continues it. The lines below
are the expected output, stdout and stderr. With UPDATE=1 the real output replaces them."""
import os
import re
import subprocess
import sys

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.S | re.M)


def split(block):
    """Returns the block as pairs of lists: lines of the command, lines of its output."""
    pairs = []
    for line in block.splitlines():
        if line.startswith("$ "):
            pairs.append(([line], []))
        elif line.startswith("> ") and not pairs[-1][1]:
            pairs[-1][0].append(line)
        else:
            pairs[-1][1].append(line)
    return pairs


def run(lines):
    command = "\n".join(line[2:] for line in lines)
    r = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       stdin=subprocess.DEVNULL, timeout=300)
    text = r.stdout.decode(errors="replace")
    # Documents leave out blank lines around the output, and blanks at the end of lines.
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def main():
    bad = count = 0
    for name in sys.argv[1:]:
        text = open(name).read()
        done = []
        for block in BLOCK.finditer(text):
            new = ""
            for command, want in split(block.group(1)):
                count += 1
                got = run(command)
                new += "".join(line + "\n" for line in command + got)
                if got == want or os.environ.get("UPDATE"):
                    continue
                bad += 1
                print("%s: %s\n-- expected output:\n%s\n-- real output:\n%s" %
                      (name, "\n".join(command), "\n".join(want), "\n".join(got)))
            done.append((block.start(1), block.end(1), new))
        if os.environ.get("UPDATE"):
            for start, end, new in reversed(done):
                text = text[:start] + new + text[end:]
            open(name, "w").write(text)
    print("%d examples, %d wrong" % (count, bad))
    return 1 if bad or not count else 0


sys.exit(main())
