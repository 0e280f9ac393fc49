#!/bin/bash
# Every conversion is a node of the typed tree, so code generation converts nothing. In the typed trees of the test
# programs (-x dump=typed), both operands have one kind, strings are strings and no array is a value.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
bad=0

objects=$(dirname "$DTRACE")/CMakeFiles/dt.dir/compiler/code
[ -d "$objects" ] || { echo "no objects in $objects"; exit 77; }
for f in $(find compiler/code -name '*.c'); do
	[ -f "$objects/${f#compiler/code/}.o" ] || { echo "no object of $f in $objects"; exit 77; }
	typing=$(nm -u "$objects/${f#compiler/code/}.o" | awk '$2 ~ /^sema_/ { print $2 }' | xargs)
	[ -z "$typing" ] || { echo "$f types what it makes code of: $typing"; bad=1; }
done

dumps=$(mktemp -d)
trap 'rm -rf "$dumps"' EXIT
for f in tests/golden/*.d tests/lang/{operators,strings,variables,functions,agg,text}/*.d; do
	"$DTRACE" -w -r tests/pcap/empty.pcap -e -x dump=typed -s "$f" >"$dumps/${f//\//:}" 2>/dev/null </dev/null
	[ $? -lt 128 ] || { echo "$f: no code can be made of it"; bad=1; }
done
python3 - "$dumps" <<'PY' || bad=1
import glob
import os
import re
import sys

LINE = re.compile(r'( *)(\w+)((?: .*?)??)(?: <.*?>)?(?: : (.*?))?(?: = -?\d+)?(?:, at most \d+ bytes)?$')
problems, nodes = [], 0


class Node:
    def __init__(self, text):
        m = LINE.match(text)
        self.depth, self.word, self.what, self.type = len(m[1]), m[2], m[3].strip(), m[4] or ''
        self.child = []

    def is_string(self):
        return self.type == 'string'

    def is_array(self):
        return self.type.endswith(']')


def check(n, say):
    values = []
    if n.word == 'binary' and n.what not in ('<<', '>>'):
        values = n.child
    elif n.word == 'cond':
        values = n.child[1:] + ([n] if n.is_string() else [])
    elif n.word == 'assign' and n.is_string():
        values = n.child
    if values and len({v.is_string() for v in values}) > 1:
        say(n, 'has a string and something else')
    if n.word == 'call' and n.what in ('trace', 'printf', 'strlen', 'strjoin', 'substr') or n.word == 'agg':
        values = [v for v in n.child if v.type.startswith('char')]
    if any(v.is_array() for v in values):
        say(n, 'has an array for a value')
    if n.word == 'cast' and n.what not in ('keep', 'cut', 'address', 'text', 'null', 'chars', 'array', 'drop'):
        say(n, 'does not say what it does')
    if n.word == 'cast' and n.what in ('text', 'array') and n.child[0].is_string():
        say(n, 'makes a string of a string')
    if n.word == 'cast' and n.what == 'chars' and not n.child[0].is_string():
        say(n, 'the characters of what is no string')


def read(path):
    global nodes
    name = os.path.basename(path).replace(':', '/')
    stack = []
    for no, text in enumerate(open(path, encoding='utf-8', errors='replace'), 1):
        n = Node(text.rstrip('\n'))
        n.line = no
        nodes += 1
        while stack and stack[-1].depth >= n.depth:
            check(stack.pop(), lambda n, what: problems.append('%s: %d: %s %s %s' % (name, n.line, n.word, n.what, what)))
        if stack:
            stack[-1].child.append(n)
        stack.append(n)
    while stack:
        check(stack.pop(), lambda n, what: problems.append('%s: %d: %s %s %s' % (name, n.line, n.word, n.what, what)))


for f in glob.glob(sys.argv[1] + '/*'):
    read(f)
print('\n'.join(problems[:20]))
print('%d nodes, %d wrong' % (nodes, len(problems)))
sys.exit(bool(problems) or nodes < 2000)
PY
exit $bad
