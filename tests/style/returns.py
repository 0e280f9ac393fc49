"""Finds void functions whose comment says that they return a value.

returns.py [FILE...] reads the C files FILE, or all of the tree, and prints each such function.
"""
import glob
import re
import sys

COMMENT = re.compile(r'/\*((?:[^*]|\*(?!/))*)\*/\n(?=(?:static |inline |extern )*void (\w+)\()')
# A sentence whose subject is the function itself.
RETURNS = re.compile(r'(?:^|[.;)] +)((?:Returns? |[A-Z][a-z]+s [^.:;]*\band returns )[^.;]*)')


def main():
    files = sys.argv[1:] or sorted(f for f in glob.glob('**/*.[ch]', recursive=True) if not f.startswith('build'))
    functions, wrong = 0, 0
    for path in files:
        text = open(path, encoding='utf-8').read()
        for m in COMMENT.finditer(text):
            functions += 1
            found = RETURNS.search(re.sub(r'\s*\n\s*\*?\s*', ' ', m.group(1)).strip())
            if found:
                wrong += 1
                line = text.count('\n', 0, m.end()) + 1
                print('%s:%d: %s() returns nothing, but its comment says "%s"' % (path, line, m.group(2), found.group(1)))
    print('%d void functions with a comment' % functions)
    return wrong > 0 or not functions and len(sys.argv) < 2


if __name__ == '__main__':
    sys.exit(main())
