# stddev.py SEED N: prints a D program with N aggregated sets of numbers, and after a line "--" the
# rows that printa("%d %@d %@d %@d\n", ...) must print: the integer part of each standard deviation,
# as it is and divided by 7 and by -3.
import math
import random
import sys

seed, n = int(sys.argv[1]), int(sys.argv[2])
rnd = random.Random(seed)
LOW, HIGH = -(1 << 63), (1 << 63) - 1


def wrapped(v):
    return (v - LOW) % (1 << 64) + LOW


def number(kind):
    if kind == 0:  # close together, far from 0
        return 1000000000 + rnd.randint(0, 2)
    if kind == 1:
        return rnd.randint(-20, 20)
    if kind == 2:
        return rnd.randint(LOW, HIGH)
    if kind == 3:  # extremes
        return rnd.choice([LOW, LOW + 1, -1, 0, 1, HIGH - 1, HIGH])
    return rnd.randint(-1, 1) * (1 << rnd.randint(0, 62)) + rnd.randint(-1, 1)


def stddev(values):
    # a sum of more than 64 bits wraps, as that of avg() does
    count, total, squares = len(values), wrapped(sum(values)), sum(v * v for v in values) % (1 << 128)
    variance = squares * count - total * total  # times count * count
    return min(math.isqrt(variance // (count * count)), HIGH) if variance > 0 else 0


def literal(v):
    return f"{v + 1} - 1" if v == LOW else str(v)


rows = []
for case in range(n):
    kind = rnd.randint(0, 4)
    # four squares of the smallest number exceed 128 bits
    values = [number(kind) for _ in range(rnd.randint(1, 3 if kind in (2, 3) else 6))]
    calls = "".join(f" @{a}[{case}] = stddev({literal(v)});" for v in values for a in "abc")
    print(f"BEGIN {{{calls} }}")
    root = stddev(values)
    rows.append(f"{case} {root} {root // 7} {root // 3}")
print("--")
print("\n".join(rows) + "\n")
