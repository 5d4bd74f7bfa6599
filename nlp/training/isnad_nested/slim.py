"""Makes the nested entities of a tagger quicker: fewer units a layer, and from one layer on words alone are read; what that loses is learned
back from the tagger itself (distillation): `python -m isnad_nested.slim`. About a quarter of an hour of processor time."""

import argparse
import dataclasses
import random
from collections.abc import Sequence
from pathlib import Path

import torch

from isnad_base import encoder, pieces
from isnad_base.ranges import rounded
from isnad_embed.corpus import OUT, ROOT
from isnad_ner.rows import windows

from . import data, examples, learn, measure, text
from .export import WATCHED, WEIGHT_BITS, export, steps_of, whole
from .fit import Settings, fit
from .lower import Lower
from .model import Upper
from .prune import pruned
from .start import Stack, read
from .tune import tuned

WEIGHTS = OUT / "slim-tagger.pt"
SEED = 11
FROZEN = 1
"""Lower layers that are not trained."""
SAMPLE = 150
"""Sentences by which units are chosen."""
DEFAULTS = {"rate": 4e-4, "head_rate": 1.0, "drop": 0.0, "mean": 0.99, "seconds": 3_600}


class Taught(Lower):
    """The lowest layer; and of each window, once, what a tagger says of it: its probabilities, or the mean of these and of those of `other`; and its
    states."""

    def __init__(self, state: dict, tower: learn.Tower, other: learn.Tower | None = None) -> None:
        super().__init__(state, FROZEN)
        self.tower, self.other = tower, other

    @torch.no_grad()
    def read(self, rows: list[examples.Example]) -> None:
        if not all(example.taught for example in rows):
            self.ask(rows)
        super().read(rows)

    def ask(self, rows: list[examples.Example]) -> None:
        lower, teacher = self.tower
        lower.read(rows)
        states = teacher.words(*examples.together(rows))
        nested, cuts = learn.probabilities(teacher.head(states[-1]))
        if self.other:
            below, other = self.other
            below.read(rows)
            both = zip((nested, cuts), learn.probabilities(other(*examples.together(rows))), strict=True)
            nested, cuts = ((one + two) / 2 for one, two in both)
        said, letters = (part.clamp(learn.UNLIKELY).log().half() for part in (nested, cuts))
        begins = (nested[..., 1] > 0.5).any(-1)
        at = 0
        for example in rows:
            own = slice(at, at + len(example.firsts))
            at = own.stop
            each = [x[own].half() for x in states]
            example.taught = examples.Taught(nested=said[own], cuts=letters[own], begins=begins[own], states=each)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_nested.slim", description=__doc__)
    for field in dataclasses.fields(Settings):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    parser.set_defaults(**DEFAULTS)
    parser.add_argument("--start", type=Path, default=OUT / "tagger-ar-en", help="folder of the tagger")
    parser.add_argument(
        "--go-on", type=Path, help="folder of what was made of it before, with its units, to go on from"
    )
    parser.add_argument("--units", default="192,384,768,768,768", help="of each layer")
    parser.add_argument("--words-from", type=int, default=3, help="the first layer that answers for words alone")
    parser.add_argument(
        "--both", action="store_true", help="learn from the mean of the tagger and what was made of it before"
    )
    parser.add_argument("--copies", type=int, default=2, help="of the sentences with nested entities")
    parser.add_argument("--wojood", type=int, default=1, help="how often those of Wojood are in a copy")
    parser.add_argument(
        "--visits", type=int, default=3, help="how often each copy is learned from, and all other texts"
    )
    parser.add_argument("--articles", type=int, default=1_000, help="of the news, without labels")
    parser.add_argument("--senses", type=int, default=1_000, help="examples of senses, without labels")
    parser.add_argument(
        "--fane", type=float, default=0.0, help="share of the windows of NewsFANE and WikiFANE, without labels"
    )
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--folder", type=Path, default=ROOT / "nlp" / "models" / "tagger-ar-en")
    parser.add_argument("--kept", type=Path, default=WEIGHTS, help="where the trained weights are kept")
    parser.add_argument("--export-only", action="store_true", help="the weights are there already")
    given = vars(parser.parse_args(arguments))
    begin, go_on, folder, kept, export_only = (
        given.pop(k) for k in ("start", "go_on", "folder", "kept", "export_only")
    )
    if go_on:
        given["units"], given["words_from"] = "as before", read(go_on).nested.words_from
    if given["both"] and not go_on:
        parser.error("--both needs --go-on")
    said = " ".join(
        f"--{k.replace('_', '-')}" + ("" if v is True else f" {v}") for k, v in given.items() if v is not False
    )
    units, words_from, both, copies, weight, visits, articles, senses, fane, seed = (
        given.pop(k)
        for k in (
            "units", "words_from", "both", "copies", "wojood", "visits", "articles", "senses", "fane", "seed"
        )
    )  # fmt: skip
    settings = Settings(**given)
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = random.Random(seed)
    start = read(begin)
    before, made = start.nested, read(go_on or begin)
    own, wojood, tune = data.divided()
    if go_on:
        state = made.nested.state
    else:
        state = smaller(before.state, rng.sample(own + wojood, SAMPLE), [int(part) for part in units.split(",")])
    model = tower_of(made.nested, state, settings.drop, words_from)[1]
    below = Lower(state, FROZEN)
    watched = own[::WATCHED]

    def rounding(model: Upper, mean: Upper) -> None:
        seen = [w for s in watched[::2] for w in windows([s.words])]
        found = steps_of(whole(state, mean), seen, words_from, FROZEN)
        for part in (model, mean, below, taught):
            part.round(found)

    if export_only:
        model.load_state_dict(torch.load(kept))
    else:
        other = tower_of(made.nested, state, 0.0, words_from) if both else None
        taught = Taught(state, tower_of(before, before.state, 0.0, before.words_from), other)
        own_copies = learn.copies_of(own + wojood * weight, None, copies, rng)
        texts = [part for found in text.news(articles, rng) for part in some_apart(found, rng)]
        plain = examples.plain_examples(text.lexicon(senses, rng) + texts + text.fane(fane, rng))
        rng.shuffle(plain)
        parts = [part + plain[i::copies] for i, part in enumerate(own_copies)]
        plans = [examples.batches(part, learn.CELLS, rng) for part in parts * visits]

        def keep(mean: Upper) -> None:
            torch.save(mean.state_dict(), kept)
            for name, sentences in tune.items():
                measure.report(name, sentences, measure.alone(mean, below, sentences))

        for name, sentences in tune.items():
            measure.report(f"{name}, not trained", sentences, measure.alone(model, below, sentences))
        model.load_state_dict(fit(model, taught, plans, settings, keep, rounding).state_dict())
    found = steps_of(whole(state, model.eval()), [w for s in watched for w in windows([s.words])], words_from, FROZEN)
    for part in (model, below):
        part.round(found)
    lean, platt, metrics = tuned(model, below, tune)
    by = f"python -m isnad_nested.slim {'--go-on ' if go_on else ''}{said}"
    card = {"start": made.checksum, "trained_by": by, "metrics": metrics}
    export(folder, go_on or begin, made, state, model, below, own, lean, platt, card, found)


