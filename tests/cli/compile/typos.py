#!/usr/bin/env python3
"""Walks misspelt names: every function, action, aggregating function, variable, keyword, probe,
provider, member and option without one of its letters, where a program has it. The message must
suggest the name. Prints the names that it does not suggest."""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

DTRACE = os.environ['DTRACE']
PCAP = 'tests/pcap/udp.pcap'


def rows(path, start, row):
    """Returns the names in the table of file @path that begins with @start."""
    text = open(path).read()
    text = text[re.search(start, text).end():]
    return re.findall(row, text[:text.index('\n}')], re.M)


def complete(kind):
    return subprocess.run([DTRACE, '--complete', kind], capture_output=True, text=True).stdout.split()


QUOTED = r'^\s*\{"([a-z]\w+)"'
subrs = rows('compiler/builtins/subrs.c', r'struct subr \w+\[\] = \{', QUOTED)
actions = rows('compiler/builtins/actions.c', r'struct action_def \w+\[\] = \{', QUOTED)
aggs = re.findall(r'F\([A-Z]+, (\w+)\)', open('agg/agg.h').read())
names = rows('compiler/builtins/vars.c', r'struct builtin_var \w+\[\] = \{', QUOTED)
for f in ('proc', 'psinfo'):
    names += re.findall(r'^inline \S+ \*?([a-z]\w+) =', open('translators/%s.d' % f).read(), re.M)
probes = [p for p in complete('probes') if re.match(r'(tcp|udp|ip|icmp|dns):::', p)]
members = {}
for arg, struct in (('args[0]', 'pktinfo'), ('args[1]', 'csinfo'), ('args[2]', 'ipinfo'), ('args[3]', 'tcpsinfo'), ('args[4]', 'tcpinfo')):
    for f in glob.glob('translators/*.d'):
        m = re.search(r'typedef struct %s \{(.*?)^\}' % struct, open(f).read(), re.M | re.S)
        if m:
            members[arg] = re.findall(r'^\t[\w ]+[ *](\w+);', m.group(1), re.M)


def typo(name):
    """Returns the name without its middle letter."""
    return name[:len(name) // 2] + name[len(name) // 2 + 1:]


def one_letter(a, b):
    """Returns whether the words differ by one letter."""
    return any(a[:i] + a[i + 1:] in (b, b[:i] + b[i + 1:]) or b[:i] + b[i + 1:] == a for i in range(max(len(a), len(b))))


cases = []  # the name, the misspelt one, and the arguments of dtrace


def program(text, name, wrong=None):
    wrong = wrong or typo(name)
    cases.append((name, wrong, ['-r', PCAP, '-e', '-n', text % wrong]))


known = set(subrs + actions + aggs + names)
for name in subrs + actions:
    program('BEGIN { %s(); }', name)
    program('BEGIN { this->x = %s(1); }', name)
for name in aggs:
    program('BEGIN { @a = %s(1); }', name)
    program('BEGIN { @a[1] = %s(); }', name)
for name in names:
    program('BEGIN { trace(%s); }', name)
    program('BEGIN /%s == 0/ { }', name)
    program('BEGIN { @[%s] = count(); }', name)
for arg in members:
    for name in members[arg]:
        program('tcp:::send { trace(' + arg + '->%s); }', name)
for p in probes:
    prov, name = p.split(':::')
    program(prov + ':::%s { }', name)
for name in ('BEGIN', 'END', 'ERROR'):
    program('%s { }', name)
for name in sorted({p.split(':::')[0] for p in probes}):
    if len(name) > 2:
        program('%s:::send { }', name)
program('BEGIN { self->longname = 1; trace(self->%s); }', 'longname')
program('BEGIN { this->longname = 1; trace(this->%s); }', 'longname')
program('BEGIN { longname = 1; trace(%s); }', 'longname')
program('BEGIN { @longname = count(); printa(@%s); }', 'longname')
for name, text in (('inline', '%s int x = 3; BEGIN { }'), ('struct', '%s s { int a; }; BEGIN { }'),
                   ('enum', '%s e { A }; BEGIN { }'),
                   ('union', '%s u { int a; }; BEGIN { }'), ('unsigned', '%s x; BEGIN { }'), ('string', '%s x; BEGIN { }'),
                   ('translator', '%s csinfo_t < int a > { }; BEGIN { }'), ('sizeof', 'BEGIN { trace(%s (int)); }'),
                   ('offsetof', 'BEGIN { trace(%s(struct sock, sk_mark)); }'), ('stringof', 'BEGIN { trace(%s(1)); }'),
                   ('self', 'BEGIN { trace(%s->x); }'), ('this', 'BEGIN { trace(%s->x); }'), ('xlate', 'BEGIN { trace(%s <csinfo_t> (0)); }'),
                   ('else', 'BEGIN { if (1) { trace(1); } %s { trace(2); } }')):
    program(text, name)
for name in sorted({re.sub('=.*', '', o) for o in complete('options')}):
    cases.append((name, typo(name), ['-x', typo(name), '-r', PCAP, '-e', '-n', 'BEGIN']))


def run(case):
    name, wrong, args = case
    env = dict(os.environ, DTRACE_OPT_nohint='off')
    err = subprocess.run([DTRACE] + args, capture_output=True, text=True, env=env).stderr
    good = re.search(r'(?<![\w-])%s(?![\w-])' % re.escape(name), err.replace(args[-1], ''))
    # another name may be as near
    near = re.search(r'did you mean (?:\w+:::|\w+->|@)?([\w-]+)', err)
    return None if good or not err or (near and one_letter(near.group(1), wrong)) else '%s for %s: %s' % (wrong, name, err.strip().replace('\n', ' | '))


# A misspelt name may be another name, or as near to one. One letter alone is a name of the user's.
cases = [c for c in cases if c[1] not in known and len(c[1]) > 1 and c[0] != 'icmp']
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    bad = [b for b in pool.map(run, cases) if b]
print('%d misspelt names' % len(cases))
for b in bad:
    print(b)
sys.exit(len(bad) > 0 or len(cases) < 400)
