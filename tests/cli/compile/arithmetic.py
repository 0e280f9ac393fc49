# arithmetic.py LEFT RIGHT PROGRAM EXPECTED: writes a D program with every operator on variables of these
# two integer types, and what it must print.
#
# The model is D's: every number has 64 bits. The type of a result is the larger of both types, or the
# unsigned one of two types of one size. It decides how numbers are divided, compared and shifted. A
# number is cut to its type only when it is stored, cast, printed or a key.
import sys

TYPES = {"int8_t": (1, True), "uint8_t": (1, False), "int16_t": (2, True), "uint16_t": (2, False),
         "int32_t": (4, True), "uint32_t": (4, False), "int64_t": (8, True), "uint64_t": (8, False)}
INT, LONG = (4, True), (8, True)
MASK = (1 << 64) - 1


def cut(value, kind):
    """Returns the value, as a number of this type."""
    size, signed = kind
    value &= (1 << 8 * size) - 1
    return value - (1 << 8 * size) if signed and value >> 8 * size - 1 else value


class Number:
    """64 bits and a type."""

    def __init__(self, value, kind):
        self.bits, self.kind = value & MASK, kind

    def with_type(self, kind):
        """Returns the number, seen as a number of 64 bits by the sign of this type."""
        return cut(self.bits, (8, kind[1]))


def common(a, b):
    return max(a.kind, b.kind, key=lambda kind: 8 * kind[0] + (not kind[1]))


def divide(a, b):
    n = abs(a) // abs(b)
    return n if (a < 0) == (b < 0) else -n


def binary(op, a, b):
    kind = common(a, b)
    x, y = a.with_type(kind), b.with_type(kind)
    if op in ("<", "<=", ">", ">=", "==", "!="):
        return Number({"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y, "!=": x != y}[op], INT)
    if op in ("<<", ">>"):
        x = a.with_type(a.kind)
        return Number(x << y if op == "<<" else x >> y, a.kind)
    if op in ("/", "%"):
        quotient = divide(x, y)
        return Number(quotient if op == "/" else x - quotient * y, kind)
    return Number({"+": x + y, "-": x - y, "*": x * y, "&": x & y, "|": x | y, "^": x ^ y}[op], kind)


def extremes(kind):
    size, signed = kind
    if signed:
        return [-(1 << 8 * size - 1), (1 << 8 * size - 1) - 1, -7]
    return [(1 << 8 * size) - 1, (1 << 8 * size - 1) + 3, 9]


def literal(value):
    return f"(-{-value - 1}LL - 1)" if value < 0 else f"{value}ULL"


def expressions(x, y):
    """Yields the text and the result of each expression."""
    small = {n: Number(n, INT) for n in (0, 1, 2, 3, 5, 7)}
    for op in ("+", "-", "*", "/", "%", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="):
        yield f"x {op} y", binary(op, x, y)
    for n in (1, 3, 7):
        yield f"x << {n}", binary("<<", x, small[n])
        yield f"x >> {n}", binary(">>", x, small[n])
    yield "-x", Number(-x.bits, x.kind)
    yield "~x", Number(~x.bits, x.kind)
    yield "!x", Number(x.bits == 0, INT)
    yield "z ? x : y", Number(y.bits, common(x, y))
    yield "x && y", Number(x.bits != 0 and y.bits != 0, INT)
    for name in TYPES:
        total = binary("+", x, y)
        yield f"({name})(x + y)", Number(cut(total.bits, TYPES[name]), TYPES[name])
    yield "(x + y) / 3", binary("/", binary("+", x, y), small[3])
    yield "(x * y) >> 2", binary(">>", binary("*", x, y), small[2])
    yield "(x - y) % 5", binary("%", binary("-", x, y), small[5])
    yield "x + y - x", binary("-", binary("+", x, y), x)
    yield "x * y < 0", binary("<", binary("*", x, y), small[0])


def main(left, right, program, expected):
    d, rows, n = [f"{left} x; {right} y; int z;"], [], 0
    for i in range(3):
        for k in range(3):
            xv, yv = extremes(TYPES[left])[i], extremes(TYPES[right])[k]
            d.append(f"BEGIN\n{{\n\tx = {literal(xv)}; y = {literal(yv)};")
            for text, result in expressions(Number(xv, TYPES[left]), Number(yv, TYPES[right])):
                shown = cut(result.bits, result.kind)
                form = "%d" if result.kind[1] else "%u"
                d.append(f'\tprintf("{form} ", {text}); trace({text});')
                d.append(f'\tprintf(" %d %d\\n", (int64_t)({text}), sizeof({text}));')
                d.append(f"\t@v[{n}] = sum({text});")
                rows.append(f"{shown} {shown} {cut(result.bits, LONG)} {result.kind[0]}")
                n += 1
                rows.append(("v", n - 1, cut(result.bits, LONG)))
            d.append("}")
    d.append('BEGIN { setopt("aggsortkey"); printa("v %d %@d\\n", @v); exit(0); }')
    with open(program, "w") as f:
        f.write("\n".join(d) + "\n")
    with open(expected, "w") as f:
        f.write("".join(r + "\n" for r in rows if isinstance(r, str)))
        f.write("".join(f"v {r[1]} {r[2]}\n" for r in rows if not isinstance(r, str)))


main(*sys.argv[1:])
