"""Trains, quantises, calibrates and exports the model: `python -m isnad_check`. Options override the settings of the shipped one."""

import argparse
import logging
import random
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import nn

from isnad_base.graph import Ranges

from . import adapt, base, bridge, finetune, shipped, text, vocabulary
from .calibrate import Calibration, Scored, calibrate
from .card import details
from .data import OUT, ROOT, Labelled, checkthat, claims, debates_2019
from .encoder import LANGUAGES, Classifier, Encoder, Shape
from .export import LONGEST, Session, sessions, write
from .ranges import ranges

LAYERS = (0, 1, 2)
SENTENCES = 60_000
HELD_OUT_OF, BLOCK = 10, 50
CLIP = 1e-5
# Of the English logit in the Arabic one: chosen on dev. It carries over to speeches, of which there are no Arabic labels.
ENGLISH_SHARE = 0.5


def held_out(count: int) -> np.ndarray:
    """One block of neighbours in ten: tweets beside each other are of one day and one topic."""
    return (np.arange(count) // BLOCK) % HELD_OUT_OF == HELD_OUT_OF // 2


def make_vocabulary(train: dict[str, Labelled], seed: int) -> Tokenizer:
    rng = random.Random(seed)
    texts = {lang: rng.sample(list(text.sentences(lang)), SENTENCES) + train[lang].texts * 3 for lang in LANGUAGES}
    return vocabulary.build(texts["en"], texts["ar"], english_size=8000, arabic_size=7500)


def started(tokenizer: Tokenizer) -> Encoder:
    """The first layers of the base over our vocabulary."""
    pieces = vocabulary.pieces(tokenizer)
    known = base.tokenizer().get_vocab()
    encoder = base.encoder(LAYERS)
    table = bridge.rows(encoder.words.weight.detach().numpy(), pieces, [known.get(piece, -1) for piece in pieces])
    encoder.words = nn.Embedding.from_pretrained(torch.from_numpy(table), freeze=False)
    return encoder


def adapted(tokenizer: Tokenizer, settings: adapt.Settings) -> Encoder:
    """Arabic sentences brought near to what the whole base makes of their English translations."""
    pairs = text.pairs()
    rows = vocabulary.encode(tokenizer, [arabic for _, arabic in pairs], LONGEST)
    return adapt.adapt(started(tokenizer), rows, adapt.goals([english for english, _ in pairs], LONGEST), settings)


def prepared(train: dict[str, Labelled], settings: adapt.Settings, fresh: bool) -> tuple[Tokenizer, Encoder]:
    """Tokenizer and adapted encoder; what an earlier run left is taken up unless `fresh`."""
    vocabulary_file, weights_file = OUT / "tokenizer.json", OUT / "adapted.pt"
    if fresh or not vocabulary_file.exists():
        vocabulary_file.write_text(vocabulary.saved(make_vocabulary(train, settings.seed)), encoding="utf8")
    tokenizer = Tokenizer.from_file(str(vocabulary_file))
    if fresh or not weights_file.exists():
        torch.save(adapted(tokenizer, settings).state_dict(), weights_file)
    encoder = Encoder(Shape(tokenizer.get_vocab_size(), len(LAYERS)))
    encoder.load_state_dict(torch.load(weights_file))
    return tokenizer, encoder


def guided(part: finetune.Part, guide: Session, share: float) -> finetune.Part:
    """The part, a `share` of whose labels is what the model before said (Li and Hoiem 2016): it shall not forget."""
    told = 1 / (1 + np.exp(-guide.of(part.rows, part.langs[0])))
    return replace(part, labels=part.labels * (1 - share) + told * share)


def sampled(part: finetune.Part, count: int, rng: np.random.Generator) -> finetune.Part:
    chosen = rng.permutation(len(part.rows))[:count]
    return replace(part, rows=[part.rows[i] for i in chosen], labels=part.labels[chosen])


def trained(
    model: Classifier,
    parts: list[finetune.Part],
    contests: list[finetune.Contest],
    settings: finetune.Settings,
    fresh: bool,
    within: Ranges | None = None,
) -> Classifier:
    """The classifier; what an earlier run left is taken up unless `fresh`. With `within`, trained as these ranges round."""
    weights_file = OUT / "trained.pt"
    if fresh or not weights_file.exists():
        finetune.finetune(model, parts, settings, contests, within, OUT / "training.pt")
        torch.save(model.state_dict(), weights_file)
    model.load_state_dict(torch.load(weights_file))
    return model.eval()


def for_debates(
    given: argparse.Namespace, start: Path, train: dict[str, Labelled]
) -> tuple[Tokenizer, Classifier, Ranges]:
    """Tokenizer, model and the ranges of its products, trained by the labels of the public sets and by our own."""
    if given.go_on:
        tokenizer, model = shipped.read(start)
        if not given.rounded:
            model.lean("ar", "en", -ENGLISH_SHARE)
    else:
        tokenizer, encoder = prepared(train, adapt.Settings(epochs=given.adapt_epochs, seed=given.seed), given.fresh)
        model = Classifier(encoder)

    rows = {lang: vocabulary.encode(tokenizer, train[lang].texts, LONGEST) for lang in LANGUAGES}
    labels = {lang: np.array(train[lang].labels) for lang in LANGUAGES}
    kept = {lang: ~held_out(len(rows[lang])) for lang in LANGUAGES}
    parts = [
        finetune.Part(
            (lang,),
            [row for row, keep in zip(rows[lang], kept[lang], strict=True) if keep],
            labels[lang][kept[lang]],
            None if given.each is None else given.each[LANGUAGES.index(lang)],
        )
        for lang in LANGUAGES
    ]
    if given.guide > 0:
        guide, rng = Session((start / "model.onnx").read_bytes()), np.random.default_rng(given.seed)
        parts = [
            guided(sampled(part, (part.each or len(part.rows)) * given.epochs, rng), guide, given.guide)
            for part in parts
        ]
    for lang, taught in (("ar", ("ar", "en")), ("en", ("ar", "en") if given.rounded else ("en",))):
        own = claims(lang, "train")
        parts.append(finetune.Part(taught, vocabulary.encode(tokenizer, own.texts, LONGEST), np.array(own.labels)))
    contests = [
        finetune.Contest("en", vocabulary.encode(tokenizer, debate.texts, LONGEST), np.array(debate.labels))
        for debate in debates_2019(held_out=False).values()
    ]
    seen = [row for part in parts for row in part.rows[:600]]
    within = ranges(model, seen, CLIP) if given.rounded else None
    before = {name: value.clone() for name, value in model.state_dict().items()}
    model = trained(model, parts, contests, settings_of(given), given.fresh, within)
    after = model.state_dict()
    model.load_state_dict({name: torch.lerp(after[name], before[name], given.keep) for name in after})
    if not given.rounded:
        model.lean("ar", "en", ENGLISH_SHARE)
    return tokenizer, model, within or ranges(model, seen, CLIP)


def settings_of(given: argparse.Namespace) -> finetune.Settings:
    return finetune.Settings(
        epochs=given.epochs,
        rate=given.rate,
        smoothing=given.smoothing,
        contest_share=given.contest_share,
        contest_rows=tuple(given.contest_rows),
        average=given.average,
        size=given.size,
        until=given.until,
        seed=given.seed,
    )


def calibrated(tokenizer: Tokenizer, small: Session, train: dict[str, Labelled]) -> dict[str, Calibration]:
    """By language: by dev, by the tenth of train that nothing was trained on, and by two of our own topics."""
    found = {}
    for lang in LANGUAGES:
        unseen = held_out(len(train[lang].texts))
        kept = Labelled(
            *(
                [value for value, chosen in zip(of, unseen, strict=True) if chosen]
                for of in (train[lang].texts, train[lang].labels)
            )
        )
        dev, own = checkthat(lang, "dev"), claims(lang, "calibration")
        found[lang] = calibrate(
            scored(tokenizer, small, kept, lang),
            scored(tokenizer, small, dev, lang) + scored(tokenizer, small, own, lang),
        )
    return found


def scored(tokenizer: Tokenizer, small: Session, found: Labelled, lang: str) -> Scored:
    return Scored(np.array(found.labels), small.of(vocabulary.encode(tokenizer, found.texts, LONGEST), lang))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_check", description=__doc__)
    parser.add_argument("--name", default="checkworthy-ar-en", help="folder under nlp/models")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--adapt-epochs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--smoothing", type=float, default=0.05)
    parser.add_argument("--contest-share", type=float, default=0.3)
    parser.add_argument(
        "--each", type=int, nargs=2, help="sentences of CheckThat! an epoch, Arabic and English; all without it"
    )
    parser.add_argument(
        "--go-on", action="store_true", help="train the shipped model on instead of starting from the base"
    )
    parser.add_argument("--start", type=Path, help="the model that --go-on starts from; that of --name without it")
    parser.add_argument(
        "--keep",
        type=float,
        default=0.0,
        help="share of the weights before training in those after it (Wortsman et al. 2022, WiSE-FT)",
    )
    parser.add_argument(
        "--rounded", action="store_true", help="with --go-on: train as the graph rounds, and keep the model's ranges"
    )
    parser.add_argument(
        "--guide",
        type=float,
        default=0.0,
        help="share of what --start says in the labels of CheckThat!, with --rounded",
    )
    parser.add_argument("--average", type=float, default=0.0, help="what the running mean of the weights keeps a step")
    parser.add_argument("--size", type=int, default=64, help="sentences of a step")
    parser.add_argument("--until", type=int, help="the step after which training ends; all epochs without it")
    parser.add_argument("--contest-rows", type=int, nargs=2, default=(4, 12))
    parser.add_argument("--fresh", action="store_true", help="take nothing up that an earlier run left")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(given.threads)
    OUT.mkdir(parents=True, exist_ok=True)

    train = {lang: checkthat(lang, "train") for lang in LANGUAGES}
    torch.manual_seed(given.seed)
    start = given.start or ROOT / "nlp" / "models" / given.name
    tokenizer, model, within = for_debates(given, start, train)
    large, small, serialised = sessions(model, within)
    calibration = calibrated(tokenizer, small, train)
    told = f"python -m isnad_check {' '.join(sys.argv[1:])}".strip()
    card = details(model, large, small, calibration, tokenizer, told)
    write(ROOT / "nlp" / "models" / given.name, tokenizer, serialised, calibration, card)


if __name__ == "__main__":
    main()
