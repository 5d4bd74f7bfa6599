"""Windows of sentences with nested labels; names put in the place of others of their type, and conjunctions and prepositions before them."""

import random
from collections import defaultdict
from dataclasses import dataclass

import torch
from torch.nn.utils.rnn import pad_sequence

from isnad_base.pieces import UNKNOWN
from isnad_ner.data import Sentence as Tagged
from isnad_ner.examples import Swapper
from isnad_ner.rows import NONE, WINDOW, Window, windows

from .data import ARABIC, TYPES, Name, Sentence, Span, four_types
from .model import CUTS

SWAPPED = {"PERS", "GPE", "ORG", "LOC", "FAC", "PRODUCT", "EVENT", "CURR", "LANGUAGE", "UNIT", "WEBSITE"}
LONGEST_NAME = 5
PROCLITICS = ("و", "ب", "ل", "ف", "ك")
LISTED = 0.5
LENGTHS = (1, 1, 64, WINDOW)
"""Pieces of a window at most; with 1 each sentence stands alone."""


@dataclass(frozen=True)
class Settings:
    """`swap`, `join`: shares of names that are replaced, and that get a proclitic; `hide`: of words that are not shown."""

    swap: float = 0.25
    join: float = 0.08
    hide: float = 0.05


@dataclass(frozen=True)
class Head:
    """A head: its outputs, and the place of each label among them."""

    outputs: slice
    places: dict[str, int]


@dataclass
class Example:
    """A window of words. `nested` [words, types] of 0 (O), 1 (B), 2 (I), NONE where that is not known; `cuts` [words], likewise; `flat` [words]:
    places among the outputs of `head`, NONE where that is not known. `states` [pieces, WIDTH] of the lower layers; `taught`: what other
    taggers say, where they were asked."""

    ids: list[int]
    firsts: list[int]
    nested: torch.Tensor
    cuts: torch.Tensor
    flat: torch.Tensor
    head: slice | None = None
    states: torch.Tensor | None = None
    taught: "Taught | None" = None


@dataclass
class Taught:
    """Log-probabilities, float16: `nested` [words, types, 3] and `cuts` [words, CUTS + 1], where a word `begins` an entity; `flat` [words, labels]
    of `head`. `states` [words, WIDTH] of each layer."""

    head: slice | None = None
    flat: torch.Tensor | None = None
    nested: torch.Tensor | None = None
    cuts: torch.Tensor | None = None
    begins: torch.Tensor | None = None
    states: list[torch.Tensor] | None = None


class Augmenter:
    """Half of the names that are put in the place of others come from `listed`, where it has their type."""

    def __init__(
        self, sentences: list[Sentence], settings: Settings, rng: random.Random, listed: dict[str, list[Name]]
    ) -> None:
        self.rng, self.settings, self.listed = rng, settings, listed
        self.names: dict[str, list[Name]] = defaultdict(list)
        for sentence in sentences:
            for span in sentence.spans:
                if span.cut == 0 and span.type in SWAPPED and self.is_alone(span, sentence):
                    self.names[span.type].append(Name(sentence.words[span.start : span.end]))

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
                words, spans = self.replaced(words, spans, span, self.other(span.type))
            elif draw < self.settings.swap + self.settings.join and span.cut == 0:
                name = Name(words[span.start : span.end])
                words, spans = self.replaced(words, spans, span, name, self.rng.choice(PROCLITICS))
        return Sentence(words, spans)

    def other(self, kind: str) -> Name:
        listed = kind in self.listed and self.rng.random() < LISTED
        return self.rng.choice((self.listed if listed else self.names)[kind])

    def replaced(
        self, words: list[str], spans: list[Span], span: Span, name: Name, proclitic: str | None = None
    ) -> tuple[list[str], list[Span]]:
        before = words[span.start][: span.cut] if proclitic is None else proclitic
        first, *rest = name.words
        if before and not ARABIC.match(first):
            return words, spans
        if before.endswith("ل") and first.startswith("ال"):
            first = first[1:]
        longer = len(name.words) - (span.end - span.start)
        cut = len(before)
        moved = []
        for s in spans:
            start = s.start if s.start <= span.start else s.start + longer
            end = s.end if s.end <= span.start else s.end + longer
            same = s.start == span.start
            moved.append(Span(start, end, s.type, cut if same and s.cut is not None else s.cut))
        at = span.start
        moved += [Span(at + s.start, at + s.end, s.type, 0 if s.start else cut) for s in name.inner]
        moved.sort(key=lambda s: (s.start, -s.end))
        return [*words[:at], before + first, *rest, *words[span.end :]], moved

    def hidden(self, window: Window) -> list[int]:
        ids = list(window.ids)
        for first, after in zip(window.firsts, [*window.firsts[1:], len(ids)], strict=True):
            if self.rng.random() < self.settings.hide:
                ids[first:after] = [UNKNOWN if i > UNKNOWN else i for i in ids[first:after]]
        return ids


