#!/usr/bin/env python3
"""Write ahocorasick.json: the names that pyahocorasick finds in random texts, leftmost and longest first.

Needs pyahocorasick 2.3.1. Each word is one character of the strings that it searches, so that names end with words.
"""

import json
import os
import random

import ahocorasick

WORDS = "mava torin belko ruda sivan polte garu nemik doval".split()
random.seed(7)


def some(least, most):
    return tuple(random.randrange(len(WORDS)) for _ in range(random.randint(least, most)))


def written(numbers):
    return " ".join(WORDS[n] for n in numbers)


names = sorted({some(1, 2) for _ in range(8)} | {some(3, 6) for _ in range(60)})
automaton = ahocorasick.Automaton()
for name in names:
    automaton.add_word("".join(map(chr, name)), name)
automaton.make_automaton()
texts = []
for _ in range(12):
    text = some(30, 60)
    for _ in range(6):  # whole names, and names that break off
        at = random.randrange(len(text))
        name = random.choice(names)
        text = text[:at] + name[: random.randint(1, len(name))] + text[at:]
    found = []
    free = 0  # iter_long of pyahocorasick 2.3.1 misses names at the end of a text
    matches = ((last + 1 - len(name), last + 1) for last, name in automaton.iter("".join(map(chr, text))))
    for first, end in sorted(matches, key=lambda match: (match[0], -match[1])):
        if first >= free:
            free = end
            start = len(written(text[:first])) + (first > 0)
            found.append([start, start + len(written(text[first:end]))])
    texts.append({"text": written(text), "found": found})
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "ahocorasick.json"), "w", encoding="utf-8") as f:
    json.dump({"names": [written(n) for n in names], "texts": texts}, f)
    f.write("\n")
print(sum(len(t["found"]) for t in texts), "names found")
