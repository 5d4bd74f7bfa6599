"""What a model finds in sentences that stand alone, and micro-F1 of it."""

import random
from collections import Counter

import numpy as np
import torch

from isnad_ner.rows import Window, windows

from .data import TYPES, Sentence, Span
from .decode import decode, outermost
from .examples import Example, batches, together
from .lower import Lower
from .model import NESTED, Upper

EMPTY = torch.zeros(0)


@torch.no_grad()
def scored(model: Upper, lower: Lower, found: list[Window], cells: int = 2048) -> list[np.ndarray]:
    """All outputs [words, outputs] of each window."""
    model.eval()
    rows = [Example(w.ids, w.firsts, EMPTY, EMPTY, EMPTY) for w in found]
    lower.read(rows)
    out = {}
    for batch in batches(rows, cells, random.Random(0)):
        outputs, at = model(*together(batch)).numpy(), 0
        for e in batch:
            out[id(e)] = outputs[at : at + len(e.firsts)]
            at += len(e.firsts)
    return [out[id(e)] for e in rows]


def alone(model: Upper, lower: Lower, sentences: list[Sentence]) -> list[np.ndarray]:
    """All outputs [words, outputs] of each sentence, read by itself."""
    parts = [(number, w) for number, s in enumerate(sentences) for w in windows([s.words])]
    out: list[list[np.ndarray]] = [[] for _ in sentences]
    for (number, _), rows in zip(parts, scored(model, lower, [w for _, w in parts]), strict=True):
        out[number].append(rows)
    return [np.concatenate(rows) for rows in out]


def nested_scores(outputs: np.ndarray) -> np.ndarray:
    return outputs[:, :NESTED].reshape(len(outputs), len(TYPES), 2)


def f1(gold: list[list[Span]], found: list[list[Span]]) -> tuple[float, float, float]:
    right = have = want = 0
    for g, f in zip(gold, found, strict=True):
        a, b = {(s.start, s.end, s.type) for s in g}, {(s.start, s.end, s.type) for s in f}
        right, have, want = right + len(a & b), have + len(b), want + len(a)
    precision, recall = right / max(1, have), right / max(1, want)
    return 2 * precision * recall / max(1e-9, precision + recall), precision, recall


def report(name: str, sentences: list[Sentence], scores: list[np.ndarray], lean: float | np.ndarray = 0.0) -> float:
    found = [decode(nested_scores(s), lean) for s in scores]
    gold = [s.spans for s in sentences]
    nested = f1(gold, found)
    flat = f1([outermost(g) for g in gold], [outermost(f) for f in found])
    print(f"{name}: nested F1 {nested[0]:.4f} P {nested[1]:.4f} R {nested[2]:.4f}; flat F1 {flat[0]:.4f}", flush=True)
    return nested[0]


def by_type(sentences: list[Sentence], scores: list[np.ndarray], lean: float | np.ndarray = 0.0) -> None:
    found = [decode(nested_scores(s), lean) for s in scores]
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
