#!/usr/bin/env python3
"""
confine-faults.py DTRACE CAPTURE - tests confinement with faults of system calls.

A run without faults shows the system calls of confinement, from the first one to the check of the
filter.  For each call dtrace then runs twice: in one run the call fails with EPERM, in the other it
returns 0 without any effect.  dtrace must end with an error.  HARMLESS lists calls without which
the process is still confined.  After such a fault dtrace may go on, but it must have no rights when
it parses.
"""
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time

DTRACE, CAPTURE = sys.argv[1:]
READY, REFUSED = 2, 3
FIRST = "unshare(CLONE_NEWNET)"
LAST = "prctl(PR_GET_SECCOMP"
MEMORY = ("brk", "mmap", "munmap")  # system calls that give up no right
FAULTS = ("error=EPERM", "retval=0")

# The process is still confined if one of these calls fails. Each row has fault, call and reason.
HARMLESS = (
    ("", r"close\(", "a descriptor of an empty folder stays open"),
    ("retval=0", r'chdir\("/"\)', "fchdir() went there before"),
    ("retval=0", r"getgroups\(0, NULL\) += 0", "0 is the right answer"),
    ("retval=0", r"capget\(", "all bits stay set, so more is given up; the check asks again"),
    ("retval=0", r"capset\(.*effective=0,", "setresuid() took the capabilities, and the check asks"),
    ("retval=0", r"prctl\(PR_GET_DUMPABLE\) += 0", "0 is the right answer"),
    ("retval=0", r"prlimit64\(0, RLIMIT_\w+, NULL, .*INFINITY", "0 is stricter than the limit that is wanted"),
    ("retval=0", r"prlimit64\(0, RLIMIT_CORE, ", "no core files were allowed before"),
    ("", r"seccomp\(.* = -1 E", "libseccomp asks what the kernel knows"),
    ("", r"seccomp\(SECCOMP_GET_", "libseccomp asks what the kernel knows"),
)


class Replay:
    """dtrace -r reads a FIFO. dtrace waits before it parses, so that the test can examine the process."""
    name = "replay"

    def start(self, trace):
        self.dir = tempfile.mkdtemp()
        fifo = self.dir + "/in"
        os.mkfifo(fifo)
        self.p = subprocess.Popen(trace + [DTRACE, "-qr", fifo, "-n", "ip:::receive { @ = count(); }"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.fd = os.open(fifo, os.O_RDWR)

    def parses(self):
        """Returns the process that waits for the capture and will parse it, or None if dtrace ended."""
        for _ in range(400):
            if self.p.poll() is not None:
                return None
            pid = child(self.p.pid)
            if pid and waits_for_fifo(pid):
                return pid
            time.sleep(0.01)
        return None

    def refused(self):
        out, err = self.p.communicate(timeout=20)
        return self.p.returncode == 1 and not out and b"cannot give up rights" in err

    def end(self):
        if self.p.poll() is None:
            with open(CAPTURE, "rb") as f:
                os.write(self.fd, f.read())
        os.close(self.fd)
        self.p.wait(20)
        subprocess.run(["rm", "-rf", self.dir], check=True)


class Reader:
    """The process that forks readers, started in the way that dtrace does."""
    name = "reader"

    def start(self, trace):
        self.ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.ours.settimeout(30)
        self.p = subprocess.Popen(trace + [DTRACE, "--reader", "elf"], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  pass_fds=(3,), preexec_fn=lambda: os.dup2(theirs.fileno(), 3))
        theirs.close()
        self.said = self.ours.recv(65536)

    def kind(self):
        return struct.unpack_from("=IIII", self.said)[1] if len(self.said) >= 16 else 0

    def parses(self):
        return child(self.p.pid) if self.kind() == READY else None

    def refused(self):
        return self.kind() == REFUSED and len(self.said) > 16 and self.p.wait(20) == 1

    def end(self):
        self.ours.close()
        self.p.wait(20)


def child(pid):
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
            return int((f.read().split() or ["0"])[0])
    except OSError:
        return 0


def waits_for_fifo(pid):
    try:
        with open("/proc/%d/wchan" % pid) as f:
            if "pipe_read" in f.read():
                return True
        with open("/proc/%d/status" % pid) as f:
            if "State:\tS" not in f.read():
                return False
        with open("/proc/%d/syscall" % pid) as f:
            return f.read().split()[0] in ("0", "7", "63", "73", "271")  # read, poll, ppoll
    except OSError:
        return False


def has_rights(pid):
    """Returns the rights that the process still has, or "" if it has none."""
    with open("/proc/%d/status" % pid) as f:
        s = dict(line.rstrip("\n").split(":\t", 1) for line in f if ":\t" in line)
    bad = [k for k in ("CapEff", "CapPrm", "CapInh", "CapAmb") if int(s[k], 16)]
    bad += [k for k in ("Uid", "Gid") if "0" in s[k].split()]
    bad += ["Groups"] if s["Groups"].split() else []
    bad += ["NoNewPrivs"] if s["NoNewPrivs"] != "1" else []
    bad += ["Seccomp"] if s["Seccomp"] != "2" else []
    bad += ["root"] if os.path.exists(os.path.join("/proc", str(pid), "root", "proc")) else []
    bad += ["net"] if os.readlink("/proc/%d/ns/net" % pid) == os.readlink("/proc/self/ns/net") else []
    return " ".join(bad)


def calls_of(kind, log):
    """Returns, for each call of confinement: its name, how often it was called before, and the line."""
    k = kind()
    k.start(["strace", "-o", log])
    pid = k.parses()
    rights = has_rights(pid) if pid else "no process"
    k.end()
    seen, found, on = {}, [], False
    with open(log, errors="replace") as f:
        for line in f:
            m = re.match(r"(\w+)\(", line)
            if not m:
                continue
            seen[m[1]] = seen.get(m[1], 0) + 1
            on |= line.startswith(FIRST)
            if on and m[1] not in MEMORY:
                found.append((m[1], seen[m[1]], line.strip()))
            if on and line.startswith(LAST):
                break
    if rights or not found or not found[-1][2].startswith(LAST):
        sys.exit("FAIL: %s without a fault: %s, %d calls" % (kind.name, rights, len(found)))
    return found


def reason(fault, line):
    for f, pattern, why in HARMLESS:
        if f in ("", fault) and re.match(pattern, line):
            return why
    return None


def try_one(kind, fault, name, nth, line, log):
    k = kind()
    k.start(["strace", "-o", log, "-e", "trace=" + name, "-e", "inject=%s:%s:when=%d" % (name, fault, nth)])
    pid = k.parses()
    rights = has_rights(pid) if pid else ""
    refused = not pid and k.refused()
    k.end()
    if refused:
        return ""
    if not pid:
        return "it ended without its error"
    if rights:
        return "it parses with " + rights
    return "" if reason(fault, line) is not None else "it goes on"


def main():
    failed = tried = 0
    with tempfile.TemporaryDirectory() as tmp:
        for kind in (Replay, Reader):
            for name, nth, line in calls_of(kind, tmp + "/good"):
                for fault in FAULTS:
                    why = try_one(kind, fault, name, nth, line, tmp + "/log")
                    tried += 1
                    if why:
                        failed += 1
                        print("FAIL: %s, %s: %s: %s" % (kind.name, fault, line[:100], why))
    print("%d faults, %d bad" % (tried, failed))
    return 1 if failed or tried < 100 else 0


sys.exit(main())
