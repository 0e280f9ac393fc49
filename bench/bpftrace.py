"""bpftrace.py - the releases of bpftrace that dtrace is compared with.

The aims of the benchmark compare dtrace with the release of Debian 13.  On an older machine, this
release runs in a Debian 13 root folder, which debootstrap makes in ~/.cache/dtrace-bench.  The
installed release is measured too, for comparison.
"""

import os
import re
import shutil
import subprocess

from common import NotMeasured, note

SUITE, RELEASE = "trixie", (0, 23)
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "dtrace-bench")
ROOT = os.path.join(CACHE, SUITE)
HOST = "/host"  # where the files of this machine are mounted below the root folder of a release

# For each release, by name, how to run it. Aims are compared with the release named "bpftrace".
commands = {"bpftrace": ["bpftrace"]}


def version(command):
    """Returns (0, 17) for "bpftrace v0.17.0"; (0, 0) without bpftrace."""
    try:
        text = subprocess.run(command + ["--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, check=False).stdout
    except FileNotFoundError:
        return 0, 0
    found = re.search(r"v(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def make_root():
    """Makes the root folder, unless it exists.  A folder with the final name is complete."""
    if os.path.isdir(ROOT):
        return
    note(f"making a root of Debian {SUITE}, which takes some minutes once")
    os.makedirs(CACHE, exist_ok=True)
    shutil.rmtree(ROOT + ".new", ignore_errors=True)
    done = subprocess.run(["debootstrap", "--variant=minbase", "--include=bpftrace", SUITE, ROOT + ".new"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1800, check=False)
    note("")
    if done.returncode:
        raise NotMeasured(f"cannot make a root of Debian '{SUITE}': {done.stdout.strip()[-300:]}")
    os.rename(ROOT + ".new", ROOT)


def prepare():
    """Finds the releases.  The caller is in a private mount namespace, where /sys has tracefs."""
    here = version(["bpftrace"])
    if here >= RELEASE:
        return
    make_root()
    for folder in ("/sys", "/proc", "/dev"):
        subprocess.run(["mount", "--rbind", folder, ROOT + folder], check=True)
    os.makedirs(ROOT + HOST, exist_ok=True)
    subprocess.run(["mount", "--bind", "/", ROOT + HOST], check=True)
    newest = ["chroot", ROOT, "bpftrace"]
    if version(newest) < RELEASE:
        raise NotMeasured(f"the root {ROOT} has no bpftrace {'.'.join(map(str, RELEASE))}")
    commands["bpftrace"] = newest
    if here > (0, 0):
        commands[f"bpftrace {here[0]}.{here[1]}"] = ["bpftrace"]


def name():
    """Returns the release that aims are compared with, such as "0.23"."""
    return ".".join(map(str, version(commands["bpftrace"])))


def path(file, command):
    """Returns the path of a file of the machine, as that release sees it."""
    return HOST + os.path.realpath(file) if command[0] == "chroot" else file
