#!/usr/bin/env python3
"""Makes decimal.txt: what Python's decimal module, an implementation of the same standard, says about
numbers in the format decimal128. Run it in its folder; the seed is fixed."""

import random
import struct
from decimal import Context, Decimal, ROUND_HALF_EVEN

context = Context(prec=34, rounding=ROUND_HALF_EVEN, Emin=-6143, Emax=6144, clamp=1, traps=[])
# Texts that are longer than a number are read by a context that keeps them, then rounded once.
wide = Context(prec=400, Emin=-999999, Emax=999999, traps=[])
chance = random.Random(128)


def text(number):
    """As Decimal128 prints it: Realm has no plus sign in exponents, short infinities, one NaN."""
    if number.is_nan():
        return "NaN"
    return str(number).replace("E+", "E").replace("Infinity", "Inf")


def digits(count):
    return chance.randrange(10 ** (count - 1), 10**count)


def number():
    sign = chance.choice(["", "-"])
    kind = chance.random()
    if kind < 0.35:  # as people write them
        return f"{sign}{digits(chance.randint(1, 9))}E{-chance.randint(0, 6)}"
    if kind < 0.60:  # all digits
        return f"{sign}{digits(34)}E{chance.randint(-40, 6)}"
    if kind < 0.75:  # far apart
        return f"{sign}{digits(chance.randint(1, 34))}E{chance.randint(-60, 60)}"
    if kind < 0.85:  # the largest
        return f"{sign}{digits(chance.randint(1, 34))}E{chance.randint(6060, 6111)}"
    if kind < 0.95:  # the smallest, most of them subnormal
        return f"{sign}{digits(chance.randint(1, 34))}E{chance.randint(-6176, -6110)}"
    return sign + chance.choice(["0", "0E10", "0.000", "0E-6176", "0E6111", "1", "1E-6176", "1E6144", "Inf", "NaN"])


def tie():
    """Two numbers whose sum lies in the middle between two numbers of 34 digits, or just beside it."""
    left = digits(34)
    right = chance.choice(["0.5", "0.5", "0.49", "0.51", "0.5000001", "-0.5"])
    shift = chance.randint(-30, 30)
    return f"{left}E{shift}", text(Decimal(right).scaleb(shift, context))


def read(source):
    return context.plus(wide.create_decimal(source))


lines = []


def operation(name, function, left, right):
    result = function(read(left), read(right))
    lines.append(f"{name} {text(read(left))} {text(read(right))} {text(result)}")


for _ in range(260):
    left, right = number(), number()
    operation("add", context.add, left, right)
    operation("subtract", context.subtract, left, right)
    operation("multiply", context.multiply, left, right)
    operation("divide", context.divide, left, right)
for _ in range(60):
    left, right = tie()
    operation("add", context.add, left, right)
for _ in range(60):
    # Products of 68 digits, and halves of odd numbers of 34.
    operation("multiply", context.multiply, str(digits(34)), str(digits(34)))
    operation("divide", context.divide, str(digits(34) | 1), chance.choice(["2", "4", "8", "3", "7"]))
for _ in range(60):
    # Products that meet the subnormal numbers and zero.
    operation("multiply", context.multiply, f"{digits(20)}E-3000", f"{digits(15)}E{chance.randint(-3215, -3140)}")

for _ in range(200):
    count = chance.choice([1, 5, 34, 35, 36, 37, 60, 200])
    source = "".join(chance.choice("0123456789") for _ in range(count))
    point = chance.randint(0, count)
    if chance.random() < 0.7:
        source = source[:point] + "." + source[point:]
    if chance.random() < 0.7:
        source += chance.choice("eE") + chance.choice(["", "-", "+"]) + str(chance.choice([0, 3, 40, 6100, 6144, 6176, 9999]))
    lines.append(f"parse {chance.choice(['', '-', '+'])}{source}")
for kept, tail in [(34, "5"), (34, "50"), (34, "5" + "0" * 60), (34, "5" + "0" * 60 + "1"), (34, "4" + "9" * 60)]:
    for last in "1234":
        lines.append("parse " + "7" * (kept - 1) + last + tail)
        lines.append("parse " + "7" * (kept - 1) + last + "." + tail + "E-6170")
for tail in ["5", "50", "5" + "0" * 80 + "1", "4" + "9" * 80, "15", "25", "35"]:
    lines.append(f"parse 0.{tail}E-6176")
    lines.append(f"parse 1{tail}E-{6176 + len(tail)}")
for source in ["999999999999999999999999999999999949E6109", "99999999999999999999999999999999995E6110", "1E6145",
               "1E-6177", "0E9999", "0E-9999", "1E6112", "10E6111", "5E-6177", "6E-6177", "1E999999999999",
               "1E-999999999999", "000000000000000000000000000000000000000000000000000000001", "0." + "0" * 120 + "1"]:
    lines.append(f"parse {source}")
lines = [
    line + " " + text(read(line.split()[1])) if line.startswith("parse ") else line for line in lines
]


def double(source):
    bits = struct.unpack("<Q", struct.pack("<d", float(Decimal(source))))[0]
    lines.append(f"double {source} {bits:016x}")


for _ in range(150):
    double(f"{chance.choice(['', '-'])}{digits(chance.randint(1, 34))}E{chance.randint(-360, 290)}")
for source in ["0.1", "1", "-2.5", "1E400", "1E-400", "9007199254740993", "9007199254740995", "1.7976931348623157E308",
               "1.7976931348623159E308", "5E-324", "2.4703282292062327E-324", "2.47E-324", "0.30000000000000004"]:
    double(text(Decimal(source)))


def compare():
    left, right = read(number()), read(number())
    if chance.random() < 0.3 and left.is_finite():
        # The same value or a neighbour, written with other digits.
        right = context.multiply(left, Decimal("1.00"))
        if chance.random() < 0.3:
            right = context.next_plus(right)
    if not left.is_nan() and not right.is_nan():
        lines.append(f"compare {text(left)} {text(right)} {int(left.compare(right))}")


for _ in range(250):
    compare()

with open("decimal.txt", "w") as file:
    file.write("\n".join(lines) + "\n")
