"""The corpus as arrays: word types by number, each type's pieces, articles as runs of type numbers."""

import re
from collections import Counter

import numpy as np
from tokenizers import Tokenizer

from .corpus import Article
from .fold import fold, words

SENTENCE_END = re.compile(r"(?<=[.!?؟])\s+|\n+")


class Ragged:
    """Rows of integers of different length in one array."""

    def __init__(self, rows: list[list[int]]):
        self.start = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(r) for r in rows], out=self.start[1:])
        self.flat = np.fromiter((x for r in rows for x in r), np.int32, self.start[-1])

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, i: int) -> np.ndarray:
        return self.flat[self.start[i] : self.start[i + 1]]

    def gather(self, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rows of `index` one after the other, and the length of each."""
        lengths = self.start[index + 1] - self.start[index]
        ends = np.cumsum(lengths)
        offsets = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)
        return self.flat[np.repeat(self.start[index], lengths) + offsets], lengths


class Types:
    """Numbers for word types and for phrases of them; `pieces` is filled by seal()."""

    def __init__(self, tokenizer: Tokenizer):
        self.tokenizer = tokenizer
        self.number: dict[tuple[str, ...], int] = {}
        self.phrases: list[tuple[str, ...]] = []

    def add(self, phrase: tuple[str, ...]) -> int:
        n = self.number.get(phrase)
        if n is None:
            n = self.number[phrase] = len(self.phrases)
            self.phrases.append(phrase)
        return n

    def text(self, text: str) -> list[int]:
        return [self.add((w,)) for w in words(text)]

    def seal(self) -> Ragged:
        encodings = self.tokenizer.encode_batch_fast([" ".join(p) for p in self.phrases], add_special_tokens=False)
        return Ragged([[i for i in e.ids if i != 0] for e in encodings])


def sentences(text: str) -> list[str]:
    return [s for s in SENTENCE_END.split(text) if s.strip()]


class Documents:
    """Titles and bodies of articles, bodies as sentences."""

    def __init__(self, found: list[Article], types: Types):
        titles, abstracts, bodies, self.first = [], [], [], [0]
        for a in found:
            titles.append(types.text(a.title))
            abstracts.append(types.text(a.abstract))
            rows = [r for r in (types.text(s) for s in sentences(a.text)[:60]) if r]
            bodies += rows
            self.first.append(len(bodies))
        self.titles, self.abstracts, self.sentences = Ragged(titles), Ragged(abstracts), Ragged(bodies)
        self.first = np.array(self.first)
        self.arabic = np.array([a.lang == "ar" for a in found])


def count_types(found: list[Article], extra: list[str]) -> Counter[str]:
    count: Counter[str] = Counter()
    for a in found:
        count.update(words(f"{a.title} {a.abstract} {a.text}"))
    for text in extra:
        count.update(words(text))
    return count


__all__ = ["Documents", "Ragged", "Types", "count_types", "fold", "sentences"]
