"""Scores of each word of documents by a model, and what is found by them."""

from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch.nn import functional

from isnad_base.processor import BFLOAT16

from .calibrate import outcomes
from .chain import Chain
from .data import Sentence
from .evaluate import micro_f1, tags_of
from .model import Tagger
from .rows import Window, padded, windows

DOCUMENT = 50
"""Sentences that are taken for one document, as in `bun run eval --task entities`."""
Scorer = Callable[[list[Window]], list[np.ndarray]]
"""Scores [words, outputs] of each window."""


def by_torch(
    model: Tagger, weight: np.ndarray | None = None, bias: np.ndarray | None = None, exact: bool = False
) -> Scorer:
    """By the model in bfloat16, or in float32 where `exact`; with other outputs than its own where they are given."""
    kept, added = (
        (model.head.weight, model.head.bias) if weight is None else (torch.from_numpy(weight), torch.from_numpy(bias))
    )

    @torch.no_grad()
    def scores(found: list[Window]) -> list[np.ndarray]:
        with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16 and not exact):
            states = model.eval().encoder(padded([w.ids for w in found]))
        return [
            functional.linear(row.float()[w.firsts], kept, added).numpy() for row, w in zip(states, found, strict=True)
        ]

    return scores


def documents(sentences: list[Sentence]) -> Iterator[tuple[int, Window]]:
    """Windows of documents, with the number of the document's first sentence."""
    words = [[word for word, _ in s] for s in sentences]
    for at in range(0, len(words), DOCUMENT):
        yield from ((at, window) for window in windows(words[at : at + DOCUMENT]))


def scored(scorer: Scorer, sentences: list[Sentence], outputs: slice, together: int = 16) -> list[np.ndarray]:
    """Scores [words, labels] of each sentence under the head whose outputs these are."""
    out = [np.zeros((len(s), outputs.stop - outputs.start), np.float32) for s in sentences]
    parts = sorted(documents(sentences), key=lambda part: len(part[1].ids))
    for at in range(0, len(parts), together):
        batch = parts[at : at + together]
        for (first, window), rows in zip(batch, scorer([w for _, w in batch]), strict=True):
            for (sentence, word), row in zip(window.words, rows, strict=True):
                out[first + sentence][word] = row[outputs]
    return out


def judged(
    chain: Chain, scores: list[np.ndarray], sentences: list[Sentence]
) -> tuple[tuple[float, float, float], np.ndarray, np.ndarray]:
    """Micro-F1, precision and recall; probability and rightness of every span that is found."""
    found, gold = [chain.decode(s) for s in scores], tags_of(sentences)
    return micro_f1(gold, found), *outcomes(scores, gold, found, chain.starts, chain.moves, chain.labels)
