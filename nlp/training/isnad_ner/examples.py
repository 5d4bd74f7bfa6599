"""What is learned from: how much of each set, its sentences packed into windows, with names put in the place of others."""

import random
from collections import Counter, defaultdict

from isnad_base.pieces import UNKNOWN

from .data import Sentence
from .evaluate import spans
from .rows import NONE, WINDOW, Window, windows

# Shares of the sets in an epoch; above 1, sentences come more than once.
BROAD = {
    "anercorp": 1, "newsfane": 1, "wikifane": 0.35, "wojood": 1, "wikigold": 1, "wnut": 1, "btc": 0.3, "re3d": 1, "wikiann": 0.1,
}  # fmt: skip
GOLD = {
    "anercorp": 1.3, "newsfane": 0.4, "wikifane": 0.1, "wojood": 0.5, "wikigold": 1.2, "wnut": 0.45, "btc": 0.08, "re3d": 0.2, "wikiann": 0.02,
}  # fmt: skip
ARABIC = {"anercorp", "newsfane", "wikifane", "wojood"}
SAME = {"GPE": "LOC", "location": "LOC", "person": "PER"}
SWAPPED = {"PER", "LOC", "ORG"}
LENGTHS = (48, 96, WINDOW, WINDOW)
"""Windows are of several lengths, so that little context does as well."""
LEAST = 30
"""How often a set must have a type for its head to have it."""

Example = tuple[list[int], list[int], str]
"""Ids, labels (rows of the table of outputs; NONE where no word begins), head."""


def heads(train: dict[str, list[Sentence]]) -> dict[str, list[str]]:
    """The labels of each set."""
    out = {}
    for name, sentences in train.items():
        counts = Counter(tag[2:] for s in sentences for _, tag in s if tag != "O")
        kinds = sorted(kind for kind, count in counts.items() if count >= LEAST)
        out[name] = ["O", *(f"{prefix}-{kind}" for kind in kinds for prefix in "BI")]
    return out


class Swapper:
    """Puts names of the same language and type in the place of others, some sentences in small letters, and an unknown piece in the place
    of some words."""

    def __init__(
        self, train: dict[str, list[Sentence]], rng: random.Random, swap: float, lower: float, hide: float
    ) -> None:
        self.rng, self.swap, self.lower, self.hide = rng, swap, lower, hide
        self.names: dict[tuple[bool, str], list[list[str]]] = defaultdict(list)
        for name, sentences in train.items():
            for s in sentences:
                for start, end, kind in sorted(spans([tag for _, tag in s])):
                    if end - start <= 4:
                        self.names[name in ARABIC, SAME.get(kind, kind)].append([word for word, _ in s[start:end]])

    def changed(self, sentence: Sentence, name: str) -> Sentence:
        if self.rng.random() < self.lower:
            return [(word.lower(), tag) for word, tag in sentence]
        if self.rng.random() >= self.swap:
            return sentence
        out, at = [], 0
        for start, end, kind in sorted(spans([tag for _, tag in sentence])):
            out += sentence[at:start]
            at = end
            same = SAME.get(kind, kind)
            if same in SWAPPED and self.rng.random() < 0.5 and sentence[start][0][0] not in "@#":
                words = self.rng.choice(self.names[name in ARABIC, same])
                out += [(word, f"{'I' if place else 'B'}-{kind}") for place, word in enumerate(words)]
            else:
                out += sentence[start:end]
        return out + sentence[at:]

    def hidden(self, window: Window) -> list[int]:
        """The window's ids, without some of its words."""
        ids = list(window.ids)
        for first, after in zip(window.firsts, [*window.firsts[1:], len(ids)], strict=True):
            if self.rng.random() < self.hide:
                ids[first:after] = [UNKNOWN if i > UNKNOWN else i for i in ids[first:after]]
        return ids


def labelled(window: Window, sentences: list[Sentence], labels: dict[str, int], first: int) -> list[int]:
    out = [NONE] * len(window.ids)
    for place, (sentence, word) in zip(window.firsts, window.words, strict=True):
        out[place] = first + labels.get(sentences[sentence][word][1], 0)
    return out


def epoch(train: dict[str, list[Sentence]], shares: dict[str, float], slices: dict[str, slice], labels: dict[str, list[str]],
          swapper: Swapper) -> list[Example]:  # fmt: skip
    rng, out = swapper.rng, []
    for name, sentences in train.items():
        place, left = {label: i for i, label in enumerate(labels[name])}, shares[name]
        while left > 0:
            block = [swapper.changed(s, name) for s in sentences]
            made = list(windows([[word for word, _ in s] for s in block], rng.choice(LENGTHS)))
            kept = made if left >= 1 else rng.sample(made, int(len(made) * left))
            out += [(swapper.hidden(w), labelled(w, block, place, slices[name].start), name) for w in kept]
            left -= 1
    rng.shuffle(out)
    return out


def batches(examples: list[Example], cells: int, rng: random.Random, chunk: int = 512) -> list[list[Example]]:
    """Batches of like lengths, of at most so many pieces with padding."""
    out: list[list[Example]] = []
    for at in range(0, len(examples), chunk):
        made: list[Example] = []
        for example in sorted(examples[at : at + chunk], key=lambda e: len(e[0])):
            if made and (len(made) + 1) * len(example[0]) > cells:
                out.append(made)
                made = []
            made.append(example)
        out.append(made)
    rng.shuffle(out)
    return out
