"""Read a saved game without Sandtable: its log, and any die of it made again from the seed."""

import json
import sys

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """The last steps of SplitMix64: 64 bits well stirred."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def die(seed: int, number: int, sides: int = 6) -> int:
    """What a die of a seeded game shows; the first die thrown in it is number 1."""
    return mix((mix(seed & MASK) + number * GOLDEN) & MASK) % sides + 1


def log(text: str) -> list[str]:
    """One line an event, its rules behind it."""
    rows = [json.loads(row) for row in text.split("\n") if row]
    events = [row["event"] for row in rows if "event" in row]
    return [" ".join([event["text"], *event.get("rules", [])]) for event in events]


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print("\n".join(log(file.read())))
