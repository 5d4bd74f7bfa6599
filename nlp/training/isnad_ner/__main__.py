"""Trains and exports the tagger: `python -m isnad_ner`. Needs nlp/training/requirements.txt; one core, about ten minutes."""

import argparse
import dataclasses
from concurrent.futures import ProcessPoolExecutor

from isnad_embed.corpus import OUT, ROOT

from . import clusters, corpus, words
from .data import Sets, load
from .export import export
from .harvest import harvest
from .stack import LOWER, UPPER, Settings, Stack, lower, upper

SIZES = {"base": {}, "large": {"rounds": 20, "iterations": 150, "lower_features": 150_000, "upper_features": 250_000}}
WORDS, DIMS, BUCKETS, EPOCHS = 40_000, 96, 24_000, 2


def uppers(pool: ProcessPoolExecutor, names: list[str], sets: Sets, settings: Settings, stack: Stack) -> None:
    asked = {name: pool.submit(upper, name, sets, settings, stack) for name in names}
    for name, made in asked.items():
        stack.chains[name], stack.uses[name] = made.result()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_ner", description=__doc__)
    for field in dataclasses.fields(Settings):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=None)
    parser.add_argument("--size", choices=SIZES, default="base")
    parser.add_argument("--name", default="tagger-ar-en", help="folder under nlp/models")
    parser.add_argument("--fresh", action="store_true", help="make the word vectors and clusters again")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    given = vars(parser.parse_args())
    name, size, fresh, jobs = (given.pop(k) for k in ("name", "size", "fresh", "jobs"))
    settings = Settings(**SIZES[size] | {k: v for k, v in given.items() if v is not None})
    if fresh or not (OUT / "ner-words.npz").exists():
        corpus.write()
        words.train(DIMS, BUCKETS, EPOCHS, settings.seed)
    if fresh or not clusters.FILE.exists():
        clusters.make(WORDS, settings.seed)
    sets, stack = load(), Stack()
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        asked = {chain: pool.submit(lower, chain, sets, settings) for chain in LOWER}
        for chain, made in asked.items():
            stack.chains[chain], stack.names[chain] = made.result()
        if settings.news_sentences > 0:
            uppers(pool, ["ar", "en"], sets, settings, stack)
            found = {lang: pool.submit(harvest, stack, lang, lang, settings.news_sentences) for lang in ("ar", "en")}
            stack.names |= {f"news-{lang}": names.result() for lang, names in found.items()}
        uppers(pool, list(UPPER), sets, settings, stack)
    told = " ".join(f"--{k.replace('_', '-')} {v}" for k, v in dataclasses.asdict(settings).items())
    export(ROOT / "nlp" / "models" / name, stack, sets, f"python -m isnad_ner --size {size} {told}")


if __name__ == "__main__":
    main()
