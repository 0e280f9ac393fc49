#!/usr/bin/env python3
"""apply.py - makes an addition in a copy of the tree.

usage: apply.py FILE.edit DIRECTORY

A file NAME.edit describes one addition of docs/adding.md.  It has sections.  Each begins with a line
"=== KEYWORD ARGUMENT", and the lines below are its text:

  recipe TITLE, NAME   no text: names the recipe and the addition
  new FILE             makes FILE with this text
  append FILE          appends this text to FILE
  before FILE          finds this text, which FILE has once; the text of the next section,
                       "insert", is inserted before the line where it begins
  replace FILE         finds this text, too; the text of the next section, "with", replaces it
  own KEYWORD FILE     as KEYWORD, for a file whose name depends on the addition, so that no
                       recipe can name it
  run COMMAND          runs COMMAND in the copy, after the sections above
  test COMMAND         a command that passes with the addition, and fails without it
"""
import os
import re
import subprocess
import sys


class Edit:
    """One section, or a pair such as before and insert."""

    def __init__(self, kind, path, text, own):
        self.kind, self.path, self.text, self.own, self.other = kind, path, text, own, ''


class Addition:
    def __init__(self, path):
        parts = re.split(r'(?m)^=== (.*)\n', open(path, encoding='utf-8').read())[1:]
        self.edits, self.test, self.run = [], '', []
        for head, text in zip(parts[::2], parts[1::2]):
            own = head.startswith('own ')
            kind, _, rest = head.removeprefix('own ').partition(' ')
            if kind == 'recipe':
                self.title, _, self.name = rest.rpartition(', ')
            elif kind == 'test':
                self.test = rest
            elif kind in ('insert', 'with'):
                self.edits[-1].other = text
            else:
                self.edits.append(Edit(kind, rest, text, own))

    def apply(self, top, wanted=lambda edit: True):
        """Makes the wanted edits in folder @top.  A text that is not found is an error."""
        for edit in filter(wanted, self.edits):
            if edit.kind == 'run':
                subprocess.run(edit.path, shell=True, cwd=top, check=True)
            else:
                change(os.path.join(top, edit.path), edit)


def change(path, edit):
    if edit.kind == 'new':
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(edit.text)
        os.chmod(path, 0o755 if edit.text.startswith('#!') else 0o644)
        return
    with open(path, encoding='utf-8') as f:
        old = f.read()
    if edit.kind == 'append':
        new = old + edit.text
    else:
        anchor = edit.text.rstrip('\n')
        if old.count(anchor) != 1:
            sys.exit('%s has %d places with:\n%s' % (path, old.count(anchor), anchor))
        at = old.index(anchor)
        if edit.kind == 'replace':
            new = old[:at] + edit.other.rstrip('\n') + old[at + len(anchor):]
        else:
            at = old.rindex('\n', 0, at) + 1 if '\n' in old[:at] else 0
            new = old[:at] + edit.other + old[at:]
    with open(path, 'w', encoding='utf-8') as f:
        f.write(new)


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit('usage: apply.py FILE.edit DIRECTORY')
    Addition(sys.argv[1]).apply(sys.argv[2])