def tower_of(stack: Stack, state: dict, drop: float, words_from: int) -> learn.Tower:
    """The layers of `state` under the outputs of `stack`."""
    model = Upper(state, FROZEN, drop, 0, words_from, WEIGHT_BITS)
    with torch.no_grad():
        model.head.weight.copy_(stack.weight)
        model.head.bias.copy_(stack.bias)
    return Lower(state, FROZEN), model.eval()


def some_apart(sentences: list[list[str]], rng: random.Random) -> list[list[list[str]]]:
    """Sentences of an article together, or each by itself."""
    return [sentences] if rng.random() < 0.5 else [[sentence] for sentence in sentences]


def smaller(state: dict, sentences: list[data.Sentence], units: list[int]) -> dict:
    """The state of an encoder with so many units in each layer; layers that are not trained have weights as the graph has them."""
    inner = encoder.inner_of(state)
    tower = encoder.Encoder(pieces.rows(), len(inner), 0.0, inner).eval()
    tower.load_state_dict(state)
    made = pruned(state, tower, [w for s in sentences for w in windows([s.words])], units)
    for number in range(FROZEN):
        for part in ("qkv", "out", "up", "down"):
            name = f"layers.{number}.{part}.weight"
            made[name] = rounded(made[name], WEIGHT_BITS)
    return made


if __name__ == "__main__":
    main()
