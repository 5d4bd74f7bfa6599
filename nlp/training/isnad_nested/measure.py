"""What a model finds in sentences that stand alone, and micro-F1 of it."""

from collections import Counter

import numpy as np
import torch

from isnad_ner.rows import padded, windows

from .data import TYPES, Sentence, Span
from .decode import decode, outermost
from .model import NESTED, NestedTagger


@torch.no_grad()
def scored(model: NestedTagger, sentences: list[Sentence], together: int = 16) -> list[np.ndarray]:
    """All outputs [words, outputs] of each sentence."""
    model.eval()
    parts = [(number, w) for number, s in enumerate(sentences) for w in windows([s.words])]
    parts.sort(key=lambda part: len(part[1].ids))
    out = [np.zeros((len(s.words), model.head.out_features), np.float32) for s in sentences]
    for at in range(0, len(parts), together):
        batch = parts[at : at + together]
        states = model.encoder(padded([w.ids for _, w in batch]))
        for row, (number, w) in zip(states, batch, strict=True):
            values = model.head(row[w.firsts]).numpy()
            for (_, word), value in zip(w.words, values, strict=True):
                out[number][word] = value
    return out


def nested_scores(outputs: np.ndarray, first: int) -> np.ndarray:
    return outputs[:, first : first + NESTED].reshape(len(outputs), len(TYPES), 2)


def f1(gold: list[list[Span]], found: list[list[Span]]) -> tuple[float, float, float]:
    right = have = want = 0
    for g, f in zip(gold, found, strict=True):
        a, b = {(s.start, s.end, s.type) for s in g}, {(s.start, s.end, s.type) for s in f}
        right, have, want = right + len(a & b), have + len(b), want + len(a)
    precision, recall = right / max(1, have), right / max(1, want)
    return 2 * precision * recall / max(1e-9, precision + recall), precision, recall


def report(
    name: str, sentences: list[Sentence], scores: list[np.ndarray], first: int, lean: float | np.ndarray = 0.0
) -> float:
    found = [decode(nested_scores(s, first), lean) for s in scores]
    gold = [s.spans for s in sentences]
    nested = f1(gold, found)
    flat = f1([outermost(g) for g in gold], [outermost(f) for f in found])
    print(f"{name}: nested F1 {nested[0]:.4f} P {nested[1]:.4f} R {nested[2]:.4f}; flat F1 {flat[0]:.4f}", flush=True)
    return nested[0]


def by_type(sentences: list[Sentence], scores: list[np.ndarray], first: int, lean: float | np.ndarray = 0.0) -> None:
    found = [decode(nested_scores(s, first), lean) for s in scores]
    counts = {kind: [0, 0, 0] for kind in TYPES}
    wrong: Counter[str] = Counter()
    for s, f in zip(sentences, found, strict=True):
        a, b = {(x.start, x.end, x.type) for x in s.spans}, {(x.start, x.end, x.type) for x in f}
        for _, _, kind in a & b:
            counts[kind][0] += 1
        for _, _, kind in b:
            counts[kind][1] += 1
        for _, _, kind in a:
            counts[kind][2] += 1
        for start, end, kind in a - b:
            wrong.update(f"{kind}>{o[2]}" for o in b if o[:2] == (start, end))
    for kind, (right, have, want) in counts.items():
        print(f"  {kind:9} right {right:4} found {have:4} gold {want:4} F1 {2 * right / max(1, have + want):.3f}")
    print("  other type:", wrong.most_common(12), flush=True)
