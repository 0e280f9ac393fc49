# Every record is shown soon, after any pause. While records keep coming, dtrace polls the ring.
# After some polls without a record, it waits for a wake-up. A record that comes at this moment may
# not be lost or late.
. "$(dirname "$0")/../lib.bash"
need python3

cat >"$T/pauses.py" <<'X'
import os
import random
import subprocess
import sys
import threading
import time

N = 1500
clause = "syscall::getppid:entry /pid == %d/ { printf(\"%%d\\n\", timestamp); }" % os.getpid()
tracer = subprocess.Popen([sys.argv[1], "-qn", clause], stdout=subprocess.PIPE)
shown = []


def reader():
    for line in tracer.stdout:
        if line.strip():
            shown.append((int(line), time.monotonic_ns()))


thread = threading.Thread(target=reader)
thread.start()
# Waits until tracing has begun. A tick could show that too, but its timer would read the ring.
while not shown:
    os.getppid()
    time.sleep(0.1)
time.sleep(1.5)
before = len(shown)
random.seed(7)
for i in range(N):
    time.sleep(random.random() ** 2 * 0.008)
    os.getppid()
time.sleep(2)
tracer.terminate()
thread.join()
delays = sorted(at - event for event, at in shown[before:])
print("shown", len(delays) == N and shown == sorted(shown))
# dtrace waits for a wake-up for at most a second, so without wake-ups most records would be late.
# On a busy machine some are late.
print("late", sum(d > 300000000 for d in delays) <= N // 10)
print("median delay %.1f ms, largest %.1f ms" % (delays[len(delays) // 2] / 1e6, delays[-1] / 1e6), file=sys.stderr)
X
python3 "$T/pauses.py" "$DTRACE" >"$T/got" || fail "the test failed"
same 'all records, in order' 'shown True' "$(grep shown "$T/got")"
same 'records are not late' 'late True' "$(grep late "$T/got")"
finish
