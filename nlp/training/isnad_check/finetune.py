"""Fine-tuning of a classifier on labels, and on debates whose marked sentences shall stand above the others."""

import logging
import math
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from isnad_base.graph import Ranges
from isnad_base.processor import BFLOAT16

from .batches import in_order, padded, shuffled
from .encoder import LANGUAGES, Classifier
from .rounded import as_graph

log = logging.getLogger("isnad_check")
Model = TypeVar("Model", bound=nn.Module)
STEADY_AFTER = 20
"""Steps in which the rate rises where a mean of the weights is kept; it does not fall then."""
KEPT_EVERY = 20


@dataclass(frozen=True)
class Settings:
    epochs: int = 3
    size: int = 64
    rate: float = 5e-5
    embedding_rate: float = 1.0
    head_rate: float = 5.0
    warm: float = 0.1
    decay: float = 0.01
    smoothing: float = 0.0
    contest_share: float = 0.3
    contest_rows: tuple[int, int] = (4, 12)
    average: float = 0.0
    until: int | None = None
    seed: int = 7


@dataclass
class Part:
    """Rows, and the languages whose outputs learn their labels, which may be shares; `each` of them an epoch, drawn anew, or all."""

    langs: tuple[str, ...]
    rows: list[list[int]]
    labels: np.ndarray
    each: int | None = None


@dataclass
class Contest:
    """The sentences of a debate: those of label 1 shall score above the others in the output of `lang`."""

    lang: str
    rows: list[list[int]]
    labels: np.ndarray


def optimiser(model: nn.Module, settings: Settings) -> torch.optim.AdamW:
    groups: dict[tuple[float, float], list] = {}
    for name, value in model.named_parameters():
        if not value.requires_grad:
            continue
        factor = settings.head_rate if "head." in name else settings.embedding_rate if "words" in name else 1.0
        decay = 0.0 if value.ndim == 1 else settings.decay
        groups.setdefault((factor, decay), []).append(value)
    return torch.optim.AdamW(
        [
            {"params": found, "lr": settings.rate * factor, "weight_decay": decay}
            for (factor, decay), found in groups.items()
        ],
        fused=True,
    )


def drawn(parts: list[Part], smoothing: float, rng: np.random.Generator) -> tuple[list[list[int]], torch.Tensor]:
    """Rows of an epoch and their targets [rows, languages]; NaN where an output learns nothing."""
    rows: list[list[int]] = []
    targets = []
    for part in parts:
        chosen = np.arange(len(part.rows))
        if part.each is not None and part.each < len(chosen):
            chosen = rng.choice(chosen, part.each, replace=False)
        rows += [part.rows[i] for i in chosen]
        target = np.full((len(chosen), len(LANGUAGES)), np.nan, np.float32)
        for lang in part.langs:
            target[:, LANGUAGES.index(lang)] = part.labels[chosen] * (1 - smoothing) + smoothing / 2
        targets.append(torch.from_numpy(target))
    return rows, torch.cat(targets)


def contested(contests: list[Contest], size: tuple[int, int], rng: np.random.Generator) -> tuple[Contest, np.ndarray]:
    """A debate, and sentences of it: size[0] of label 1 first, then size[1] others."""
    contest = contests[rng.integers(len(contests))]
    sides = [
        rng.choice(np.flatnonzero(contest.labels == label), count) for label, count in zip((1, 0), size, strict=True)
    ]
    return contest, np.concatenate(sides)


def finetune(
    model: Model,
    parts: list[Part],
    settings: Settings,
    contests: list[Contest] | None = None,
    ranges: Ranges | None = None,
    kept_in: Path | None = None,
) -> Model:
    """Trains `model`, ids -> logits [batch, languages]; with `ranges`, rounded as the graph will be. With `settings.average` the weights are their running mean, of which every
    twentieth step is kept in `kept_in`."""
    with nullcontext(model) if ranges is None else as_graph(model, ranges):
        mean = {name: value.detach().clone() for name, value in model.named_parameters()}
        for step in steps(model, parts, settings, contests or []):
            share = min(settings.average, step / (step + 10))
            with torch.no_grad():
                for name, value in model.named_parameters():
                    mean[name].lerp_(value, 1 - share)
            if kept_in is not None and step % KEPT_EVERY == 0:
                torch.save({plain(name): value for name, value in mean.items()}, kept_in)
        model.load_state_dict(mean, strict=False)
    return model


def plain(name: str) -> str:
    """The name of a weight outside of `as_graph`."""
    return name.replace("parametrizations.weight.original", "weight")


def steps(model: nn.Module, parts: list[Part], settings: Settings, contests: list[Contest]) -> Iterator[int]:
    """Trains, and tells each step's number when it is done."""
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    contests = [contest for contest in contests if contest.labels.any()]
    rows, wanted = drawn(parts, settings.smoothing, rng)
    count = settings.epochs * math.ceil(len(rows) / settings.size)
    optim = optimiser(model, settings)

    def falling(step: int) -> float:
        return min((step + 1) / (settings.warm * count), max(0.0, (count - step) / (count * (1 - settings.warm))))

    def steady(step: int) -> float:
        return min(1.0, (step + 1) / STEADY_AFTER)

    schedule = torch.optim.lr_scheduler.LambdaLR(optim, falling if settings.average == 0 else steady)
    done = 0
    for epoch in range(settings.epochs):
        model.train()
        if epoch > 0:
            rows, wanted = drawn(parts, settings.smoothing, rng)
        total = 0.0
        for chosen in shuffled(rows, settings.size, rng):
            with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
                logits = model(padded([rows[i] for i in chosen]))
            target = wanted[torch.from_numpy(chosen)]
            known = ~target.isnan()
            losses = functional.binary_cross_entropy_with_logits(logits.float()[known], target[known], reduction="none")
            loss = losses.sum() / len(chosen)
            total += loss.item() * len(chosen)
            if contests:
                contest, sentences = contested(contests, settings.contest_rows, rng)
                with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
                    scores = model(padded([contest.rows[i] for i in sentences])).float()
                scores = scores[:, LANGUAGES.index(contest.lang)]
                above, below = scores[: settings.contest_rows[0]], scores[settings.contest_rows[0] :]
                loss = loss + settings.contest_share * functional.softplus(below[None] - above[:, None]).mean()
            optim.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optim.step()
            schedule.step()
            done += 1
            if done % 20 == 0:
                log.info("epoch %d, step %d of %d: loss %.4f", epoch + 1, done, count, loss.item())
            yield done
            if done == settings.until:
                return
        log.info("epoch %d: loss %.4f", epoch + 1, total / len(rows))


@torch.no_grad()
def logits(model: Classifier, rows: list[list[int]], lang: str, size: int = 64) -> np.ndarray:
    """The logit of each row in the column of its language, in order, in float32."""
    model.eval()
    out = np.zeros(len(rows))
    for chosen in in_order(rows, size):
        out[chosen] = model(padded([rows[i] for i in chosen]))[:, LANGUAGES.index(lang)].numpy()
    return out
