"""Finds comments whose @name is no parameter and no member of the declaration below.

parameters.py [FILE...] reads the C files FILE, or all of the tree, and prints each such name.  A name is right if the
declaration below the comment has it, or a declaration behind that one without a blank line between.  In a struct, each
of its members is right.
"""
import glob
import re
import sys

# Indentation, comment, and the lines below it up to an empty line.
COMMENT = re.compile(r'^([ \t]*)/\*((?:[^*]|\*(?!/))*)\*/\n((?:.+\n)*)', re.M)
# Not D: @[key], @name = count(), %@d, printa(@name), "@name".
NAME = re.compile(r'(?<![\w@%"])(?<!printa\()(?<!clear\()@([a-z_]\w*)\b(?!\[| \+?= |\+\+)')
AGGREGATE = re.compile(r'^(?:static |const |typedef )*(?:struct|union|enum)\b[^;()]*\{')


def struct_around(text, at):
    """Returns the text of the struct, union or enum that has a member at offset @at."""
    start = text.rfind('\n}', 0, at)
    end = text.find('\n}', at)
    return text[max(start, 0):end]


def declaration(text, m):
    if m.group(1):
        return struct_around(text, m.start())
    below = m.group(3)
    if AGGREGATE.match(below):
        return text[m.end(2):text.find('\n}', m.end(2))]
    head = re.match(r'[^;{=]*\{', below)
    return head.group() if head else below


def main():
    files = sys.argv[1:] or sorted(f for f in glob.glob('**/*.[ch]', recursive=True) if not f.startswith('build'))
    names, wrong = 0, 0
    for path in files:
        text = open(path, encoding='utf-8').read()
        for m in COMMENT.finditer(text):
            used = NAME.findall(m.group(2))
            if not used or m.group(3).startswith('#'):
                continue
            names += len(used)
            words = set(re.findall(r'\w+', declaration(text, m)))
            for name in dict.fromkeys(used):
                if name not in words:
                    wrong += 1
                    line = text.count('\n', 0, m.start()) + 1
                    below = m.group(3).split('\n')[0].strip()
                    print('%s:%d: no parameter or member is called %s, which the comment has as @%s: %s' % (path, line, name, name, below))
    print('%d names' % names)
    return wrong > 0 or not names and len(sys.argv) < 2


if __name__ == '__main__':
    sys.exit(main())
