"""Second stage of the embedding: `python -m isnad_embed.distil`. The table of the first learns which texts a contextual teacher finds alike.

A batch is groups of articles that the teacher finds near each other. For each title or sentence, the distribution of similarity over the
passages of the batch shall be the teacher's (Kullback-Leibler divergence; relational distillation as in Tejankar et al. 2021, ISD), within
each language and across. Sentences and their translations are told apart from all others as in the first stage. The tables of both
stages are averaged, so that what the first does well is kept (Wortsman et al. 2022, Robust fine-tuning of zero-shot models).
"""

import argparse
import dataclasses
import json
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from scipy import sparse
from tokenizers import Tokenizer

from isnad_base import teacher

from . import corpus
from .evaluate import Table, measure
from .export import export, read_rows
from .train import Bag, contrast

KEPT = corpus.OUT / "distil"
LONGEST = 128
"""Pieces of a text that the teacher reads."""
KINDS = ("titles", "sentences", "questions", "passages")
QUESTION_WORDS = {
    "ar": "ما هي|ما هو|ما|من|من هو|متى|أين|كم|كم عدد|لماذا|كيف|هل|في أي عام|ماذا|بماذا|متى كان".split("|"),
    "en": "what is|what was|what|who|who was|when|when did|when was|where is|where|how many|how much|why did|how did|which|is|did".split(
        "|"
    ),
}


def sampled(articles: int, rng: np.random.Generator) -> dict[str, list[str]]:
    """As many articles of each language, Arabic first: title, a sentence, and a passage, often under its title. Never of the held-out part."""
    found: dict[str, list[str]] = {"titles": [], "sentences": [], "passages": []}
    every = [a for a in corpus.articles() if not a.held_out]
    for lang in ("ar", "en"):
        own = [a for a in every if a.lang == lang]
        for i in rng.permutation(len(own))[:articles]:
            body = " ".join(own[i].text.split())
            at = int(rng.integers(0, max(1, len(body) - 600)))
            at = 0 if rng.random() < 0.4 else body.find(" ", at) + 1
            passage = body[at : at + int(rng.integers(200, 700))]
            parts = [s.strip() for s in body.replace("؟", "؟.").split(". ") if 40 < len(s) < 250]
            found["titles"].append(own[i].title)
            found["sentences"].append(parts[int(rng.integers(len(parts)))] if parts else own[i].title)
            found["passages"].append(f"{own[i].title}\n{passage}" if rng.random() < 0.7 else passage)
    return found


def texts(articles: int, seed: int) -> dict[str, list[str]]:
    """sampled(), a made-up question for each passage, and sentences with their translations."""
    rng = np.random.default_rng(seed)
    found = sampled(articles, rng)
    found["questions"] = questions(found["passages"], articles, rng)
    pairs = [pair for name in ("tatoeba_manythings", "tico19") for pair in corpus.pairs(name)]
    found["english"], found["arabic"] = [p[0] for p in pairs], [p[1] for p in pairs]
    return found


def questions(passages: list[str], arabic: int, rng: np.random.Generator) -> list[str]:
    """A question word and a few words of each passage; the first `arabic` passages are Arabic."""
    out = []
    for i, passage in enumerate(passages):
        options = QUESTION_WORDS["ar" if i < arabic else "en"]
        words = passage.split()
        size = int(rng.integers(3, 9))
        at = int(rng.integers(0, max(1, len(words) - size)))
        mark = ("؟" if i < arabic else "?") if rng.random() < 0.8 else ""
        out.append(f"{options[int(rng.integers(len(options)))]} {' '.join(words[at : at + size])}{mark}")
    return out


def taught(found: dict[str, list[str]]) -> dict[str, np.ndarray]:
    """The teacher's vectors of each kind of text."""
    prefix = {kind: "passage: " if kind == "passages" else "query: " for kind in KINDS}
    return {kind: teacher.kept(KEPT / f"{kind}.npy", found[kind], prefix[kind], LONGEST) for kind in KINDS}


def counts(tokenizer: Tokenizer, rows: list[str], power: float) -> sparse.csr_matrix:
    """[texts, pieces]: how often each piece occurs, to the power."""
    place, piece = [], []
    for i, coded in enumerate(tokenizer.encode_batch_fast(rows, add_special_tokens=False)):
        ids = [x for x in coded.ids if x != 0]
        place += [i] * len(ids)
        piece += ids
    made = sparse.coo_matrix(
        (np.ones(len(piece), np.float32), (place, piece)), shape=(len(rows), tokenizer.get_vocab_size())
    ).tocsr()
    made.data **= power
    return made


def neighbours(vectors: np.ndarray, most: int) -> np.ndarray:
    """The numbers of the `most` nearest rows of each row, itself first."""
    out = np.zeros((len(vectors), most), np.int32)
    for at in range(0, len(vectors), 1000):
        scores = vectors[at : at + 1000] @ vectors.T
        near = np.argpartition(-scores, most, axis=1)[:, :most]
        out[at : at + 1000] = np.take_along_axis(near, np.argsort(-np.take_along_axis(scores, near, 1), axis=1), 1)
    return out


