"""The weights of a tagger out of its graphs: int8 weights times their scales, so that training goes on from what was shipped."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from isnad_base import encoder

State = dict[str, torch.Tensor]
Constants = dict[str, np.ndarray]
GRAPHS = ("lower.onnx", "model.onnx", "nested.onnx")
TYPED = 3 * 21
"""Outputs of the nested types in a graph: O, B and I of each. The letters before an entity follow them: none, one, two."""
NESTED = [place for place in range(TYPED) if place % 3] + [TYPED + 1, TYPED + 2]
"""Those that training has: O and none are 0."""


@dataclass(frozen=True)
class Stack:
    """An encoder with outputs over it, `weight` [outputs, WIDTH] and `bias`; from layer `words_from` on it answers for words."""

    state: State
    weight: torch.Tensor
    bias: torch.Tensor
    words_from: int


@dataclass(frozen=True)
class Start:
    """`heads`: the tagger with the outputs of its heads; `nested`: with those for nested entities, if it has them, each B and I, then one and
    two letters; it is another encoder where the tagger has upper layers for either. `settings`: tagger.json; `checksum`: of the last graph."""

    heads: Stack
    nested: Stack | None
    settings: dict
    checksum: str
    graph: bytes

    def mixed(self, share: float) -> State:
        """The mean of both encoders, of which that of the heads has this share. It is one alone where the other is missing, or has no share; and
        that of nested entities where it has other units."""
        if self.nested is None:
            return self.heads.state
        if share == 0 or encoder.inner_of(self.nested.state) != encoder.inner_of(self.heads.state):
            return self.nested.state
        return {k: share * v + (1 - share) * self.nested.state[k] for k, v in self.heads.state.items()}


def read(folder: Path) -> Start:
    """The tagger in `folder`: with heads alone, as isnad_ner writes it; with nested.onnx beside them; or as revisions before were, whose lower.onnx
    stood below both."""
    settings = json.loads((folder / "tagger.json").read_text(encoding="utf8"))
    raw = {name: (folder / name).read_bytes() for name in GRAPHS if (folder / name).exists()}
    if "lower.onnx" in raw:
        lower = raw.pop("lower.onnx")
        raw = {name: above(lower, graph) for name, graph in raw.items()}
    heads = stack(raw["model.onnx"], slice(None))
    nested = stack(raw["nested.onnx"], NESTED) if "nested.onnx" in raw else None
    checksum = hashlib.sha256(raw.get("nested.onnx", raw["model.onnx"])).hexdigest()
    return Start(heads, nested, settings, checksum, raw["model.onnx"])


def above(lower: bytes, upper: bytes) -> bytes:
    """One graph of two, of which the lower's `states` are the upper's."""
    made, rest = onnx.load_from_string(lower), onnx.load_from_string(upper)
    del made.graph.output[:]
    made.graph.output.extend(rest.graph.output)
    made.graph.input.extend(part for part in rest.graph.input if part.name != "states")
    made.graph.node.extend(rest.graph.node)
    there = {part.name for part in made.graph.initializer}
    made.graph.initializer.extend(part for part in rest.graph.initializer if part.name not in there)
    return made.SerializeToString()


def stack(serialised: bytes, outputs: slice | list[int]) -> Stack:
    graph = onnx.load_from_string(serialised).graph
    constants = {c.name: numpy_helper.to_array(c) for c in graph.initializer}
    weight, bias = (torch.from_numpy(constants[f"head.{part}"].T[outputs].copy()) for part in ("weight", "bias"))
    narrowed = [node.output[0] for node in graph.node if node.output[0].endswith(".asked")]
    return Stack(encoder_state(constants), weight, bias, min(int(name.split(".")[1]) for name in narrowed))


def encoder_state(constants: Constants) -> State:
    state: State = {}
    for name, value in constants.items():
        if name == "places":
            state["places.weight"] = torch.from_numpy(value.astype(np.float32))
        elif ".norm" in name or name.startswith("norm."):
            state[name] = torch.from_numpy(value.copy())
        elif name.startswith("layers.") and name.endswith(".weight"):
            matrix = (value.astype(np.float32) * constants[name.replace(".weight", ".scale")]).T
            matrix = matrix * constants.get(name.replace(".weight", ".even"), np.float32(1))
            state[name] = torch.from_numpy(np.ascontiguousarray(matrix))
        elif name.startswith("layers.") and name.endswith(".bias"):
            state[name] = torch.from_numpy(value.copy())
    for number in {name.split(".")[1] for name in state if name.startswith("layers.")}:
        for kind in ("weight", "bias"):
            parts = [state.pop(f"layers.{number}.qkv.{part}.{kind}") for part in "qkv"]
            state[f"layers.{number}.qkv.{kind}"] = torch.cat(parts)
    return state
