"""Exact-span micro-F1, as conlleval counts it."""

from .data import Sentence


def spans(tags: list[str]) -> set[tuple[int, int, str]]:
    """(start, end, type) of every entity of a sentence of BIO tags."""
    out, start, kind = set(), 0, ""
    for i, tag in enumerate([*tags, "O"]):
        if kind and (tag[0] != "I" or tag[2:] != kind):
            out.add((start, i, kind))
            kind = ""
        if tag[0] == "B" or (tag[0] == "I" and not kind):
            start, kind = i, tag[2:]
    return out


def micro_f1(gold: list[list[str]], found: list[list[str]]) -> tuple[float, float, float]:
    """F1, precision, recall over all sentences."""
    right = have = want = 0
    for g, f in zip(gold, found, strict=True):
        a, b = spans(g), spans(f)
        right, have, want = right + len(a & b), have + len(b), want + len(a)
    precision, recall = right / max(1, have), right / max(1, want)
    return 2 * precision * recall / max(1e-9, precision + recall), precision, recall


def tags_of(sentences: list[Sentence]) -> list[list[str]]:
    return [[tag for _, tag in s] for s in sentences]
