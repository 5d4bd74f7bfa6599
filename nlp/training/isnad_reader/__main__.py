"""Trains nlp/models/reader-ar-en: `python -m isnad_reader`, then with `--news` on questions over news as well; or, with `--export`, exports what was
trained before."""

import argparse
import dataclasses
import random
import time

import torch

from isnad_embed.corpus import OUT, ROOT

from . import data, export
from .data import Group
from .fit import Settings, fit
from .model import Reader

STATE = OUT / "reader.pt"
NEWS_ROUNDS = 2
"""Draws of sentences for each question over news."""
OF_TYDI, OF_ARCD = 1100, 450
"""Questions of an encyclopedia that are learned from beside them."""


def drawn(seed: int, news: bool) -> list[Group]:
    passages, questions = data.tydi()
    out = data.left_out(questions)
    learned = [question for question in questions if question.key not in out]
    pool, asked = data.arcd()
    order = random.Random(seed)
    if not news:
        given = {"seed": seed, "unanswered": 0.35}
        made = data.groups(passages, learned, own=2, others=3, **given)
        made += data.groups(pool, asked, own=3, others=3, **given)
    else:
        given = {"seed": seed, "unanswered": 0.15, "altered_share": 0.25}
        made = data.groups(passages, order.sample(learned, OF_TYDI), own=3, others=2, **given)
        made += data.groups(pool, order.sample(asked, OF_ARCD), own=3, others=3, **given)
        own = data.written()
        for number in range(NEWS_ROUNDS):
            made += data.groups(*own, own=4, others=1, **{**given, "seed": seed + number})
    return order.sample(made, len(made))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_reader", description=__doc__)
    for field in dataclasses.fields(Settings):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    parser.add_argument(
        "--news", action="store_true", help="go on from what was trained before, on questions over news as well"
    )
    parser.add_argument("--export", action="store_true", help="train nothing")
    given = vars(parser.parse_args())
    export_only, news = given.pop("export"), given.pop("news")
    torch.set_num_threads(1)
    settings = Settings(**given)
    model = Reader()
    if news or export_only:
        model.load_state_dict(torch.load(STATE))
    if not export_only:
        start = time.process_time()
        groups = drawn(settings.seed, news)
        print(f"{len(groups)} groups, {time.process_time() - start:.0f} s", flush=True)
        fit(model, groups, settings)
        STATE.parent.mkdir(parents=True, exist_ok=True)
        torch.save(model.state_dict(), STATE)
    if news or export_only:
        export.export(ROOT / "nlp" / "models" / export.NAME, model.eval())


if __name__ == "__main__":
    main()
