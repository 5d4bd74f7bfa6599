"""Fine-tuning of a classifier, on labels alone or also on a teacher's logits."""

import logging
import math
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from .batches import in_order, padded, shuffled
from .encoder import LANGUAGES, Classifier

log = logging.getLogger("isnad_check")


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
    teacher_share: float = 0.0
    seed: int = 7


@dataclass
class Part:
    """Rows of one language; `soft` are a teacher's probabilities where there is one."""

    lang: str
    rows: list[list[int]]
    labels: np.ndarray
    soft: np.ndarray | None = None
    weight: float = 1.0


def optimiser(model: Classifier, settings: Settings) -> torch.optim.AdamW:
    groups: dict[tuple[float, float], list] = {}
    for name, value in model.named_parameters():
        factor = settings.head_rate if name.startswith("head") else settings.embedding_rate if "words" in name else 1.0
        decay = 0.0 if value.ndim == 1 else settings.decay
        groups.setdefault((factor, decay), []).append(value)
    return torch.optim.AdamW(
        [
            {"params": found, "lr": settings.rate * factor, "weight_decay": decay}
            for (factor, decay), found in groups.items()
        ],
        fused=True,
    )


def targets(part: Part, settings: Settings) -> torch.Tensor:
    hard = part.labels * (1 - settings.smoothing) + settings.smoothing / 2
    if part.soft is None:
        return torch.tensor(hard, dtype=torch.float32)
    return torch.tensor((1 - settings.teacher_share) * hard + settings.teacher_share * part.soft, dtype=torch.float32)


def finetune(model: Classifier, parts: list[Part], settings: Settings, each_epoch=None) -> Classifier:
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    rows = [row for part in parts for row in part.rows]
    wanted = torch.cat([targets(part, settings) for part in parts])
    column = torch.cat([torch.full((len(part.rows),), LANGUAGES.index(part.lang)) for part in parts])
    weight = torch.cat([torch.full((len(part.rows),), part.weight) for part in parts])
    steps = settings.epochs * math.ceil(len(rows) / settings.size)
    optim = optimiser(model, settings)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optim,
        lambda step: min(
            (step + 1) / (settings.warm * steps), max(0.0, (steps - step) / (steps * (1 - settings.warm)))
        ),
    )
    for epoch in range(settings.epochs):
        model.train()
        total = 0.0
        for chosen in shuffled(rows, settings.size, rng):
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(padded([rows[i] for i in chosen]))
            picked = torch.from_numpy(chosen)
            logit = logits.float().gather(1, column[picked, None]).squeeze(1)
            losses = functional.binary_cross_entropy_with_logits(logit, wanted[picked], reduction="none")
            loss = (losses * weight[picked]).mean()
            optim.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optim.step()
            schedule.step()
            total += loss.item() * len(chosen)
        log.info("epoch %d: loss %.4f", epoch + 1, total / len(rows))
        if each_epoch:
            each_epoch(model)
    return model


@torch.no_grad()
def logits(model: Classifier, rows: list[list[int]], lang: str, size: int = 64) -> np.ndarray:
    """The logit of each row in the column of its language, in order, in float32."""
    model.eval()
    out = np.zeros(len(rows))
    for chosen in in_order(rows, size):
        out[chosen] = model(padded([rows[i] for i in chosen]))[:, LANGUAGES.index(lang)].numpy()
    return out
