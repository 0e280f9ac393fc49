"""Counts sentences that a reader must read twice.

english.py [-v] [PATH...]: reads the prose of the files below each PATH, or of the whole tree, and counts the
constructions below in a thousand lines of it.  Prose is comments, messages, pages and documents.  -v prints each.
"""
import collections
import os
import re
import subprocess
import sys

LIMIT = 2  # hard sentences that a thousand lines may have

# CONTRIBUTING.md gives the replacements.
CONSTRUCTIONS = [
    ('a relative clause without its noun',
     r'\b(?:of|from|by|with|to) (?:which|whom|whose)\b|\bthat which\b|\bthose which\b|\bwho(?:so)?ever\b'
     r'|\bwhat(?:ever)? (?:is|are|was|were|has|had|have|comes|came|cannot|lies|stands|follows|goes|went|makes|takes|belongs'
     r'|remains|happens|hangs|came|one|else|there)\b|\b(?:all|nothing|something|anything|one|ones) that (?:is|are|was|has|have|had)\b'
     r'|\bwhose (?:it|they|its|are|is)\b|\bhe who\b|\bthe one (?:that|who|which)\b|\bwho (?:has|is|wants|asks|reads|makes|takes|does) \w+'),
    ('a fragment instead of a sentence',
     r'(?:^|[.:;] +)(?:Of (?!course)|What (?!\'s)|Whose |Whom |Which |That which |Likewise|Who |Not so|None of)(?![^.]*\?)'),
    ('telling and knowing without a speaker',
     r'\b(?:is|are|was|were|be|been|being) (?:told|known of|heard of|said of|asked of|thought of)\b|\btold (?:of|by|when|as|once)\b'
     r'|\b(?:knows|know|tells|tell|says|say|told|known) (?:nothing |none |no more |all |much |little )?of\b'),
    ('an inverted or archaic phrase',
     r'\blikewise\b|\b(?:has|have|had|is|are|was|does|do|did|can|may) (?:it|they|he|she|one) not\b|\bnot so\b|\bbut for\b'
     r'|\bthere(?:of|in|by|upon|to)\b|\bwhere(?:of|in|upon|to)\b|\bsuch (?:a|an) one\b|\bfor want of\b|\bhas(?:n.t)? need of\b'
     r'|\bit takes to\b|\bwhat it takes\b|\bit may be that\b|\bby which\b|\bso (?:many|much) (?:of|as)\b|\bas (?:ever|is) (?:was|it)\b'
     r'|\b(?:goes|go|went|comes|come|came) (?:on )?(?:to be|along|by (?:it|them))\b|\bthe like\b|\bnone (?:is|are|has|have)\b'
     r'|\bno (?:more|longer) than it\b|\bthat one\'s\b|\bthose there are\b|\bthere to be\b|\bis to be\b|\bare to be\b'),
]
PATTERNS = [(name, re.compile(text, re.M)) for name, text in CONSTRUCTIONS]

MESSAGE = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def blocks(text, start, end):
    """Yields the comments between two marks, each with the number of its first line."""
    at = 0
    while True:
        a = text.find(start, at)
        if a < 0:
            return
        b = text.find(end, a + len(start))
        b = len(text) if b < 0 else b
        yield text.count('\n', 0, a) + 1, text[a + len(start):b]
        at = b + len(end)


def clean(comment):
    return '\n'.join(re.sub(r'^\s*\*? ?', '', line).rstrip() for line in comment.split('\n'))


def messages(text):
    """Yields string literals of at least four words. Adjacent literals are one text."""
    joined = re.sub(r'"\s*\n\s*"', '', text)
    for m in MESSAGE.finditer(joined):
        s = m.group(1).replace('\\n', ' ').replace('\\t', ' ').replace('\\"', '"')
        if len(re.findall(r'[A-Za-z]{2,}', s)) >= 4 and s.count(' ') >= 3 and not re.search(r'[{};]|->|:::', s):
            yield joined.count('\n', 0, m.start()) + 1, s


def prose_c(text):
    yield from ((n, clean(c)) for n, c in blocks(text, '/*', '*/'))
    yield from messages(re.sub(r'/\*.*?\*/', lambda m: re.sub(r'[^\n]', ' ', m.group()), text, flags=re.S))


def prose_d(text):
    yield from ((n, clean(c)) for n, c in blocks(text, '/*', '*/'))


def prose_hash(text):
    """Yields runs of lines that are comments of a shell or Python script, or of CMake."""
    run, first = [], 0
    for n, line in enumerate(text.split('\n'), 1):
        m = re.match(r'\s*#(?!!) ?(.*)', line)
        if m:
            first = first if run else n
            run.append(m.group(1))
        elif run:
            yield first, '\n'.join(run)
            run = []
    if run:
        yield first, '\n'.join(run)


def prose_markdown(text):
    fenced = False
    lines = []
    for line in text.split('\n'):
        if line.startswith('```'):
            fenced = not fenced
            line = ''
        lines.append('' if fenced or line.startswith('    ') or line.startswith('#') else re.sub(r'`[^`]*`', 'code', line))
    yield 1, '\n'.join(lines)


def prose_roff(text):
    yield 1, '\n'.join('' if re.match(r'[.\']', line) and not re.match(r'\.(?:B|I|BR|IR|TP) ', line)
                       else re.sub(r'\\f.|\\', '', line) for line in text.split('\n'))


KINDS = {'.c': prose_c, '.h': prose_c, '.d': prose_d, '.sh': prose_hash, '.bash': prose_hash, '.py': prose_hash,
         '.cmake': prose_hash, '.md': prose_markdown, '.8': prose_roff, '.7': prose_roff, '.4': prose_roff}


def kind(path):
    if '/tests/pcap/' in path or path.endswith('tests/style/english.py'):
        return None
    extension = os.path.splitext(path)[1]
    if extension or os.path.islink(path):
        return KINDS.get(extension)
    with open(path, errors='replace') as f:  # a script without an extension
        return prose_hash if f.read(2) == '#!' else None


def files(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, dirs, names in os.walk(path):
            dirs[:] = sorted(d for d in dirs if not d.startswith('build') and d != '.git' and not d.endswith('.seeds'))
            yield from (os.path.join(folder, name) for name in sorted(names))


def main():
    args = sys.argv[1:]
    verbose = args[:1] == ['-v']
    args = args[verbose:] or ['.']
    lines, found = 0, collections.Counter()
    for path in files(args):
        prose = kind(path)
        if not prose:
            continue
        for first, text in prose(open(path, errors='replace').read()):
            lines += sum(1 for line in text.split('\n') if re.search('[A-Za-z]{2}', line))
            flat = re.sub(r'\n(?=[^\n|*-])', ' ', text)
            for name, pattern in PATTERNS:
                for m in pattern.finditer(flat):
                    found[name] += 1
                    if verbose:
                        # Joining lines did not change the offsets of characters.
                        n = first + text.count('\n', 0, m.start())
                        print('%s:%d: %s: ...%s...' % (path, n, name, flat[max(0, m.start() - 30):m.end() + 40].strip()))
    if not lines:
        sys.exit('no prose in ' + ' '.join(args))
    rate = 1000 * sum(found.values()) / lines
    print('%d lines of prose, %.1f hard sentences in a thousand' % (lines, rate))
    for name, n in found.most_common():
        print('%7d %s' % (n, name))
    return rate > LIMIT


if __name__ == '__main__':
    sys.exit(main())
