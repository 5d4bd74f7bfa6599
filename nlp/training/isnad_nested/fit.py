"""Trains upper layers with all outputs at once, on what is labelled and on what another tagger says (distillation; Hinton, Vinyals and Dean,
2015)."""

import copy
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from isnad_ner.rows import NONE

from .examples import Example, Taught, together
from .lower import Lower
from .model import KEPT, NESTED, Upper, cut_logits, nested_logits

HALF = 0.5
"""Weight of the labels of a head where nested entities are known as well; of what is taught about a head and the letters."""

BELOW = 0.25
"""Weight of what is taught about the states of a layer that is not the last."""


@dataclass(frozen=True)
class Settings:
    """`mean`: share of the weights' running mean that stays at each step; `head_rate`: by how much the outputs learn faster; `warm_up`: steps;
    `flat`: weight of the labels of a head where nested entities are not known; `seconds`: after how many the rate has fallen to nothing, if that is
    before the last step; `round_from`: after what share of the time the weights are rounded as those of the graph are."""

    rate: float = 1.5e-4
    head_rate: float = 4.0
    drop: float = 0.1
    mean: float = 0.993
    warm_up: int = 60
    flat: float = 0.5
    seconds: int = 100_000
    round_from: float = 0.5


def divergence(logits: Tensor, taught: Tensor) -> Tensor:
    """Kullback-Leibler divergence of log-probabilities `taught` from those of the logits, summed."""
    return functional.kl_div(functional.log_softmax(logits, -1), taught.float(), reduction="sum", log_target=True)


def loss_of(model: Upper, batch: list[Example], flat: float = HALF) -> Tensor:
    """Summed over all that is known of a word; of a word on average."""
    states = model.words(*together(batch))
    outputs = model.outputs(states[-1])
    alike: dict[tuple, list[tuple[Example, range]]] = defaultdict(list)
    at = 0
    for example in batch:
        rows = range(at, at + len(example.firsts))
        at = rows.stop
        alike[kind_of(example)].append((example, rows))
    losses = []
    for found in alike.values():
        one = joined([example for example, _ in found])
        rows = torch.tensor([row for _, own in found for row in own])
        losses += [*labelled(outputs[rows], one, flat), *taught(outputs[rows], one)]
        if one.taught and one.taught.states is not None:
            shares = [apart(own[rows], said) for own, said in zip(states, one.taught.states, strict=True)]
            losses.append(shares[-1] + BELOW * torch.stack(shares[:-1]).sum())
    return torch.stack(losses).sum() / len(outputs)


def kind_of(example: Example) -> tuple:
    """The same for examples of which the same is known."""
    said = example.taught
    named, told = example.head, said.head if said else None
    there = () if said is None else tuple(part is None for part in (said.flat, said.nested, said.states))
    return bool(example.nested[0, 0] != NONE), named and named.start, told and told.start, there


def joined(examples: list[Example]) -> Example:
    """What is known of all their words, as of one window."""
    parts = [example.taught for example in examples if example.taught]

    def all_of(name: str) -> Tensor | None:
        found = [getattr(part, name) for part in parts]
        return torch.cat(found) if found and found[0] is not None else None

    nested, cuts, flat = (torch.cat([getattr(e, name) for e in examples]) for name in ("nested", "cuts", "flat"))
    one = Example([], [], nested, cuts, flat, examples[0].head)
    if parts:
        one.taught = Taught(parts[0].head, all_of("flat"), all_of("nested"), all_of("cuts"), all_of("begins"))
        if parts[0].states is not None:
            each = [part.states for part in parts if part.states is not None]
            one.taught.states = [torch.cat(layer) for layer in zip(*each, strict=True)]
    return one


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


def each_rounded(model: Upper, mean: Upper) -> None:
    model.round()
    mean.round()


def fit(
    model: Upper, lower: Lower, plans: Sequence[list[list[Example]]], settings: Settings, keep: Callable[[Upper], None],
    rounding: Callable[[Upper, Upper], None] = each_rounded,
) -> Upper:  # fmt: skip
    """Trains by each plan, a list of batches, in turn; the running mean of the weights is given to `keep` after each, and returned. `rounding` of the
    model and that mean begins when the settings say so, and begins anew with each plan after that."""
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
        total, begun = 0.0, False
        for batch in plan:
            done = max(step / steps, (time.monotonic() - began) / settings.seconds)
            if done >= 1:
                keep(mean)
                return mean
            if done >= settings.round_from and not begun:
                begun = True
                rounding(model, mean)
                model.train()
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
