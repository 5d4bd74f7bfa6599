"""Joint training over all data sets: in every step one batch of one set, its own head, the rest shared."""

import time
from dataclasses import dataclass

import numpy as np
import torch

from isnad_embed.corpus import OUT

from .data import Sentence, Sets
from .encode import Words, batches, stacked
from .evaluate import micro_f1, tags_of
from .model import Tagger, viterbi

HEAD_OF = {"newsfane": "fane", "wikifane": "fane"}
MAX_LENGTH = 100
# Share of each set that an epoch sees.
SHARES = {"anercorp": 1.5, "newsfane": 1.0, "wikifane": 0.3, "wojood": 0.7, "wikigold": 1.5, "wnut": 1.2, "btc": 0.5, "re3d": 0.7, "wikiann": 0.2}


@dataclass(frozen=True)
class Settings:
    words: int = 24000
    width: int = 192
    dilations: str = "1,1,2,4,1"
    epochs: int = 10
    batch_tokens: int = 3000
    rate: float = 0.002
    drop: float = 0.3
    word_drop: float = 0.15
    seed: int = 7


def vectors(count: int) -> tuple[list[str], np.ndarray, np.ndarray]:
    kept = np.load(OUT / "ner-words.npz", allow_pickle=True)
    return [str(w) for w in kept["words"][:count]], kept["rows"][:count], kept["grams"]


def heads_of(sets: Sets) -> dict[str, list[str]]:
    heads: dict[str, set[str]] = {}
    for name, sentences in sets.train.items():
        kinds = heads.setdefault(HEAD_OF.get(name, name), set())
        kinds |= {tag[2:] for s in sentences for _, tag in s if tag != "O"}
    return {h: ["O", *(f"{p}-{k}" for k in sorted(kinds) for p in "BI")] for h, kinds in heads.items()}


def known_words(count: int) -> Words:
    vocabulary, rows, grams = vectors(count)
    scale = np.float32(0.5 / np.sqrt((rows**2).mean()))
    return Words(vocabulary, rows * scale, grams * scale)


def build(heads: dict[str, list[str]], words: Words, settings: Settings) -> Tagger:
    torch.manual_seed(settings.seed)
    dilations = [int(d) for d in settings.dilations.split(",")]
    return Tagger(words.dims, settings.width, dilations, heads, settings.drop)


def tag(model: Tagger, words: Words, sentences: list[Sentence], head: str) -> list[list[str]]:
    model.eval()
    labels = model.heads[head]
    out: list[list[str]] = [[] for _ in sentences]
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
    with torch.no_grad():
        start, moves = model.chain(head)
        for at in range(0, len(order), 64):
            part = order[at : at + 64]
            batch = stacked([words.sentence([t for t, _ in sentences[i]]) for i in part], words)
            found = viterbi(model.emissions(model.hidden(batch), head), batch["lengths"], start, moves)
            for i, path in zip(part, found):
                out[i] = [labels[t] for t in path]
    return out


def scores(model: Tagger, words: Words, sets: Sets) -> dict[str, float]:
    return {
        name: micro_f1(tags_of(held), tag(model, words, held, HEAD_OF.get(name, name)))[0]
        for name, held in sets.held_out.items()
    }


def train(sets: Sets, settings: Settings, model: Tagger, words: Words, shares: dict[str, float] = SHARES, quiet: bool = False) -> None:
    rng = np.random.default_rng(settings.seed)
    index = {h: {label: i for i, label in enumerate(labels)} for h, labels in model.heads.items()}
    rows = {}
    for name, sentences in sets.train.items():
        of = index[HEAD_OF.get(name, name)]
        rows[name] = [words.sentence([t for t, _ in s[:MAX_LENGTH]], [of[tag] for _, tag in s[:MAX_LENGTH]]) for s in sentences]
    optimiser = torch.optim.AdamW(model.parameters(), lr=settings.rate, betas=(0.9, 0.98), weight_decay=0.01)
    total = settings.epochs
    for epoch in range(total):
        began = time.time()
        plan: list[tuple[str, np.ndarray]] = []
        for name, encoded in rows.items():
            share = shares.get(name, 0)
            picked = np.concatenate([rng.permutation(len(encoded)) for _ in range(int(np.ceil(share)))] or [np.zeros(0, int)])
            picked = picked[: int(len(encoded) * share)]
            lengths = np.array([len(encoded[i][0]) for i in picked])
            plan += [(name, picked[b]) for b in batches(lengths, settings.batch_tokens, rng)] if len(picked) else []
        order = rng.permutation(len(plan))
        model.train()
        lost = tokens = 0.0
        for n, at in enumerate(order):
            name, picked = plan[at]
            done = (epoch + n / len(order)) / total
            batch = stacked([rows[name][i] for i in picked], words, settings.word_drop)
            with torch.autocast("cpu", torch.bfloat16):
                loss = model.loss(batch, HEAD_OF.get(name, name))
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for group in optimiser.param_groups:
                group["lr"] = settings.rate * (min(1.0, done * total * 2) * (1 - done) + 1e-3)
            optimiser.step()
            count = int(batch["lengths"].sum())
            lost, tokens = lost + float(loss.detach()) * count, tokens + count
        if not quiet:
            told = scores(model, words, sets) if epoch % 2 == 1 or epoch + 1 == total else {}
            print(f"epoch {epoch + 1} loss {lost / tokens:.4f} {tokens / (time.time() - began):.0f} tokens/s", {k: round(v, 4) for k, v in told.items()}, flush=True)
