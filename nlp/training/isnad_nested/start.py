"""The weights of a tagger out of its graphs: int8 weights times their scales, so that training goes on from what was shipped."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from isnad_base.graph import Ranges

State = dict[str, torch.Tensor]
Constants = dict[str, np.ndarray]


@dataclass(frozen=True)
class Start:
    """`state`: of the encoder; `weight` [outputs, WIDTH] and `bias` of the outputs of its graph; `ranges`: of the inputs of each product;
    `settings`: tagger.json; `checksum`: of the graph. `graphs`: lower.onnx and model.onnx where the tagger has them, and then the outputs are those
    of nested.onnx, as `isnad_nested` writes it, above its `frozen` layers; else those of the heads."""

    state: State
    weight: torch.Tensor
    bias: torch.Tensor
    ranges: Ranges
    settings: dict
    checksum: str
    graphs: dict[str, bytes]
    frozen: int

    @property
    def layers(self) -> int:
        return 1 + max(int(name.split(".")[1]) for name in self.state if name.startswith("layers."))


def read(folder: Path) -> Start:
    """The tagger in `folder`, as `isnad_ner.export` or this package's writes it."""
    nested = (folder / "nested.onnx").exists()
    raw = (folder / ("nested.onnx" if nested else "model.onnx")).read_bytes()
    graphs = {name: (folder / name).read_bytes() for name in ("lower.onnx", "model.onnx")} if nested else {}
    own = constants_of(raw)
    frozen = min(int(name.split(".")[1]) for name in own if name.startswith("layers."))
    constants = constants_of(graphs["lower.onnx"]) | own if nested else own
    weight, bias = (torch.from_numpy(own[f"head.{part}"].copy()) for part in ("weight", "bias"))
    return Start(
        encoder_state(constants), weight.T.contiguous(), bias, ranges_of(constants),
        json.loads((folder / "tagger.json").read_text(encoding="utf8")), hashlib.sha256(raw).hexdigest(), graphs, frozen,
    )  # fmt: skip


def constants_of(serialised: bytes) -> Constants:
    return {c.name: numpy_helper.to_array(c) for c in onnx.load_from_string(serialised).graph.initializer}


def ranges_of(constants: Constants) -> Ranges:
    """Lowest and highest input of each product, from the scale and zero point of its bytes."""
    out = {}
    for name, scale in constants.items():
        if name.endswith(".in_scale"):
            product = name.removesuffix(".in_scale")
            zero = float(constants[f"{product}.in_zero"])
            out[product] = (-zero * float(scale), (255 - zero) * float(scale))
    return out


def encoder_state(constants: Constants) -> State:
    state: State = {}
    for name, value in constants.items():
        if name == "places":
            state["places.weight"] = torch.from_numpy(value.astype(np.float32))
        elif ".norm" in name or name.startswith("norm."):
            state[name] = torch.from_numpy(value.copy())
        elif name.startswith("layers.") and name.endswith(".weight"):
            matrix = (value.astype(np.float32) * constants[name.replace(".weight", ".scale")]).T
            state[name] = torch.from_numpy(np.ascontiguousarray(matrix))
        elif name.startswith("layers.") and name.endswith(".bias"):
            state[name] = torch.from_numpy(value.copy())
    for number in {name.split(".")[1] for name in state if name.startswith("layers.")}:
        for kind in ("weight", "bias"):
            parts = [state.pop(f"layers.{number}.qkv.{part}.{kind}") for part in "qkv"]
            state[f"layers.{number}.qkv.{kind}"] = torch.cat(parts)
    return state
