"""The tagger with its outputs for nested entities as int8 ONNX, with the files that it had and a card that says what was added."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch

from isnad_base.graph import Ranges
from isnad_ner.calibrate import platt
from isnad_ner.chain import Chain
from isnad_ner.export import described
from isnad_ner.reference import reference
from isnad_ner.rows import Window, windows

from . import graphs
from .card import card_of
from .data import TYPES, Sentence
from .decode import decode, probabilities
from .lower import Lower
from .measure import nested_scores, scored
from .model import CUTS, OUTPUTS, WIDE, Upper
from .session import Branch
from .start import Start

FILES = ("lower.onnx", "model.onnx", "nested.onnx", "words.txt", "tagger.json", "reference.json")
CLIP = 1e-5
"""Share of the inputs of a product, at either end, that its 8 bits need not hold."""
APART = 2e-2


def fixed(start: Start, frozen: int) -> dict[str, bytes]:
    """lower.onnx and model.onnx: as they were, or out of the one graph of isnad_ner."""
    if start.graphs:
        return start.graphs
    lower = graphs.lower(start.state, frozen, start.ranges)
    heads = graphs.upper(start.state, frozen, start.weight.numpy(), start.bias.numpy(), start.ranges)
    return {"lower.onnx": lower.SerializeToString(), "model.onnx": heads.SerializeToString()}


def outputs(model: Upper, lean: float) -> tuple[np.ndarray, np.ndarray]:
    """Weight and bias of the graph's outputs; O of each type is 0 and lowered by `lean`, which is the same as B and I raised."""
    weight, bias = (part.detach().numpy() for part in (model.head.weight, model.head.bias))
    wide, flat = np.zeros((WIDE, weight.shape[1]), np.float32), np.zeros(WIDE, np.float32)
    wide[OUTPUTS], flat[OUTPUTS] = weight, bias
    flat[OUTPUTS[:-CUTS]] += lean
    return wide, flat


def calibration(sentences: list[Sentence], scores: list[np.ndarray], lean: float) -> tuple[float, float]:
    """Platt's scale and bias of the probability of a span, on sentences that were not learned from."""
    p, right = [], []
    for sentence, row in zip(sentences, scores, strict=True):
        own = nested_scores(row)
        gold = {(s.start, s.end, s.type) for s in sentence.spans}
        for span in decode(own, lean):
            p.append(probabilities(own, np.full(len(TYPES), lean), span))
            right.append((span.start, span.end, span.type) in gold)
    return platt(np.array(p), np.array(right))


@torch.no_grad()
def ranges(model: Upper, lower: Lower, found: Iterable[Window]) -> Ranges:
    """Of what goes into each product, over these windows: see isnad_base.ranges."""
    seen: dict[str, list[tuple[float, float]]] = {}

    def watch(name: str, values: torch.Tensor) -> None:
        flat = values.float().flatten()
        count = max(1, int(len(flat) * CLIP))
        low, high = flat.kthvalue(count).values, flat.kthvalue(len(flat) - count + 1).values
        seen.setdefault(name, []).append((float(low), float(high)))

    hooks = []
    for number, layer in enumerate(model.eval().layers, model.first):
        name = f"layers.{number}"
        hooks.append(layer.register_forward_pre_hook(lambda _, given, name=name: watch(f"{name}.qkv", given[1])))
        for part in ("out", "up", "down"):
            own = getattr(layer, part)
            hooks.append(own.register_forward_pre_hook(lambda _, given, name=f"{name}.{part}": watch(name, given[0])))
    for window in found:
        scored(model, lower, [window])
    for hook in hooks:
        hook.remove()
    return {name: (min(0.0, *(a for a, _ in rows)), max(0.0, *(b for _, b in rows))) for name, rows in seen.items()}


def with_nested(heads: Branch, nested: Branch, chains: dict[str, Chain], slices: dict[str, slice]) -> str:
    """The reference of isnad_ner, and of each text the nested entities: first word, word after the last, type, letters before it."""
    lines = []
    for row in json.loads(reference(heads, chains, slices)):
        scores = np.concatenate(nested(list(windows([row["tokens"]]))))
        cuts = scores[:, -CUTS - 1 :].argmax(1)
        row["nested"] = [
            [s.start, s.end, s.type, int(cuts[s.start])] for s in decode(nested_scores(scores[:, OUTPUTS]))
        ]
        lines.append(json.dumps(row, ensure_ascii=False))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def export(
    folder: Path, given: Path, start: Start, model: Upper, lower: Lower, files: dict[str, bytes], seen: list[Window], lean: float,
    platt_of: tuple[float, float], told: dict,
) -> None:  # fmt: skip
    """`given`: the folder of the tagger that training started from; `files`: as fixed() makes them; `seen`: windows by which the ranges of
    activations are fitted."""
    state = {
        f"layers.{model.first + i}.{k}": v
        for i, layer in enumerate(model.layers)
        for k, v in layer.state_dict().items()
    }
    weight, bias = outputs(model, lean)
    exact = Branch(lower, graphs.upper(state, model.first, weight, bias, None).SerializeToString())
    nested = graphs.upper(state, model.first, weight, bias, ranges(model, lower, seen)).SerializeToString()
    branch = Branch(exact, nested)
    by_torch = scored(model, lower, seen[:8])
    apart = max(
        float(np.abs(a[:, OUTPUTS][:, -CUTS:] - b[:, -CUTS:]).max())
        for a, b in zip(exact(seen[:8]), by_torch, strict=True)
    )
    assert apart < APART, apart
    settings = {
        "heads": start.settings["heads"],
        "nested": {
            "first": 0, "types": list(TYPES), "scale": round(platt_of[0], 5), "bias": round(platt_of[1], 5),
            "cuts": {"first": 3 * len(TYPES), "count": CUTS + 1},
        },
    }  # fmt: skip
    slices = {h["name"]: slice(h["first"], h["first"] + len(h["labels"])) for h in settings["heads"]}
    chains = {h["name"]: Chain(h["labels"], np.array(h["moves"], np.float32)) for h in settings["heads"]}
    begun = json.loads((given / "model.json").read_text(encoding="utf8"))
    words = (given / "words.txt").read_bytes()
    folder.mkdir(parents=True, exist_ok=True)
    for name, raw in (files | {"nested.onnx": nested, "words.txt": words}).items():
        (folder / name).write_bytes(raw)
    (folder / "tagger.json").write_text(json.dumps(settings) + "\n", encoding="utf8")
    told_of = with_nested(Branch(exact, files["model.onnx"]), branch, chains, slices)
    (folder / "reference.json").write_text(told_of, encoding="utf8")
    listed = {name: described(folder / name) for name in FILES}
    digest = hashlib.sha256("".join(part["sha256"] for part in listed.values()).encode()).hexdigest()
    card = card_of(begun, folder.name, digest[:8], listed, told)
    (folder / "model.json").write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", encoding="utf8")
