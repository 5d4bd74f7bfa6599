"""Windows of sentences with nested labels; names put in the place of others of their type, and conjunctions and prepositions before them."""

import random
from collections import defaultdict
from dataclasses import dataclass

import torch
from torch.nn.utils.rnn import pad_sequence

from isnad_base.pieces import UNKNOWN
from isnad_ner.rows import WINDOW, Window, padded, windows

from .data import ARABIC, TYPES, Sentence, Span
from .model import CUTS, NestedTagger

UNKNOWN_CUT = -100
SWAPPED = {"PERS", "GPE", "ORG", "LOC", "FAC", "PRODUCT", "CURR", "LANGUAGE", "UNIT", "WEBSITE"}
LONGEST_NAME = 5
PROCLITICS = ("و", "ب", "ل")
LENGTHS = (1, 1, 64, WINDOW)
"""Pieces of a window at most; with 1 each sentence stands alone."""


@dataclass(frozen=True)
class Settings:
    """`swap`, `join`: shares of names that are replaced, and that get a proclitic; `hide`: of words that are not shown."""

    swap: float = 0.25
    join: float = 0.08
    hide: float = 0.05


@dataclass
class Example:
    """`labels` [words, types] of 0 (O), 1 (B), 2 (I); `cuts` [words]; `states` float16 [pieces, WIDTH], of the layers that are not trained."""

    ids: list[int]
    firsts: list[int]
    labels: torch.Tensor
    cuts: torch.Tensor
    states: torch.Tensor | None = None


class Augmenter:
    def __init__(self, sentences: list[Sentence], settings: Settings, rng: random.Random) -> None:
        self.rng, self.settings = rng, settings
        self.names: dict[str, list[list[str]]] = defaultdict(list)
        for sentence in sentences:
            for span in sentence.spans:
                if span.cut == 0 and span.type in SWAPPED and self.is_alone(span, sentence):
                    self.names[span.type].append(sentence.words[span.start : span.end])

    @staticmethod
    def is_alone(span: Span, sentence: Sentence) -> bool:
        """Whether no other entity begins or ends within it, and it is short."""
        inside = [s for s in sentence.spans if s.start < span.end and span.start < s.end and s is not span]
        return span.end - span.start <= LONGEST_NAME and all(
            s.start <= span.start and span.end <= s.end for s in inside
        )

    def changed(self, sentence: Sentence) -> Sentence:
        """Some names replaced; spans around them grow or shrink with them."""
        words, spans = sentence.words, sentence.spans
        for span in sorted(spans, key=lambda s: -s.start):
            if span.cut is None or span not in spans or span.type not in SWAPPED or not self.is_alone(span, sentence):
                continue
            draw = self.rng.random()
            if draw < self.settings.swap:
                words, spans = self.replaced(words, spans, span, self.rng.choice(self.names[span.type]))
            elif draw < self.settings.swap + self.settings.join and span.cut == 0:
                words, spans = self.replaced(
                    words, spans, span, words[span.start : span.end], self.rng.choice(PROCLITICS)
                )
        return Sentence(words, spans)

    def replaced(
        self, words: list[str], spans: list[Span], span: Span, name: list[str], proclitic: str | None = None
    ) -> tuple[list[str], list[Span]]:
        before = words[span.start][: span.cut] if proclitic is None else proclitic
        if before and not ARABIC.match(name[0]):
            return words, spans
        first = name[0]
        if before.endswith("ل") and first.startswith("ال"):
            first = first[1:]
        longer = len(name) - (span.end - span.start)
        cut = len(before)
        moved = []
        for s in spans:
            start = s.start if s.start <= span.start else s.start + longer
            end = s.end if s.end <= span.start else s.end + longer
            same = s.start == span.start
            moved.append(Span(start, end, s.type, cut if same and s.cut is not None else s.cut))
        return [*words[: span.start], before + first, *name[1:], *words[span.end :]], moved

    def hidden(self, window: Window) -> list[int]:
        ids = list(window.ids)
        for first, after in zip(window.firsts, [*window.firsts[1:], len(ids)], strict=True):
            if self.rng.random() < self.settings.hide:
                ids[first:after] = [UNKNOWN if i > UNKNOWN else i for i in ids[first:after]]
        return ids


def example_of(window: Window, ids: list[int], sentences: list[Sentence]) -> Example:
    place = {word: row for row, word in enumerate(window.words)}
    labels = torch.zeros((len(window.words), len(TYPES)), dtype=torch.long)
    cuts = torch.full((len(window.words),), UNKNOWN_CUT)
    for number in dict.fromkeys(number for number, _ in window.words):
        for span in sentences[number].spans:
            kind = TYPES.index(span.type)
            for word in range(span.start, span.end):
                row = place.get((number, word))
                if row is not None:
                    labels[row, kind] = 1 if word == span.start else 2
                    if word == span.start and span.cut is not None:
                        cuts[row] = min(span.cut, CUTS)
    return Example(ids, window.firsts, labels, cuts)


def epoch(sentences: list[Sentence], augmenter: Augmenter) -> list[Example]:
    """All sentences in a new order, packed into windows of several lengths."""
    rng = augmenter.rng
    changed = [augmenter.changed(s) for s in sentences]
    rng.shuffle(changed)
    out, at = [], 0
    while at < len(changed):
        block = changed[at : at + 40]
        at += 40
        longest = rng.choice(LENGTHS)
        if longest == 1:
            for sentence in block:
                out += [example_of(w, augmenter.hidden(w), [sentence]) for w in windows([sentence.words])]
        else:
            found = windows([s.words for s in block], longest)
            out += [example_of(w, augmenter.hidden(w), block) for w in found]
    return out


def batches(examples: list, cells: int, rng: random.Random, length=lambda e: len(e.ids)) -> list[list]:
    """Batches of like lengths, of at most so many pieces with padding."""
    out = []
    made: list = []
    for example in sorted(examples, key=lambda e: (length(e), rng.random())):
        if made and (len(made) + 1) * length(example) > cells:
            out.append(made)
            made = []
        made.append(example)
    if made:
        out.append(made)
    rng.shuffle(out)
    return out


def with_states(model: NestedTagger, rows: list, cells: int = 2048) -> None:
    """Computes the states of all rows, once for all epochs that see them."""
    for batch in batches(rows, cells, random.Random(0)):
        found = model.lower(padded([e.ids for e in batch])).half()
        for e, states in zip(batch, found, strict=True):
            e.states = states[: len(e.ids)].clone()


def states_of(batch: list) -> tuple[torch.Tensor, torch.Tensor]:
    """States [batch, length, WIDTH], and which of them are no padding [batch, length]."""
    states = pad_sequence([e.states for e in batch], batch_first=True).float()
    lengths = torch.tensor([len(e.ids) for e in batch])
    return states, torch.arange(states.shape[1])[None] < lengths[:, None]


def together(batch: list[Example], length: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Where words begin (flat places in rows of `length`); labels [words, types]; cuts [words]"""
    firsts = torch.cat([torch.tensor(e.firsts) + row * length for row, e in enumerate(batch)])
    return firsts, torch.cat([e.labels for e in batch]), torch.cat([e.cuts for e in batch])
