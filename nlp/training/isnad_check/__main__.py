"""Trains, quantises, calibrates and exports the model: `python -m isnad_check`. Options override the settings of the shipped one."""

import argparse
import logging
import random
import sys
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import nn

from . import adapt, base, bridge, finetune, shipped, text, vocabulary
from .calibrate import Scored, calibrate
from .card import details
from .data import OUT, ROOT, Labelled, checkthat, claims, debates_2019
from .encoder import LANGUAGES, Classifier, Encoder, Shape
from .export import LONGEST, sessions, write
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


def trained(
    model: Classifier,
    parts: list[finetune.Part],
    contests: list[finetune.Contest],
    settings: finetune.Settings,
    fresh: bool,
) -> Classifier:
    """The classifier; what an earlier run left is taken up unless `fresh`."""
    weights_file = OUT / "trained.pt"
    if fresh or not weights_file.exists():
        finetune.finetune(model, parts, settings, contests)
        torch.save(model.state_dict(), weights_file)
    model.load_state_dict(torch.load(weights_file))
    return model.eval()


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
    parser.add_argument("--fresh", action="store_true", help="take nothing up that an earlier run left")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(given.threads)
    OUT.mkdir(parents=True, exist_ok=True)

    train = {lang: checkthat(lang, "train") for lang in LANGUAGES}
    torch.manual_seed(given.seed)
    if given.go_on:
        tokenizer, model = shipped.read(given.start or ROOT / "nlp" / "models" / given.name)
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
    for lang, taught in (("ar", ("ar", "en")), ("en", ("en",))):
        own = claims(lang, "train")
        parts.append(finetune.Part(taught, vocabulary.encode(tokenizer, own.texts, LONGEST), np.array(own.labels)))
    contests = [
        finetune.Contest("en", vocabulary.encode(tokenizer, debate.texts, LONGEST), np.array(debate.labels))
        for debate in debates_2019(held_out=False).values()
    ]
    settings = finetune.Settings(
        epochs=given.epochs,
        rate=given.rate,
        smoothing=given.smoothing,
        contest_share=given.contest_share,
        seed=given.seed,
    )
    before = {name: value.clone() for name, value in model.state_dict().items()}
    model = trained(model, parts, contests, settings, given.fresh)
    after = model.state_dict()
    model.load_state_dict({name: torch.lerp(after[name], before[name], given.keep) for name in after})
    model.lean("ar", "en", ENGLISH_SHARE)
    seen = [row for part in parts for row in part.rows[:600]]
    large, small, serialised = sessions(model, ranges(model, seen, CLIP))
    calibration = {}
    for lang in LANGUAGES:
        unseen = [row for row, keep in zip(rows[lang], kept[lang], strict=True) if not keep]
        dev, own = checkthat(lang, "dev"), claims(lang, "calibration")
        calibration[lang] = calibrate(
            Scored(labels[lang][~kept[lang]], small.of(unseen, lang)),
            Scored(
                np.array(dev.labels + own.labels),
                small.of(vocabulary.encode(tokenizer, dev.texts + own.texts, LONGEST), lang),
            ),
        )
    told = f"python -m isnad_check {' '.join(sys.argv[1:])}".strip()
    card = details(model, large, small, calibration, tokenizer, told)
    write(ROOT / "nlp" / "models" / given.name, tokenizer, serialised, calibration, card)


if __name__ == "__main__":
    main()