def nested_example(window: Window, ids: list[int], sentences: list[Sentence], head: Head | None = None) -> Example:
    """Of nested entities; and, for the head of four types, of what they are among those."""
    place = {word: row for row, word in enumerate(window.words)}
    nested = torch.zeros((len(window.words), len(TYPES)), dtype=torch.long)
    cuts = torch.full((len(window.words),), NONE)
    flat = torch.full((len(window.words),), NONE)
    for number in dict.fromkeys(number for number, _ in window.words):
        for span in sentences[number].spans:
            kind = TYPES.index(span.type)
            for word in range(span.start, span.end):
                row = place.get((number, word))
                if row is not None:
                    nested[row, kind] = 1 if word == span.start else 2
                    if word == span.start and span.cut is not None:
                        cuts[row] = min(span.cut, CUTS)
        if head is not None:
            for word, tag in enumerate(four_types(sentences[number])):
                row = place.get((number, word))
                if row is not None and tag is not None:
                    flat[row] = head.places[tag]
    return Example(ids, window.firsts, nested, cuts, flat, None if head is None else head.outputs)


def flat_example(window: Window, ids: list[int], sentences: list[Tagged], head: Head) -> Example:
    count = len(window.words)
    flat = torch.tensor([head.places.get(sentences[number][word][1], 0) for number, word in window.words])
    return Example(
        ids, window.firsts, torch.full((count, len(TYPES)), NONE), torch.full((count,), NONE), flat, head.outputs
    )


def nested_examples(sentences: list[Sentence], augmenter: Augmenter, head: Head | None) -> list[Example]:
    """All sentences in a new order, packed into windows of several lengths."""
    rng = augmenter.rng
    changed = [augmenter.changed(s) for s in sentences]
    rng.shuffle(changed)
    out, at = [], 0
    while at < len(changed):
        block = changed[at : at + 40]
        at += 40
        longest = rng.choice(LENGTHS)
        parts = [[sentence] for sentence in block] if longest == 1 else [block]
        for part in parts:
            found = windows([s.words for s in part], WINDOW if longest == 1 else longest)
            out += [nested_example(w, augmenter.hidden(w), part, head) for w in found]
    return out


def flat_examples(sentences: list[Tagged], name: str, share: float, head: Head, swapper: Swapper) -> list[Example]:
    """A copy of a head's sentences, in their order, or the share of its windows."""
    changed = [swapper.changed(s, name) for s in sentences]
    found = list(windows([[word for word, _ in s] for s in changed], swapper.rng.choice((48, 96, WINDOW))))
    kept = found if share >= 1 else swapper.rng.sample(found, int(len(found) * share))
    return [flat_example(w, swapper.hidden(w), changed, head) for w in kept]


def plain_examples(texts: list[list[list[str]]]) -> list[Example]:
    """Of texts, each sentences of words, that nobody has labelled."""
    out = []
    for text in texts:
        for window in windows(text):
            unknown = torch.full((len(window.words),), NONE)
            nested = torch.full((len(window.words), len(TYPES)), NONE)
            out.append(Example(window.ids, window.firsts, nested, unknown, unknown))
    return out


def batches(examples: list[Example], cells: int, rng: random.Random) -> list[list[Example]]:
    """Batches of like lengths, of at most so many pieces with padding."""
    out = []
    made: list = []
    for example in sorted(examples, key=lambda e: (len(e.ids), rng.random())):
        if made and (len(made) + 1) * len(example.ids) > cells:
            out.append(made)
            made = []
        made.append(example)
    if made:
        out.append(made)
    rng.shuffle(out)
    return out


def together(batch: list[Example]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """What Upper reads: states [batch, length, WIDTH], which are no padding, places of first pieces [batch, count], which are no padding."""
    states = pad_sequence([e.states for e in batch], batch_first=True).float()
    firsts = pad_sequence([torch.tensor(e.firsts) for e in batch], batch_first=True)
    pieces, words = (
        torch.tensor([len(x) for x in part]) for part in ([e.ids for e in batch], [e.firsts for e in batch])
    )
    present = torch.arange(states.shape[1])[None] < pieces[:, None]
    return states, present, firsts, torch.arange(firsts.shape[1])[None] < words[:, None]
