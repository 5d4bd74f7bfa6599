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

COPIES, VISITS = 3, 3
"""Copies of the sentences with nested entities, each with other names, and how often each is learned from."""
ARABIC = 2
ENGLISH = 3
"""Copies of the sentences of ANERcorp; of Wikigold and WNUT."""
WNUT, NEWSFANE = 0.8, 0.5
"""Shares of their windows."""
ARTICLES, SENSES = 1200, 1500
TAUGHT = 0.6
"""Share of the windows of a copy of ANERcorp in which a teacher is asked."""
AGAIN = 2
"""Copies of the English sentences in which the tagger of before is asked."""
READ = 2
"""How often the windows without labels are learned from."""
CELLS = 896
UNLIKELY = 1e-6

Tower = tuple[Lower, Upper]


@dataclass
class Windows:
    """`own`: copies of the sentences with nested entities; `named`: of ANERcorp; `english`: of the sets of the English heads; `news`: of NewsFANE,
    and `plain`: of texts, without labels."""

    own: list[list[Example]]
    named: list[list[Example]]
    english: list[list[Example]]
    news: list[Example]
    plain: list[Example]

    def plans(self, rng: random.Random) -> list[list[list[Example]]]:
        rounds = COPIES * VISITS
        labelled = [e for copy in (*self.named, *self.english) for e in copy]
        rest = [*labelled, *self.news, *self.plain * READ]
        rng.shuffle(rest)
        return [examples.batches(self.own[i % COPIES] + rest[i::rounds], CELLS, rng) for i in range(rounds)]


def windows_of(
    nested: list[Sentence], sets: dict[str, list[Tagged]], heads: dict[str, Head], rng: random.Random
) -> Windows:
    augmenter = examples.Augmenter(nested, CHANGE, rng, names())
    swapper = Swapper({name: sets[name] for name in (*SHIPPED, *TEACHER)}, rng, SWAP, SMALL, HIDE)
    arabic, english, social = SHIPPED

    def flat(name: str, share: float, head: Head) -> list[Example]:
        return examples.flat_examples(sets[name], name, share, head, swapper)

    texts = text.lexicon(SENSES, rng) + text.news(ARTICLES, rng)
    own = [examples.nested_examples(nested, augmenter, heads[arabic]) for _ in range(COPIES)]
    named = [flat(arabic, 1.0, heads[arabic]) for _ in range(ARABIC)]
    news = flat("newsfane", NEWSFANE, heads[arabic])
    for example in news:
        example.head, example.flat = None, example.cuts
    both = [flat(english, 1.0, heads[english]) + flat(social, WNUT, heads[social]) for _ in range(ENGLISH)]
    return Windows(own, named, both, news, examples.plain_examples(texts))


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
    labelled = rng.sample(windows.named[0], int(len(windows.named[0]) * TAUGHT))
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