@dataclass(frozen=True)
class Settings:
    """Defaults are those of the shipped model."""

    articles: int = 6_000
    steps: int = 900
    rate: float = 2e-3
    groups: int = 48
    near: int = 12
    drop: float = 0.1
    sharp: float = 0.02
    blend: float = 0.55
    own: float = 0.3
    pairs: float = 1.5
    seed: int = 7
    threads: int = 1


class Student:
    """Rows of sparse counts to vectors of unit length, words left out at random."""

    def __init__(self, table: np.ndarray, drop: float, rng: np.random.Generator):
        self.table = torch.nn.Parameter(torch.from_numpy(table.copy()))
        self.drop, self.rng = drop, rng

    def __call__(self, rows: sparse.csr_matrix) -> torch.Tensor:
        some = rows.copy()
        some.data *= self.rng.random(len(some.data)) >= self.drop
        return torch.nn.functional.normalize(Bag.apply(some, self.table), dim=1, eps=1e-6)


def divergence(student: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
    """Of the distribution over columns, both given as logits."""
    return torch.nn.functional.kl_div(
        student.log_softmax(1), told.log_softmax(1), log_target=True, reduction="batchmean"
    )


def distil(
    start: np.ndarray,
    found: dict[str, list[str]],
    told: dict[str, np.ndarray],
    tokenizer: Tokenizer,
    power: float,
    settings: Settings,
) -> np.ndarray:
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    rng = np.random.default_rng(settings.seed)
    rows = {kind: counts(tokenizer, texts_, power) for kind, texts_ in found.items()}
    teach = {kind: torch.from_numpy(v) for kind, v in told.items()}
    near = neighbours(told["passages"], settings.near)
    student = Student(start, settings.drop, rng)
    scale = torch.nn.Parameter(torch.tensor(2.8))
    optimiser = torch.optim.Adam(
        [{"params": [student.table], "lr": settings.rate}, {"params": [scale], "lr": 1e-2}], betas=(0.9, 0.99)
    )
    rates = [settings.rate, 1e-2]
    began, smooth = time.time(), np.zeros(6)
    for step in range(settings.steps):
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * min(1, (step + 1) / 30) * (1 - step / settings.steps)
        chosen = np.unique(near[rng.choice(len(near), settings.groups, replace=False)])
        passages = student(rows["passages"][chosen])
        parts = []
        for kind in ("titles", "sentences", "questions"):
            own = student(rows[kind][chosen])
            parts.append(
                divergence(
                    own @ passages.T * scale.exp(), teach[kind][chosen] @ teach["passages"][chosen].T / settings.sharp
                )
            )
            if kind != "sentences":  # those come from anywhere in the article
                parts.append(settings.own * contrast(own, passages, torch.arange(len(chosen)), 0.06))
        pairs = rng.choice(len(found["english"]), 512, replace=False)
        english, arabic = student(rows["english"][pairs]), student(rows["arabic"][pairs])
        parts.append(settings.pairs * contrast(english, arabic, torch.arange(len(pairs)), 0.06))
        loss = sum(parts)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        now = np.array([p.item() for p in parts])
        smooth = now if step == 0 else smooth * 0.98 + now * 0.02
        if step % 100 == 99:
            print(
                f"{step + 1} {smooth.round(3)} scale {scale.exp().item():.1f} {time.time() - began:.0f} s", flush=True
            )
    return student.table.detach().numpy()


def shipped(folder: Path) -> tuple[Tokenizer, np.ndarray, float]:
    card = json.loads((folder / "model.json").read_text(encoding="utf8"))
    return Tokenizer.from_file(str(folder / "tokenizer.json")), read_rows(folder), card["count_power"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_embed.distil", description=__doc__)
    for field in dataclasses.fields(Settings):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    parser.add_argument("--name", default="static-ar-en-256", help="folder under nlp/models")
    parser.add_argument("--trial", action="store_true", help="measure, write nothing")
    parser.add_argument("--kept", action="store_true", help="blend the table trained last")
    given = vars(parser.parse_args())
    name, trial, kept = given.pop("name"), given.pop("trial"), given.pop("kept")
    settings = Settings(**given)
    folder = corpus.ROOT / "nlp" / "models" / name
    tokenizer, start, power = shipped(folder)
    found = texts(settings.articles, settings.seed)
    torch.set_num_threads(settings.threads)
    told = taught(found)
    if not kept:
        np.save(KEPT / "table.npy", distil(start, found, told, tokenizer, power, settings))
    table = start + settings.blend * (np.load(KEPT / "table.npy") - start)
    if trial:
        before, after = measure(Table(tokenizer, start, power)), measure(Table(tokenizer, table, power))
        for key in before:
            print(f"{key[0]:34} {key[1]:10} {before[key]:.4f} {after[key]:.4f}")
        return
    first = json.loads((folder / "model.json").read_text(encoding="utf8"))["trained_by"].split("; ")[0]
    options = {k: v for k, v in dataclasses.asdict(settings).items() if k != "threads"}
    command = "python -m isnad_embed.distil " + " ".join(f"--{k} {v}" for k, v in options.items())
    used = np.asarray(sum(counts(tokenizer, found[kind], 1.0).sum(0) for kind in KINDS)).ravel()
    export(
        folder,
        (folder / "tokenizer.json").read_text(encoding="utf8"),
        table,
        used / used.sum(),
        power,
        f"{first}; {command}",
    )


if __name__ == "__main__":
    main()
