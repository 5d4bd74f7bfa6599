"""The weights of a tagger out of its graph: int8 weights times their scales, so that training goes on from what was shipped."""

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


@dataclass(frozen=True)
class Start:
    """`state`: of the encoder; `weight` [outputs, WIDTH] and `bias` of the outputs; `settings`: tagger.json; `checksum`: of model.onnx;
    `ranges`: of the inputs of each product."""

    state: State
    weight: torch.Tensor
    bias: torch.Tensor
    settings: dict
    checksum: str
    ranges: Ranges

    @property
    def layers(self) -> int:
        return 1 + max(int(name.split(".")[1]) for name in self.state if name.startswith("layers."))


def read(folder: Path) -> Start:
    """The tagger in `folder`, as `isnad_ner.export` writes it."""
    raw = (folder / "model.onnx").read_bytes()
    constants = {c.name: numpy_helper.to_array(c) for c in onnx.load_from_string(raw).graph.initializer}
    state = encoder_state(constants)
    settings = json.loads((folder / "tagger.json").read_text(encoding="utf8"))
    weight, bias = (torch.from_numpy(constants[f"head.{part}"].copy()) for part in ("weight", "bias"))
    return Start(state, weight.T.contiguous(), bias, settings, hashlib.sha256(raw).hexdigest(), ranges_of(constants))


def ranges_of(constants: dict[str, np.ndarray]) -> Ranges:
    """Lowest and highest input of each product, from the scale and zero point of its bytes."""
    out = {}
    for name, scale in constants.items():
        if name.endswith(".in_scale"):
            product = name.removesuffix(".in_scale")
            zero = float(constants[f"{product}.in_zero"])
            out[product] = (-zero * float(scale), (255 - zero) * float(scale))
    return out


def encoder_state(constants: dict[str, np.ndarray]) -> State:
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
