"""Trains nlp/models/reader-ar-en: `python -m isnad_reader`, then with `--news` on questions over news as well, from there on, with
`--tempting` on the sentences that it then takes for answers, and with `--across` on questions in the other language; or, with `--export`, exports
what was trained before."""

import argparse
import dataclasses
import random
import time

import torch

from isnad_embed.corpus import OUT, ROOT

from . import data, export
from .data import Group
from .fit import Settings, fit
from .graph import restore
from .model import Reader

STATE = OUT / "reader.pt"
NEWS_ROUNDS = 2
"""Draws of sentences for each question over news; one in the last steps."""
CUT = 0.7
"""Share of the questions, of those in the last steps, of which the sentence that answers is shown without the words that do, too."""
OF_TYDI, OF_ARCD = 1100, 450
"""Questions of an encyclopedia that are learned from beside them; in the third step half of them, in the last an eighth."""
BESIDE_ACROSS = 200
"""Questions in the language of their article that are learned from beside those in the other one."""


def drawn(seed: int, news: bool, tempting: bool = False, across: bool = False) -> list[Group]:
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
        given = {"seed": seed, "unanswered": 0.15, "altered_share": 0.25, "cut_share": CUT if tempting else 0}
        share = 1 / 8 if across else 1 / 2 if tempting else 1
        made = data.groups(passages, order.sample(learned, int(share * OF_TYDI)), own=3, others=2, **given)
        made += data.groups(pool, order.sample(asked, int(share * OF_ARCD)), own=3, others=3, **given)
        own = data.written(("train", "tempting") if tempting else ("train",))
        if across:
            own = (own[0], order.sample(own[1], BESIDE_ACROSS))
            made += data.groups(*data.written(across=True), own=4, others=1, tempting=True, **given)
        for number in range(1 if tempting else NEWS_ROUNDS):
            made += data.groups(*own, own=4, others=1, tempting=tempting, **{**given, "seed": seed + number})
    return order.sample(made, len(made))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_reader", description=__doc__)
    for field in dataclasses.fields(Settings):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    parser.add_argument(
        "--news", action="store_true", help="go on from what was trained before, on questions over news as well"
    )
    parser.add_argument("--tempting", action="store_true", help="go on, on sentences that do not answer and seem to")
    parser.add_argument("--across", action="store_true", help="go on, on questions in the other language as well")
    parser.add_argument("--export", action="store_true", help="train nothing")
    given = vars(parser.parse_args())
    export_only, news, tempting = given.pop("export"), given.pop("news"), given.pop("tempting")
    across = given.pop("across")
    tempting = tempting or across
    news = news or tempting
    shipped = ROOT / "nlp" / "models" / export.NAME
    torch.set_num_threads(1)
    settings = Settings(**given)
    model = Reader()
    if tempting:
        restore(model, shipped / "model.onnx")
    elif news or export_only:
        model.load_state_dict(torch.load(STATE))
    if not export_only:
        start = time.process_time()
        groups = drawn(settings.seed, news, tempting, across)
        print(f"{len(groups)} groups, {time.process_time() - start:.0f} s", flush=True)
        fit(model, groups, settings)
        STATE.parent.mkdir(parents=True, exist_ok=True)
        torch.save(model.state_dict(), STATE)
    if news or export_only:
        export.export(shipped, model.eval())


if __name__ == "__main__":
    main()
