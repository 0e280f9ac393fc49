#!/usr/bin/env python3
"""Prints the commands that documents show, one a line, with the name of the document.

A command begins with dtrace, dwatch or tools/run. In Markdown it is a line of code, or stands between
backquotes. In a manual page it is a line of text; there, dtrace must have an option, because prose may
begin with the word dtrace too."""
import re
import sys

COMMAND = re.compile(r"(?:dtrace|dwatch|tools/run) .*", re.S)


def of_page(text):
    """Yields the commands of a manual page, as man shows them."""
    for line in text.splitlines():
        if line.startswith("\\f"):
            continue
        line = re.sub(r"\\f[A-Z]|\\&", "", line).replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\")
        if line.startswith(("dtrace -", "dwatch ")) and not re.match(r"\w+ - ", line):
            yield line


def of_code(text):
    """Yields lines of code. A line with an open quote continues on the next line."""
    begun = ""
    for line in text.splitlines():
        if not line.startswith("    "):
            begun = ""
            continue
        begun += re.sub(r"(?<=\S) {3,}.*", "", line[4:])
        if begun.count("'") % 2 == 0:
            yield begun
            begun = ""


def of_markdown(text):
    text = re.sub(r"^```console\n.*?^```$", "", text, flags=re.S | re.M)  # examples.py runs these examples
    for code in re.findall(r"`([^`\n]+)`", re.sub(r"^    .*", "", text, flags=re.M)):
        yield code.replace("\\|", "|")
    yield from of_code(text)


found = {}
for name in sys.argv[1:]:
    text = open(name, encoding="utf-8").read()
    for command in of_page(text) if re.search(r"\.[0-9]$", name) else of_markdown(text):
        if COMMAND.fullmatch(command):
            found.setdefault(command, name)
for command, name in found.items():
    print(name + "\t" + command)
