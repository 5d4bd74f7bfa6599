"""Trains upper layers with all outputs at once, on what is labelled and on what another tagger says (distillation; Hinton, Vinyals and Dean,
2015)."""

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from isnad_ner.rows import NONE

from .examples import Example, together
from .lower import Lower
from .model import KEPT, NESTED, Upper, cut_logits, nested_logits

HALF = 0.5
"""Weight of the labels of a head where nested entities are known as well; of what is taught about a head and the letters."""


@dataclass(frozen=True)
class Settings:
    """`mean`: share of the weights' running mean that stays at each step; `head_rate`: by how much the outputs learn faster; `warm_up`: steps;
    `flat`: weight of the labels of a head where nested entities are not known; `seconds`: after how many the rate has fallen to nothing, if that is
    before the last step."""

    rate: float = 1.5e-4
    head_rate: float = 4.0
    drop: float = 0.1
    mean: float = 0.993
    warm_up: int = 60
    flat: float = 0.5
    seconds: int = 100_000


def divergence(logits: Tensor, taught: Tensor) -> Tensor:
    """Kullback-Leibler divergence of log-probabilities `taught` from those of the logits, summed."""
    return functional.kl_div(functional.log_softmax(logits, -1), taught.float(), reduction="sum", log_target=True)


def loss_of(model: Upper, batch: list[Example], flat: float = HALF) -> Tensor:
    """Summed over all that is known of a word; of a word on average."""
    states = model.words(*together(batch))
    outputs = model.outputs(states)
    losses, at = [], 0
    for example in batch:
        part = slice(at, at + len(example.firsts))
        at = part.stop
        losses += [*labelled(outputs[part], example, flat), *taught(outputs[part], example)]
        if example.taught and example.taught.states is not None:
            losses.append(apart(states[part], example.taught.states))
    return torch.stack(losses).sum() / len(outputs)


def labelled(own: Tensor, example: Example, weight: float) -> list[Tensor]:
    losses = []
    nested = bool(example.nested[0, 0] != NONE)
    if nested:
        logits = nested_logits(own[:, :NESTED]).reshape(-1, 3)
        losses.append(functional.cross_entropy(logits, example.nested.reshape(-1), reduction="sum"))
    known = example.cuts != NONE
    if known.any():
        logits = cut_logits(own[known, NESTED:KEPT])
        losses.append(functional.cross_entropy(logits, example.cuts[known], reduction="sum"))
    if example.head is not None and (example.flat != NONE).any():
        scores = functional.log_softmax(own[:, example.head], -1)
        flat = functional.nll_loss(scores, example.flat, ignore_index=NONE, reduction="sum")
        losses.append((HALF if nested else weight) * flat)
    return losses


def taught(own: Tensor, example: Example) -> list[Tensor]:
    said = example.taught
    if said is None:
        return []
    losses = [] if said.head is None else [HALF * divergence(own[:, said.head], said.flat)]
    if said.nested is not None and said.cuts is not None and said.begins is not None:
        losses.append(divergence(nested_logits(own[:, :NESTED]), said.nested))
        if said.begins.any():
            losses.append(HALF * divergence(cut_logits(own[said.begins, NESTED:KEPT]), said.cuts[said.begins]))
    return losses


def apart(states: Tensor, taught: Tensor) -> Tensor:
    """The squared distance, as a share of the variance of what was taught, summed."""
    taught = taught.float()
    return functional.mse_loss(states, taught) / taught.var() * len(taught)


def fit(
    model: Upper, lower: Lower, plans: Sequence[list[list[Example]]], settings: Settings, keep: Callable[[Upper], None]
) -> Upper:
    """Trains by each plan, a list of batches, in turn; the running mean of the weights is given to `keep` after each, and returned."""
    steps, began, step = sum(map(len, plans)), time.monotonic(), 0
    rates = (settings.rate, settings.rate * settings.head_rate)
    parts = (model.layers, model.head)
    optimiser = torch.optim.AdamW(
        [{"params": list(part.parameters()), "lr": rate} for part, rate in zip(parts, rates, strict=True)],
        weight_decay=0.01,
        fused=True,
    )
    mean = copy.deepcopy(model).eval()
    for number, plan in enumerate(plans, 1):
        model.train()
        total = 0.0
        for batch in plan:
            done = max(step / steps, (time.monotonic() - began) / settings.seconds)
            if done >= 1:
                keep(mean)
                return mean
            share = min((step + 1) / settings.warm_up, max(0.02, 1 - done), 1.0)
            for group, rate in zip(optimiser.param_groups, rates, strict=True):
                group["lr"] = rate * share
            lower.read(batch)
            loss = loss_of(model, batch, settings.flat)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            optimiser.zero_grad()
            for example in batch:
                example.states = None
            total, step = total + loss.item(), step + 1
            stays = min(settings.mean, step / (step + 10))
            with torch.no_grad():
                for average, value in zip(mean.parameters(), model.parameters(), strict=True):
                    average.lerp_(value, 1 - stays)
        said = f"{number}/{len(plans)}: step {step}/{steps}, loss {total / len(plan):.4f}"
        print(f"{said}, {time.monotonic() - began:.0f} s", flush=True)
        keep(mean)
    return mean
