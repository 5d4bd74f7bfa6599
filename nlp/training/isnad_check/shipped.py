"""The shipped classifier's weights back in floats, to train on from: what 8 bits have rounded off is lost."""

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer

from isnad_base.graph import Ranges

from .encoder import Classifier, Encoder, Shape


def read(folder: Path) -> tuple[Tokenizer, Classifier]:
    """Tokenizer and classifier of a folder that export.write() has written."""
    return Tokenizer.from_file(str(folder / "tokenizer.json")), from_constants(constants(folder))


def constants(folder: Path) -> dict[str, np.ndarray]:
    """The constants of a folder's graph."""
    graph = onnx.load(str(folder / "model.onnx")).graph
    return {given.name: numpy_helper.to_array(given) for given in graph.initializer}


def ranges(folder: Path) -> Ranges:
    """The ranges with which the products of a folder's graph read their inputs."""
    found, kept = {}, constants(folder)
    for name, scale in kept.items():
        product = name.removesuffix(".in_scale")
        if product != name:
            zero = float(kept[f"{product}.in_zero"])
            found[product] = (-zero * float(scale), (255 - zero) * float(scale))
    return found


def from_constants(constants: dict[str, np.ndarray]) -> Classifier:
    """The classifier whose int8 graph holds these constants."""

    layers = len({name.split(".")[1] for name in constants if name.startswith("layers.")})
    model = Classifier(Encoder(Shape(len(constants["words"]), layers)))
    model.load_state_dict({name: torch.from_numpy(tensor(name, constants)) for name in model.state_dict()})
    return model


def tensor(name: str, constants: dict[str, np.ndarray]) -> np.ndarray:
    """A tensor by its name in the model."""
    inner = name.removeprefix("encoder.")
    if inner == "words.weight":
        return constants["words"].astype(np.float32) * constants["words.scale"]
    if inner == "places.weight":
        return constants["places"].copy()
    if ".qkv." in inner and inner not in constants:
        product, kind = inner.rsplit(".", 1)
        return np.concatenate([tensor(f"{product}.{part}.{kind}", constants) for part in "qkv"])
    scale = constants.get(inner.removesuffix(".weight") + ".scale")
    if inner.endswith(".weight") and scale is not None:
        return np.ascontiguousarray((constants[inner].astype(np.float32) * scale).T)
    return constants[inner].copy()
