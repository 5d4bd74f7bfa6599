"""Words as ids of shared pieces, each word by itself, and sentences packed into windows in the order of their document."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import torch

from isnad_base import pieces

WINDOW = 128
"""Pieces of a window at most, with <s> and a </s> after each sentence."""
WORD = 8
"""Pieces of a word that are read."""
READ = 192
"""Characters of a word in which they are looked for."""
NONE = -100


@cache
def word_ids(word: str) -> tuple[int, ...]:
    """At least one piece; what leaves none is unknown."""
    found = pieces.tokenizer().encode(word[:READ], add_special_tokens=False).ids[:WORD]
    return (pieces.UNKNOWN,) if found in ([], [pieces.tokenizer().token_to_id("▁")]) else tuple(found)


@dataclass
class Window:
    """`ids`, where each word's first piece lies, and which sentence (by number) and word each of these is."""

    ids: list[int]
    firsts: list[int]
    words: list[tuple[int, int]]


def windows(sentences: Sequence[Sequence[str]], longest: int = WINDOW) -> Iterator[Window]:
    """Consecutive sentences share a window while they fit; one that is longer than a window goes on in the next."""
    made = Window([pieces.FIRST], [], [])
    for number, words in enumerate(sentences):
        coded = [word_ids(word) for word in words]
        if made.words and len(made.ids) + sum(map(len, coded)) + 1 > longest:
            yield made
            made = Window([pieces.FIRST], [], [])
        for place, ids in enumerate(coded):
            if len(made.ids) + len(ids) + 1 > longest:
                made.ids.append(pieces.LAST)
                yield made
                made = Window([pieces.FIRST], [], [])
            made.firsts.append(len(made.ids))
            made.words.append((number, place))
            made.ids.extend(ids)
        made.ids.append(pieces.LAST)
    if made.words:
        yield made


def padded(rows: list[list[int]], with_: int = pieces.PADDING) -> torch.Tensor:
    longest = max(map(len, rows))
    return torch.tensor([row + [with_] * (longest - len(row)) for row in rows])
