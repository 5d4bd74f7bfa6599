"""Goes on from a shipped tagger: nested labels are learned, and what its heads say of the sets that they learned from stays as it is
(distillation; Hinton, Vinyals and Dean, 2015, here of the model's own past, as Li and Hoiem, 2016)."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch.nn import functional

from isnad_ner.data import Sentence as Tagged
from isnad_ner.rows import NONE, windows

from . import examples
from .data import Sentence
from .model import NESTED, NestedTagger, cut_logits, nested_logits, nested_loss
from .start import Start


@dataclass(frozen=True)
class Settings:
    """`frozen`: lower layers that stay as they are, so that their states are computed once; `copies`: of our sentences with other names, each
    for every `copies`-th epoch; `rehearse`: share of the heads' own sentences that an epoch repeats; `gold`: weight of their labels beside
    what the model said before."""

    epochs: int = 14
    rate: float = 3e-4
    head_rate: float = 2e-3
    frozen: int = 3
    cells: int = 640
    drop: float = 0.1
    copies: int = 5
    swap: float = 0.25
    join: float = 0.08
    hide: float = 0.05
    rehearse: float = 0.1
    gold: float = 0.3
    warm_up: float = 0.05
    seed: int = 7


@dataclass
class Rehearsal:
    """A window of the sentences of a head: numbers of its labels, and log-probabilities [words, labels] of the model before."""

    ids: list[int]
    firsts: list[int]
    labels: list[int]
    head: slice
    states: torch.Tensor | None = None
    before: torch.Tensor | None = None


def rehearsals(
    sets: dict[str, list[Tagged]], heads: dict[str, tuple[slice, list[str]]], rng: random.Random, share: float
) -> list[Rehearsal]:
    out = []
    for name, sentences in sets.items():
        own, labels = heads[name]
        numbers = {label: i for i, label in enumerate(labels)}
        found = list(windows([[word for word, _ in s] for s in sentences], rng.choice((64, 128))))
        for w in rng.sample(found, min(len(found), int(len(found) * share))):
            out.append(Rehearsal(w.ids, w.firsts, [numbers.get(sentences[s][i][1], 0) for s, i in w.words], own))
    return out


@torch.no_grad()
def remember(past: NestedTagger, rows: list[Rehearsal], cells: int = 2048) -> None:
    examples.with_states(past, rows, cells)
    for batch in examples.batches(rows, cells, random.Random(0)):
        found = past.head(past.upper(*examples.states_of(batch)))
        for row, e in zip(found, batch, strict=True):
            e.before = functional.log_softmax(row[e.firsts, e.head], -1)


def rehearsed_loss(model: NestedTagger, batch: list[Rehearsal], gold: float) -> torch.Tensor:
    now = model.outputs(model.upper(*examples.states_of(batch)))
    losses, count = [], 0
    for row, e in zip(now, batch, strict=True):
        own = functional.log_softmax(row[e.firsts, e.head], -1)
        kept = functional.kl_div(own, e.before, reduction="sum", log_target=True)
        losses.append((1 - gold) * kept + gold * functional.nll_loss(own, torch.tensor(e.labels), reduction="sum"))
        count += len(e.firsts)
    return torch.stack(losses).sum() / count


def own_loss(model: NestedTagger, batch: list[examples.Example]) -> torch.Tensor:
    states, present = examples.states_of(batch)
    firsts, labels, cuts = examples.together(batch, states.shape[1])
    outputs = model.outputs(model.upper(states, present).flatten(0, 1)[firsts])
    first = model.given
    loss = nested_loss(nested_logits(outputs[:, first : first + NESTED]), labels)
    known = cuts != NONE
    if known.any():
        cut = functional.cross_entropy(cut_logits(outputs[known, first + NESTED :]), cuts[known])
        loss = loss + cut * known.float().mean()
    return loss


def fit(
    start: Start, sentences: list[Sentence], sets: dict[str, list[Tagged]], heads: dict[str, tuple[slice, list[str]]], settings: Settings,
    keep: Callable[[NestedTagger, int], None],
) -> NestedTagger:  # fmt: skip
    """`keep` gets the model after each epoch."""
    torch.manual_seed(settings.seed)
    rng = random.Random(settings.seed)
    model = NestedTagger(start, settings.drop, settings.frozen)
    past = NestedTagger(start, 0.0, settings.frozen).eval()
    augmenter = examples.Augmenter(sentences, examples.Settings(settings.swap, settings.join, settings.hide), rng)
    copies = [examples.epoch(sentences, augmenter) for _ in range(settings.copies)]
    shares = [rehearsals(sets, heads, rng, settings.rehearse) for _ in range(settings.copies)]
    began = time.monotonic()
    for own, others in zip(copies, shares, strict=True):
        examples.with_states(past, own)
        remember(past, others)
    print(f"states after {time.monotonic() - began:.0f} s", flush=True)
    epochs = []
    for number in range(settings.epochs):
        plan = examples.batches(copies[number % settings.copies], settings.cells, rng)
        plan += examples.batches(shares[number % settings.copies], settings.cells, rng)
        rng.shuffle(plan)
        epochs.append(plan)
    steps = sum(map(len, epochs))
    optimiser = torch.optim.AdamW(
        [
            {"params": [p for p in model.encoder.parameters() if p.requires_grad], "lr": settings.rate},
            {"params": list(model.head.parameters()), "lr": settings.head_rate},
        ],
        weight_decay=0.01,
        fused=True,
    )
    warm = settings.warm_up * steps
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda t: min((t + 1) / warm, max(0.02, 1 - t / steps), 1.0)
    )
    step = 0
    for number, plan in enumerate(epochs, 1):
        model.train()
        sums = {"own": [0.0, 0], "heads": [0.0, 0]}
        for batch in plan:
            rehearsing = isinstance(batch[0], Rehearsal)
            loss = rehearsed_loss(model, batch, settings.gold) if rehearsing else own_loss(model, batch)
            loss.backward()
            torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], 1.0)
            optimiser.step()
            schedule.step()
            optimiser.zero_grad()
            part = sums["heads" if rehearsing else "own"]
            part[0], part[1], step = part[0] + loss.item(), part[1] + 1, step + 1
        told = ", ".join(f"{name} {total / max(1, count):.4f}" for name, (total, count) in sums.items())
        print(f"epoch {number}: step {step}/{steps}, loss {told}, {time.monotonic() - began:.0f} s", flush=True)
        keep(model, number)
    return model.eval()
