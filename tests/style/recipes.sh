#!/bin/bash
# The additions of tests/recipes/ still fit the tree: each text that they search for occurs once in
# its file. tests/walk-recipes also builds them, which takes minutes.
cd "$(dirname "$0")/../.." || exit 1
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
exec python3 - <<'END'
import glob
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, 'tests/recipes')
from apply import Addition

bad = edits = 0
with tempfile.TemporaryDirectory() as copy:
    for path in sorted(glob.glob('tests/recipes/*.edit')):
        addition = Addition(path)
        addition.edits = [e for e in addition.edits if e.kind != 'run']
        for edit in addition.edits:
            to = os.path.join(copy, edit.path)
            if edit.kind != 'new' and not os.path.exists(to):
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copy(edit.path, to)
        try:
            addition.apply(copy)
        except SystemExit as e:
            print('%s: %s' % (path, str(e).replace(copy + '/', '')))
            bad += 1
        edits += len(addition.edits)
print('%d edits' % edits)
sys.exit(bad > 0 or not edits)
END
