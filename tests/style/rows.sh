# Every row of the tables that users see has a test that names it; lists rows without a test.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
python3 - <<'PY'
import glob
import os
import re
import sys

TESTS = [f for k in ('replay', 'lang', 'err', 'golden', 'cli', 'live') for s in ('d', 'args', 'sh')
         for f in glob.glob('tests/%s/**/*.%s' % (k, s), recursive=True)] + glob.glob('scripts/*.d')
text = '\n'.join(open(f).read() for f in TESTS)
tags = {os.path.basename(f).split('.')[1] for f in glob.glob('tests/err/*/err.*.d')}


def table(path, start, row, end=r'^};?|^} '):
    """Returns the first group of @row in the lines of @path from a match of @start to a match of @end."""
    on, out = False, []
    for line in open(path):
        if on and re.match(end, line):
            break
        if on:
            out += re.findall(row, line)
        on = on or re.search(start, line) is not None
    if not out:
        sys.exit('%s: no table found: %s' % (path, start))
    return out


QUOTED = r'\{"(\w+)"'
lack, n = [], 0


def check(what, names, regex, exempt={}):
    global n
    for name in names:
        if name in exempt or name.startswith('__'):
            continue
        n += 1
        if not re.search(regex % re.escape(name), text):
            lack.append('%s %s' % (what, name))


check('aggregating function', table('agg/fns.c', r'^/\* -+ table \*/', r'^\t\.name = "(\w+)"', end=r'^#define ROW'), r'= %s\(')
check('action', table('compiler/builtins/actions.c', r'actions\[\] =', r'^\t[A-Z_]+\("(\w+)"'), r'\b%s\(')
check('subroutine', table('compiler/builtins/subrs.c', r'subrs\[\] =', r'^\s*' + QUOTED), r'\b%s\(')
check('variable', table('compiler/builtins/vars.c', r'vars\[\] =', QUOTED), r'\b%s\d?\b')
check('variable', table('translators/proc.d', r'^ \*/', r'^inline \w+ (\w+)'), r'\b%s\b')
check('macro', table('compiler/syntax/macro.c', r'macro_table\[\] =', QUOTED), r'\$%s\b')
check('pragma', table('compiler/syntax/control.c', r'pragmas\[\] =', QUOTED), r'#pragma D %s\b')
check('control line', table('compiler/syntax/control.c', r'controls\[\] =', QUOTED), r'(?m)^#%s\b')
check('option', table('cmd/options.c', r'options\[\] =', QUOTED), r'(-x|option) *%s\b',
      {'verify': 'tests/run-verifier', 'dump': 'tests/run-cases', 'nocast': 'what older kernels do',
       'nofentry': 'tests/matrix/guests.sh', 'checked': 'tests/run-cases', 'nojit': 'tests/run-cases', 'jobs': 'tests/run-cases'})
check('option', table('consumer/options.c', r'options\[\] =', r'(?:OPT\(|\{")(\w+)'), r'(-x|option) *%s\b')
# The option is alone ("-q"), follows letters without arguments ("-wq"), or has an argument.
check('letter', table('cmd/arguments.c', r'letters\[\] =', r"\{'(\w)'"), r'(?m)^[^#\n]*(run|succeeds|fails|DTRACE\S*|dt_start \S+)\b[^\n]* -[eFqSwZCHOlvV]*%s')
check('long option', table('cmd/arguments.c', r'letters\[\] =', r'\{OPT_\w+, \w+, "(\w+)"'), r'--%s\b')
check('unit of time', table('base/duration.c', r'units\[\] =', QUOTED), r'tick-\d+%s\b')
check('conversion', [c for c in table('ir/format.c', r'defs\[\] =', r'\{"([^"]+)"') if c not in '%'],
      r"%%['#0+ -]*[\d*?]*(\.[\d*]+)?%s", {c: 'no such values yet' for c in
      ('e', 'E', 'f', 'g', 'G', 'Le', 'LE', 'Lf', 'Lg', 'LG', 'lc', 'wc', 'ls', 'ws')})
for f in glob.glob('translators/*.d'):
    for body in re.findall(r'translator \w+ <[^>]*> \{(.*?)\n\};', open(f).read(), re.S):
        check('field', re.findall(r'(?m)^\t(\w+) =', body), r'(?:->|\]\.)%s\b')
# A test program alone cannot cause these errors.
SYSTEM = {'D_ARGS_NONE', 'D_SYS', 'D_VERIFY', 'D_HOOK_NONE', 'D_LIMIT', 'D_UNSUPPORTED'}
for tag in table('base/diag.h', r'#define DTAGS|X\(tag\)|define .*\(X\)', r'X\((D_\w+)\)', r'^$'):
    if tag in SYSTEM:
        continue
    n += 1
    used = any(tag in open(f).read() for d in ('compiler', 'compiler/*', 'cmd', 'ir')
               for f in glob.glob(d + '/*.c'))
    if used and tag not in tags and tag + '\\]' not in text:
        lack.append('error ' + tag)
for line in lack:
    print('no test of ' + line)
print('%d rows, %d without a test' % (n, len(lack)))
sys.exit(bool(lack))
PY
