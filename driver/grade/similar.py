"""Which submissions have much text in common: by fingerprints of their tokens, so that names, comments and layout do not
matter (winnowing: Schleimer, Wilkerson, Aiken, 2003).

What more than half of the class has, such as a starter's text, says nothing and is left out.
"""

import itertools
import zlib
from collections import Counter

RUN, WINDOW = 12, 6     # tokens of a fingerprint; of so many neighbours the least is taken
LEAST = 8               # fingerprints of its own without which a submission is too short to be compared
ALIKE = 0.7
SMALL_CLASS = 3


def fingerprints(tokens):
    """tokens: [(file, line, kind, text)]. The result is words."""
    words = [kind if kind == "Identifier" or kind.endswith("Literal") else text for _, _, kind, text in tokens]
    runs = [zlib.crc32(" ".join(words[i:i + RUN]).encode()) for i in range(len(words) - RUN + 1)]
    return " ".join(sorted({"%08x" % min(runs[i:i + WINDOW]) for i in range(max(1, len(runs) - WINDOW + 1))})) if runs else ""


def pairs(results):
    """[(share, submission, submission)], the most similar first."""
    sets = {result["submission"]: set(result.get("fingerprints", "").split()) for result in results}
    counts = Counter(itertools.chain.from_iterable(sets.values()))
    most = len(sets) / 2 if len(sets) > SMALL_CLASS else len(sets)
    own = {name: {word for word in words if counts[word] <= most} for name, words in sets.items()}
    found = []
    for one, other in itertools.combinations(sorted(own), 2):
        least = min(len(own[one]), len(own[other]))
        share = len(own[one] & own[other]) / least if least >= LEAST else 0
        if share >= ALIKE:
            found.append((share, one, other))
    return sorted(found, key=lambda row: (-row[0], row[1:]))


def sentences(results):
    return ["%s and %s: %d %% of the shorter text is in both, names apart" % (one, other, 100 * share)
            for share, one, other in pairs(results)]
