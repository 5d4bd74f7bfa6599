"""The tagger with its outputs for nested entities as int8 ONNX, with the files that it had and a card that says what was added."""

import hashlib
import json
from pathlib import Path

import numpy as np

from isnad_base.graph import Ranges
from isnad_base.ranges import input_ranges, products_of
from isnad_ner.calibrate import platt
from isnad_ner.chain import Chain
from isnad_ner.export import described
from isnad_ner.reference import reference
from isnad_ner.rows import Window, padded, windows

from . import graphs
from .card import card_of
from .data import TYPES, Sentence
from .decode import decode, probabilities
from .measure import nested_scores
from .model import CUTS, NESTED, NestedTagger
from .session import Branch
from .start import Start

FILES = ("lower.onnx", "model.onnx", "nested.onnx", "words.txt", "tagger.json", "reference.json")


def outputs(model: NestedTagger, leans: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weight and bias of the outputs for nested entities: O, B and I of each type (O is 0 and lowered by the type's lean, which is the same
    as B and I raised), then how many letters are cut, from none on (0)."""
    weight, bias = (p.detach().numpy()[model.given :] for p in (model.head.weight, model.head.bias))
    wide = np.zeros((3 * len(TYPES) + CUTS + 1, weight.shape[1]), np.float32)
    flat = np.zeros(len(wide), np.float32)
    for kind in range(len(TYPES)):
        at, own = 3 * kind, 2 * kind
        wide[at + 1 : at + 3], flat[at + 1 : at + 3] = weight[own : own + 2], bias[own : own + 2] + leans[kind]
    wide[-CUTS:], flat[-CUTS:] = weight[NESTED:], bias[NESTED:]
    return wide, flat


def calibration(
    sentences: list[Sentence], scores: list[np.ndarray], first: int, leans: np.ndarray
) -> tuple[float, float]:
    """Platt's scale and bias of the probability of a span, on sentences that were not learned from."""
    p, right = [], []
    for sentence, row in zip(sentences, scores, strict=True):
        own = nested_scores(row, first)
        gold = {(s.start, s.end, s.type) for s in sentence.spans}
        for span in decode(own, leans):
            p.append(probabilities(own, leans, span))
            right.append((span.start, span.end, span.type) in gold)
    return platt(np.array(p), np.array(right))


def settings_of(start: Start, scale: float, bias: float) -> dict:
    nested = {"first": 0, "types": list(TYPES), "scale": round(scale, 5), "bias": round(bias, 5)}
    return {"heads": start.settings["heads"], "nested": nested | {"cuts": {"first": 3 * len(TYPES), "count": CUTS + 1}}}


def ranges(model: NestedTagger, start: Start, found: list[Window], together: int = 16) -> Ranges:
    """See isnad_base.ranges; those of layers that were not trained stay as they were."""
    batches = (padded([w.ids for w in found[at : at + together]]) for at in range(0, len(found), together))
    kept = {name: given for name, given in start.ranges.items() if int(name.split(".")[1]) < model.frozen}
    trained = {name: part for name, part in products_of(model.encoder).items() if name not in kept}
    return kept | (input_ranges(trained, batches, model.eval().encoder) if trained else {})


def with_nested(heads: Branch, nested: Branch, chains: dict[str, Chain], slices: dict[str, slice]) -> str:
    """The reference of isnad_ner, and of each text the nested entities: first word, word after the last, type, letters before it."""
    lines = []
    for row in json.loads(reference(heads, chains, slices)):
        scores = np.concatenate(nested(list(windows([row["tokens"]]))))
        own = scores[:, : 3 * len(TYPES)].reshape(len(scores), len(TYPES), 3)[:, :, 1:]
        cuts = scores[:, -CUTS - 1 :].argmax(1)
        row["nested"] = [[s.start, s.end, s.type, int(cuts[s.start])] for s in decode(own)]
        lines.append(json.dumps(row, ensure_ascii=False))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def export(
    folder: Path, given: Path, start: Start, model: NestedTagger, leans: np.ndarray, platt_of: tuple[float, float], own: list[Sentence],
    told: dict,
) -> None:  # fmt: skip
    """`given`: the folder of the tagger that training started from."""
    shared = model.frozen
    seen = [w for s in own[::6] for w in windows([s.words])]
    past = NestedTagger(start, 0.0)
    parts = {
        "lower": graphs.lower(past.encoder, shared, start.ranges),
        "model": graphs.upper(past.encoder, shared, start.weight.numpy(), start.bias.numpy(), start.ranges),
        "nested": graphs.upper(model.encoder, shared, *outputs(model, leans), ranges(model, start, seen)),
    }
    raw = {name: graph.SerializeToString() for name, graph in parts.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, serialised in raw.items():
        (folder / f"{name}.onnx").write_bytes(serialised)
    (folder / "words.txt").write_bytes((given / "words.txt").read_bytes())
    settings = settings_of(start, *platt_of)
    (folder / "tagger.json").write_text(json.dumps(settings) + "\n", encoding="utf8")
    slices = {h["name"]: slice(h["first"], h["first"] + len(h["labels"])) for h in settings["heads"]}
    chains = {h["name"]: Chain(h["labels"], np.array(h["moves"], np.float32)) for h in settings["heads"]}
    branches = (Branch(raw["lower"], raw[name]) for name in ("model", "nested"))
    (folder / "reference.json").write_text(with_nested(*branches, chains, slices), encoding="utf8")
    files = {name: described(folder / name) for name in FILES}
    digest = hashlib.sha256("".join(part["sha256"] for part in files.values()).encode()).hexdigest()
    card = card_of(json.loads((given / "model.json").read_text(encoding="utf8")), folder.name, digest[:8], files, told)
    (folder / "model.json").write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", encoding="utf8")
