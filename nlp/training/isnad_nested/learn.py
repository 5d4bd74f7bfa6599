"""What the tagger that ships learns from: windows with labels, and windows with what a teacher and the tagger of before say."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from isnad_ner.data import SHIPPED
from isnad_ner.data import Sentence as Tagged
from isnad_ner.examples import Swapper

from . import examples, text
from .data import Sentence, names
from .examples import Example, Head, Taught
from .heads import TEACHER
from .lower import Lower
from .model import KEPT, NESTED, Upper, cut_logits, nested_logits
from .teacher import CHANGE, HIDE, SMALL, SWAP

TAUGHT = 0.6
"""Share of the windows of a copy of ANERcorp in which a teacher is asked."""
AGAIN = 2
"""Copies of the English sentences in which the tagger of before is asked."""
READ = 2
"""How often the windows without labels are learned from."""
CELLS = 896
UNLIKELY = 1e-6


@dataclass(frozen=True)
class Amounts:
    """`copies` of the sentences with nested entities, each with other names, and `visits`, how often each is learned from; copies of the sentences
    of ANERcorp (`arabic`) and of Wikigold and WNUT (`english`); shares of the windows of WNUT and NewsFANE; without labels, `articles` of the news
    and examples of `senses`."""

    copies: int = 3
    visits: int = 3
    arabic: int = 2
    english: int = 3
    wnut: float = 0.8
    newsfane: float = 0.5
    articles: int = 1200
    senses: int = 1500


Tower = tuple[Lower, Upper]


@dataclass
class Windows:
    """`own`: copies of the sentences with nested entities, `visits`: how often each is learned from; `named`: copies of ANERcorp; `english`: of the sets of the English heads; `news`: of NewsFANE,
    and `plain`: of texts, without labels."""

    own: list[list[Example]]
    named: list[list[Example]]
    english: list[list[Example]]
    news: list[Example]
    plain: list[Example]
    visits: int

    def plans(self, rng: random.Random) -> list[list[list[Example]]]:
        rounds = len(self.own) * self.visits
        labelled = [e for copy in (*self.named, *self.english) for e in copy]
        rest = [*labelled, *self.news, *self.plain * READ]
        rng.shuffle(rest)
        return [examples.batches(self.own[i % len(self.own)] + rest[i::rounds], CELLS, rng) for i in range(rounds)]


def copies_of(nested: list[Sentence], head: Head | None, count: int, rng: random.Random) -> list[list[Example]]:
    """So many copies of sentences with nested entities, each with other names; `head`: of the four types, if they are to be known."""
    augmenter = examples.Augmenter(nested, CHANGE, rng, names())
    return [examples.nested_examples(nested, augmenter, head) for _ in range(count)]


def windows_of(
    nested: list[Sentence],
    sets: dict[str, list[Tagged]],
    heads: dict[str, Head],
    amounts: Amounts,
    rng: random.Random,
) -> Windows:
    swapper = Swapper({name: sets[name] for name in (*SHIPPED, *TEACHER)}, rng, SWAP, SMALL, HIDE)
    arabic, english, social = SHIPPED

    def flat(name: str, share: float, head: Head) -> list[Example]:
        return examples.flat_examples(sets[name], name, share, head, swapper)

    texts = text.lexicon(amounts.senses, rng) + text.news(amounts.articles, rng)
    own = copies_of(nested, heads[arabic], amounts.copies, rng)
    named = [flat(arabic, 1.0, heads[arabic]) for _ in range(amounts.arabic)]
    news = flat("newsfane", amounts.newsfane, heads[arabic])
    for example in news:
        example.head, example.flat = None, example.cuts
    both = [
        flat(english, 1.0, heads[english]) + flat(social, amounts.wnut, heads[social]) for _ in range(amounts.english)
    ]
    return Windows(own, named, both, news, examples.plain_examples(texts), amounts.visits)


def outputs_of(tower: Tower, rows: Sequence[Example], cells: int = 3000) -> list[Tensor]:
    lower, upper = tower
    out = {}
    with torch.no_grad():
        for batch in examples.batches(list(rows), cells, random.Random(0)):
            lower.read(batch)
            outputs, at = upper(*examples.together(batch)), 0
            for example in batch:
                out[id(example)] = outputs[at : at + len(example.firsts)]
                at += len(example.firsts)
                example.states = None
    return [out[id(example)] for example in rows]


def probabilities(outputs: Tensor) -> tuple[Tensor, Tensor]:
    nested = functional.softmax(nested_logits(outputs[:, :NESTED]), -1)
    return nested, functional.softmax(cut_logits(outputs[:, NESTED:KEPT]), -1)


def teach(
    windows: Windows, heads: dict[str, Head], teacher: Tower, nested: Tower | None, flat: Tower, rng: random.Random
) -> None:
    """Of windows without labels, and of some of ANERcorp, nested entities as the mean of `teacher` and `nested` has them; the Arabic head as the
    teacher has it without labels, and as `flat` has it with them; the English heads as `flat` has them."""
    head = heads[SHIPPED[0]].outputs
    first = windows.named[0] if windows.named else []
    labelled = rng.sample(first, int(len(first) * TAUGHT))
    read = labelled + windows.news + windows.plain
    said = outputs_of(teacher, read)
    before = outputs_of(nested, read) if nested else said
    for example, one, other in zip(read, said, before, strict=True):
        parts = [(a + b) / 2 for a, b in zip(probabilities(one), probabilities(other), strict=True)]
        own, cuts = (part.clamp(UNLIKELY).log().half() for part in parts)
        begins = (parts[0][..., 1] > 0.5).any(-1)
        example.taught = Taught(head, functional.log_softmax(one[:, head], -1).half(), own, cuts, begins)
    labelled += [e for copy in windows.english[:AGAIN] for e in copy]
    for example, outputs in zip(labelled, outputs_of(flat, labelled), strict=True):
        if example.head is None:
            continue
        scores = functional.log_softmax(outputs[:, example.head], -1).half()
        if example.taught is None:
            example.taught = Taught(example.head, scores)
        else:
            example.taught.flat = scores
