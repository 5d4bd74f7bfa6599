"""The contextual layers learn which texts the teacher finds alike, from news and from candidate lists; they read stretches, the teacher whole passages."""

import time
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from isnad_base import encoder
from isnad_base.processor import BFLOAT16
from isnad_base.teacher import padded, read

from .matching import STRETCH
from .reader import Reader, sequence
from .words import QUERY_PIECES

SHARP = 0.02
"""The temperature that the teacher was trained with is 0.01; twice that also tells near candidates apart."""
Text = tuple[list[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Settings:
    """Defaults are those of the shipped model."""

    steps: int = 1500
    rate: float = 3e-4
    articles: int = 48
    lists: int = 6
    share: float = 0.4
    hard: float = 0.2
    seed: int = 1


@dataclass
class Example:
    """A list: the query's pieces, passages with where their stretch starts, the teacher's vectors of the query and of whole passages, what is relevant."""

    query: np.ndarray
    passages: list[tuple[np.ndarray, int]]
    query_told: np.ndarray
    told: np.ndarray
    relevant: np.ndarray


def fitted_head(
    reader: Reader, news: dict[str, Text], mean: np.ndarray, rng: np.random.Generator, count: int = 3000
) -> None:
    """Sets the head to the ridge regression of the teacher's vectors, less their mean, on the mean states of the untrained layers."""
    (titles, told), (passages, told_passages) = news["titles"], news["passages"]
    chosen = rng.choice(len(titles), min(count, len(titles)), replace=False)
    rows = [*(sequence(titles[i], 0, 46) for i in chosen), *(sequence(passages[i], 0, STRETCH) for i in chosen)]
    aim = np.concatenate([told[chosen], told_passages[chosen]]) - mean
    aim /= np.linalg.norm(aim, axis=1, keepdims=True)

    def states(ids: Tensor) -> Tensor:
        return encoder.pooled(reader.encoder(ids).float(), ids)

    seen = read(states, rows)
    middle = seen.mean(0)
    centred = seen - middle
    weights = np.linalg.solve(centred.T @ centred + 10 * np.eye(centred.shape[1]), centred.T @ aim).astype(np.float32)
    reader.head.weight.data = torch.from_numpy(weights.T.copy())
    reader.head.bias.data = torch.from_numpy(-middle @ weights)


def unlike(student: Tensor, told: Tensor) -> Tensor:
    return (1 - (student * told).sum(1)).mean()


def divergence(student: Tensor, told: Tensor) -> Tensor:
    """Of the distribution over the last axis, both given as logits [rows, columns]."""
    return functional.kl_div(student.log_softmax(-1), told.log_softmax(-1), log_target=True, reduction="batchmean")


def distil(news: dict[str, Text], lists: list[Example], settings: Settings) -> Reader:
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    mean = news["passages"][1].mean(0)
    told = {kind: torch.from_numpy(v) for kind, (_, v) in news.items()}
    centred = {kind: functional.normalize(v - torch.from_numpy(mean), dim=1) for kind, v in told.items()}
    reader = Reader()
    fitted_head(reader, news, mean, rng)
    scale = torch.nn.Parameter(torch.tensor(3.0))
    groups = [
        {"params": list(reader.parameters()), "lr": settings.rate},
        {"params": [scale], "lr": 1e-2, "weight_decay": 0},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98))
    began = time.time()

    def of_news() -> Tensor:
        """Titles and sentences to passages, of articles of which four each are near each other."""
        vectors = news["passages"][1]
        chosen: list[int] = []
        for seed in rng.choice(len(vectors), settings.articles // 4, replace=False):
            chosen += [seed, *rng.choice(np.argpartition(-(vectors @ vectors[seed]), 12)[:12], 3, replace=False)]
        rows = np.unique(chosen)
        parts = [news["passages"][0][i] for i in rows]
        found = {
            "titles": reader(padded([sequence(news["titles"][0][i], 0, STRETCH) for i in rows])),
            "sentences": reader(padded([sequence(news["sentences"][0][i], 0, 48) for i in rows])),
            "passages": reader(
                padded([sequence(p, int(rng.integers(0, max(1, len(p) - STRETCH + 1))), STRETCH) for p in parts])
            ),
        }
        loss = sum((unlike(v, centred[kind][rows]) for kind, v in found.items()), torch.zeros(())) * 2 / 3
        for kind in ("titles", "sentences"):
            aim = told[kind][rows] @ told["passages"][rows].T / SHARP
            loss = loss + divergence(found[kind] @ found["passages"].T * scale.exp(), aim) / 2
        return loss

    def of_lists() -> Tensor:
        some = [lists[i] for i in rng.choice(len(lists), settings.lists, replace=False)]
        queries = reader(padded([sequence(e.query, 0, QUERY_PIECES) for e in some]))
        stretches = reader(padded([sequence(p, at, STRETCH) for e in some for p, at in e.passages]))
        aims = [
            torch.from_numpy(np.stack([e.query_told for e in some])),
            torch.from_numpy(np.concatenate([e.told for e in some])),
        ]
        parts = zip((queries, stretches), aims, strict=True)
        loss = sum(
            (unlike(found, functional.normalize(aim - torch.from_numpy(mean), dim=1)) for found, aim in parts),
            torch.zeros(()),
        )
        at = 0
        for query, e in zip(queries, some, strict=True):
            logits = (stretches[at : at + len(e.passages)] @ query * scale.exp()).unsqueeze(0)
            at += len(e.passages)
            loss = loss + divergence(logits, torch.from_numpy(e.told @ e.query_told / SHARP).unsqueeze(0)) / len(some)
            relevant = torch.from_numpy(e.relevant.astype(np.float32))
            if relevant.sum() > 0:
                loss = loss - settings.hard * (logits.log_softmax(1)[0] * relevant).sum() / relevant.sum() / len(some)
        return loss

    for step in range(settings.steps):
        share = min(1, (step + 1) / 20) * max(0.02, 1 - step / settings.steps)
        for group, rate in zip(optimiser.param_groups, (settings.rate, 1e-2), strict=True):
            group["lr"] = rate * share
        with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
            loss = of_news() if rng.random() >= settings.share else of_lists()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimiser.step()
        if step % 50 == 49:
            print(
                f"{step + 1} loss {loss.item():.3f} scale {scale.exp().item():.1f} {time.time() - began:.0f} s",
                flush=True,
            )
    return reader.eval()
