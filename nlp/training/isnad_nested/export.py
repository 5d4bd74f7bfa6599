"""The graph of nested entities in int8, checked against PyTorch, beside that of the heads, with word list, settings, reference and card."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from isnad_base import encoder, pieces
from isnad_base.ranges import Steps, evened, input_ranges, narrowed, products_of
from isnad_ner.calibrate import platt
from isnad_ner.chain import Chain
from isnad_ner.export import described
from isnad_ner.graph import graph
from isnad_ner.reference import reference
from isnad_ner.rows import Window, windows
from isnad_ner.session import Session

from .card import card_of
from .data import TYPES, Sentence
from .decode import decode, probabilities
from .lower import Lower
from .measure import nested_scores, scored
from .model import CUTS, KEPT, NESTED, Upper
from .start import Start, State

FILES = ("model.onnx", "nested.onnx", "words.txt", "tagger.json", "reference.json")
WATCHED = 6
"""By every sixth of our own sentences the ranges of activations are fitted."""
FEWER = 8
"""By every eighth of those it is chosen how much of a range is used."""
APART = 5e-2
APART_ROUNDED = 0.5
WEIGHT_BITS = 7
"""A seventh less time than with 8 on processors without VNNI, which widen weights of 8 bits."""
WIDE = 3 * len(TYPES) + CUTS + 1
OUTPUTS = [place for place in range(WIDE - CUTS - 1) if place % 3] + list(range(WIDE - CUTS, WIDE))
"""Where in the graph's outputs those of the model are."""


def outputs(model: Upper, lean: float) -> tuple[np.ndarray, np.ndarray]:
    """Weight and bias of the graph's outputs: for each type O, B and I; how many letters are cut, from none on. O of each type is 0 and lowered by
    `lean`, which is the same as B and I raised. The heads are left out."""
    weight, bias = (part.detach().numpy()[:KEPT] for part in (model.head.weight, model.head.bias))
    wide, flat = np.zeros((WIDE, weight.shape[1]), np.float32), np.zeros(WIDE, np.float32)
    wide[OUTPUTS], flat[OUTPUTS] = weight, bias
    flat[OUTPUTS[:NESTED]] += lean
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


def whole(state: State, model: Upper) -> encoder.Encoder:
    """The encoder of `state` with the layers that were trained."""
    inner = encoder.inner_of(state)
    tower = encoder.Encoder(pieces.rows(), len(inner), 0.0, inner)
    trained = {
        f"layers.{number}.{name}": value
        for number, layer in enumerate(model.layers, model.first)
        for name, value in layer.state_dict().items()
    }
    tower.load_state_dict(state | trained)
    return tower.eval()


def steps_of(tower: encoder.Encoder, found: list[Window], words_from: int, trained: int) -> Steps:
    """The ranges of what goes into each product while the windows are read one by one, as much of them as serves the products best; from the
    layer `trained` on, what comes out of the attention, with two places far beyond all others, is evened."""
    products = products_of(tower)
    evening = {f"layers.{number}.up": layer.up for number, layer in enumerate(tower.layers) if number >= trained}

    def reader(part: list[Window]) -> tuple[Iterator[Tensor], Callable[[Tensor], Tensor]]:
        firsts = iter([torch.tensor(w.firsts) for w in part])
        return (torch.tensor([w.ids]) for w in part), lambda ids: tower.of_words(ids, next(firsts), words_from)

    ranges = narrowed(products, input_ranges(products, *reader(found)), *reader(found[::FEWER]))
    return evened(evening, ranges, *reader(found[::FEWER]), WEIGHT_BITS)


def with_nested(heads: Session, nested: Session, chains: dict[str, Chain], slices: dict[str, slice]) -> str:
    """The reference of isnad_ner, and of each text the nested entities: first word, word after the last, type, letters before it."""
    lines = []
    for row in json.loads(reference(heads, chains, slices)):
        scores = np.concatenate(nested(list(windows([row["tokens"]]))))
        cuts = scores[:, -CUTS - 1 :].argmax(1)
        found = decode(nested_scores(scores[:, OUTPUTS]))
        row["nested"] = [[s.start, s.end, s.type, int(cuts[s.start])] for s in found]
        lines.append(json.dumps(row, ensure_ascii=False))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def export(
    folder: Path, given: Path, start: Start, state: State, model: Upper, lower: Lower, own: list[Sentence], lean: float,
    platt_of: tuple[float, float], said: dict, known: Steps | None = None,
) -> None:  # fmt: skip
    """`given`: the folder of the tagger that training started from; `state`: of its encoder; `own`: sentences by some of which the ranges of
    activations are fitted, if they are not `known`. With those the layers were rounded in training."""
    weight, bias = outputs(model, lean)
    tower, seen = whole(state, model), [w for s in own[::WATCHED] for w in windows([s.words])]
    words_from = model.words_from
    exact = Session(graph(tower, weight, bias, None, words_from=words_from).SerializeToString())
    small = graph(tower, weight, bias, known or steps_of(tower, seen, words_from, model.first), WEIGHT_BITS, words_from)
    made = small.SerializeToString()
    by_torch = scored(model, lower, seen[:8])
    cuts = OUTPUTS[NESTED:]
    by_graph = (Session(made) if known else exact)(seen[:8])
    apart = [float(np.abs(a[:, cuts] - b[:, NESTED:KEPT]).max()) for a, b in zip(by_graph, by_torch, strict=True)]
    assert max(apart) < (APART_ROUNDED if known else APART), apart
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
    for name, raw in {"model.onnx": start.graph, "nested.onnx": made, "words.txt": words}.items():
        (folder / name).write_bytes(raw)
    (folder / "tagger.json").write_text(json.dumps(settings) + "\n", encoding="utf8")
    told = with_nested(Session(start.graph), Session(made), chains, slices)
    (folder / "reference.json").write_text(told, encoding="utf8")
    listed = {name: described(folder / name) for name in FILES}
    listed["nested.onnx"]["weight_bits"] = WEIGHT_BITS
    digest = hashlib.sha256("".join(part["sha256"] for part in listed.values()).encode()).hexdigest()
    card = card_of(begun, folder.name, digest[:8], listed, said)
    (folder / "model.json").write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", encoding="utf8")
