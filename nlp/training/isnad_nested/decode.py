"""Spans out of the scores of words: for each type the best path over O, B and I (Viterbi, 1967); of spans that cross, the one with the
higher score stays."""

import numpy as np

from isnad_ner.calibrate import span_probabilities
from isnad_ner.chain import never

from .data import TYPES, Span

NEVER = -1e4


def path(scores: np.ndarray) -> list[int]:
    """scores [words, 3]: O, B, I -> labels; I follows B and I only."""
    best = scores[0] + np.array([0, 0, NEVER])
    back = []
    for row in scores[1:]:
        plain = best.argmax()
        inside = 1 if best[1] >= best[2] else 2
        back.append((plain, plain, inside))
        best = np.array([best[plain] + row[0], best[plain] + row[1], best[inside] + row[2]])
    out = [int(best.argmax())]
    for came in reversed(back):
        out.append(int(came[out[-1]]))
    return out[::-1]


def spans_of_path(labels: list[int]) -> list[tuple[int, int]]:
    out, start = [], -1
    for place, label in enumerate([*labels, 0]):
        if start >= 0 and label != 2:
            out.append((start, place))
            start = -1
        if label == 1:
            start = place
    return out


def margin(scores: np.ndarray, start: int, end: int) -> float:
    """By how much the span's labels are above O, a word on average."""
    total = scores[start, 1] + scores[start + 1 : end, 2].sum() - scores[start:end, 0].sum()
    return float(total) / (end - start)


def decode(scores: np.ndarray, lean: float | np.ndarray = 0.0) -> list[Span]:
    """scores [words, types, 2] over O = 0; `lean` lowers O, of all types or of each."""
    if len(scores) == 0:
        return []
    lean = np.broadcast_to(np.asarray(lean, np.float32), (len(TYPES),))
    found = []
    for kind, name in enumerate(TYPES):
        if scores[:, kind, 0].max() + lean[kind] < 0:
            continue
        own = np.concatenate([np.full((len(scores), 1), -lean[kind]), scores[:, kind]], 1)
        found += [(margin(own, a, b), Span(a, b, name)) for a, b in spans_of_path(path(own))]
    kept: list[Span] = []
    for _, span in sorted(found, key=lambda pair: -pair[0]):
        crossing = any(s.start < span.start < s.end < span.end or span.start < s.start < span.end < s.end for s in kept)
        if not crossing and not any((s.start, s.end) == (span.start, span.end) for s in kept):
            kept.append(span)
    return sorted(kept, key=lambda s: (s.start, -s.end))


def outermost(spans: list[Span]) -> list[Span]:
    return [a for a in spans if not any(b is not a and b.start <= a.start and a.end <= b.end for b in spans)]


def probabilities(scores: np.ndarray, leans: np.ndarray, span: Span) -> float:
    """Of all paths of its type through the sentence, the share that has exactly this span."""
    kind = TYPES.index(span.type)
    own = np.concatenate([np.full((len(scores), 1), -leans[kind]), scores[:, kind]], 1)
    chain = never(["O", "B-X", "I-X"])
    found = span_probabilities(own, np.array([0, 0, NEVER]), chain, ["O", "B-X", "I-X"], {(span.start, span.end, "X")})
    return found[(span.start, span.end, "X")]
