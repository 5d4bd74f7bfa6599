"""The classifier as an ONNX graph, in float32 or with int8 weights and fixed 8-bit activations. Padding (id 0) changes nothing, and costs
attention alone: everything else is computed for the pieces of all sentences one after the other."""

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper
from torch import nn

from isnad_base import encoder as base
from isnad_base import published
from isnad_base.graph import CONTRIB, Builder
from isnad_base.ranges import Steps, products_of
from isnad_check.encoder import LANGUAGES

from .encoder import Checker
from .states import LONGEST

State = dict[str, np.ndarray]
WEIGHT_BITS = 7
"""A seventh less time than with 8 on processors without VNNI, which widen weights of 8 bits."""
APART = -50.0
"""What is added to the score of padding before the softmax: e^-50 is lost beside 1 in float32. With onnxruntime's -10,000 the share of padding
becomes a denormal number, which processors multiply slowly."""


HEADS = {"num_heads": base.HEADS, "mask_filter_value": APART}


class Layers(Builder):
    """Nodes over the weights of `state`; with `steps`, int8, of which `bits` are used."""

    def __init__(self, state: State, steps: Steps | None) -> None:
        super().__init__()
        self.state, self.steps = state, steps
        self.made: set[str] = set()

    def product(self, name: str, source: str, rows: slice = slice(None), tail: str = "") -> str:
        """source [pieces, in] times rows of the weight [out, in], plus bias. Products of one name and source read one input."""
        weight, bias = self.state[f"{name}.weight"][rows], self.state[f"{name}.bias"][rows]
        at = f"{name}{tail}"
        self.constant(f"{at}.bias", bias)
        if self.steps is None:
            self.constant(f"{at}.weight", np.ascontiguousarray(weight.T))
            self.node("MatMul", [source, f"{at}.weight"], f"{at}.product")
            return self.node("Add", [f"{at}.product", f"{at}.bias"], f"{at}.result")
        by, given = self.steps.even.get(name), f"{name}.{source}.in8"
        parts = self.input_range(name, *self.steps.ranges[name])
        if given not in self.made:
            self.made.add(given)
            if by is not None:
                source = self.node("Mul", [source, self.constant(f"{name}.even", (1 / by).numpy())], f"{given}.evened")
            self.node("QuantizeLinear", [source, *parts], given)
        self.int8_weight(at, weight if by is None else weight * by.numpy(), WEIGHT_BITS)
        inputs = [given, f"{at}.weight", parts[0], f"{at}.scale", parts[1], f"{at}.zero", f"{at}.bias"]
        return self.node("MatMulIntegerToFloat", inputs, f"{at}.result", CONTRIB)

    def normalised(self, name: str, source: str) -> str:
        for kind in ("weight", "bias"):
            self.constant(f"{name}.{kind}", self.state[f"{name}.{kind}"])
        return self.node(
            "LayerNormalization", [source, f"{name}.weight", f"{name}.bias"], f"{name}.result", axis=-1, epsilon=1e-12
        )


def pieces(made: Builder, width: int) -> None:
    """input_ids [batch, length] -> of the pieces that are no padding, one sentence after the other: `place` in the sentence and `cell`,
    where they stand in the batch. And of the batch: `mask`, 1 for a piece; `piece`, which of the pieces a cell has, padding the one before it; `begins`, the
    first piece of each sentence."""
    made.constant("none", np.array(0, np.int32))
    made.constant("one", np.array([1], np.int64))
    made.constant("first", np.array(0, np.int64))
    made.constant("second", np.array(1, np.int64))
    made.constant("flat", np.array([-1], np.int64))
    made.constant("states", np.array([-1, width], np.int64))
    made.node("Equal", ["input_ids", "none"], "absent")
    made.node("Not", ["absent"], "present")
    made.node("Cast", ["present"], "mask", to=TensorProto.INT32)
    for name in ("present", "mask"):
        made.node("Reshape", [name, "flat"], f"{name}.flat")
    made.node("Gather", [made.node("NonZero", ["present"], "row_and_place"), "second"], "place", axis=0)
    made.node("Reshape", [made.node("NonZero", ["present.flat"], "cell.row"), "flat"], "cell")
    made.constant("before", np.array(-1, np.int32))
    made.node("Add", [made.node("CumSum", ["mask.flat", "first"], "pieces.until"), "before"], "piece.flat")
    made.node("Reshape", ["piece.flat", made.node("Shape", ["input_ids"], "shape")], "piece")
    made.constant("from", np.array([0], np.int64))
    made.node("Slice", ["piece", "from", "one", "one"], "begins.column")
    made.node("Reshape", ["begins.column", "flat"], "begins")


def embedded(made: Layers) -> str:
    """The rows of words and of places, normalised."""
    made.constant("places", made.state["places.weight"][:LONGEST].astype(np.float16))
    made.node("Cast", ["places"], "places.wide", to=TensorProto.FLOAT)
    made.node("Gather", ["places.wide", "place"], "places.found")
    return made.normalised("norm", made.node("Add", ["words", "places.found"], "placed"))


def layer(made: Layers, at: str, x: str) -> str:
    """The states of all pieces after a layer."""
    parts = [made.node("Gather", [qkv(made, at, x, part), "piece"], f"{at}.{part}") for part in "qkv"]
    made.node("MultiHeadAttention", [*parts, "", "mask"], f"{at}.cells", CONTRIB, **HEADS)
    made.node("Reshape", [f"{at}.cells", "states"], f"{at}.states")
    return after(made, at, x, made.node("Gather", [f"{at}.states", "cell"], f"{at}.mixed"))


def last(made: Layers, at: str, x: str) -> str:
    """The states of the first pieces alone after a layer, [batch, width]."""
    made.node("Gather", [x, "begins"], f"{at}.firsts")
    q = made.node("Unsqueeze", [qkv(made, at, f"{at}.firsts", "q"), "one"], f"{at}.q")
    k, v = (made.node("Gather", [qkv(made, at, x, part), "piece"], f"{at}.{part}") for part in "kv")
    made.node("MultiHeadAttention", [q, k, v, "", "mask"], f"{at}.cells", CONTRIB, **HEADS)
    return after(made, at, f"{at}.firsts", made.node("Reshape", [f"{at}.cells", "states"], f"{at}.mixed"))


def qkv(made: Layers, at: str, x: str, part: str) -> str:
    number = "qkv".index(part)
    return made.product(f"{at}.qkv", x, slice(number * published.WIDTH, (number + 1) * published.WIDTH), f".{part}")


def after(made: Layers, at: str, x: str, mixed: str) -> str:
    """What a layer makes of `x` and of what its attention has mixed."""
    x = made.normalised(f"{at}.norm1", made.node("Add", [x, made.product(f"{at}.out", mixed)], f"{at}.sum1"))
    inner = made.node("Gelu", [made.product(f"{at}.up", x)], f"{at}.inner", CONTRIB)
    return made.normalised(f"{at}.norm2", made.node("Add", [x, made.product(f"{at}.down", inner)], f"{at}.sum2"))


def graph(model: Checker, steps: Steps | None) -> onnx.ModelProto:
    """input_ids int32 [batch, length] and words float [pieces, WIDTH], the rows of those that are no padding -> logits float [batch,
    languages]. With `steps`, int8."""
    state = {name: value.detach().float().numpy() for name, value in tensors(model).items()}
    made = Layers(state, steps)
    pieces(made, published.WIDTH)
    x, count = embedded(made), len(model.shared.layers) + len(model.branch.layers)
    for number in range(count - 1):
        x = layer(made, f"layers.{number}", x)
    top, mean = last(made, f"layers.{count - 1}", x), meaned(made, x)
    made.node("Concat", [top, mean], "features", axis=1)
    made.constant("head.weight", state["head.weight"])
    made.constant("head.bias", state["head.bias"])
    made.node("Gemm", ["features", "head.weight", "head.bias"], "logits", transB=1)
    inputs = [
        helper.make_tensor_value_info("input_ids", TensorProto.INT32, ["batch", "length"]),
        helper.make_tensor_value_info("words", TensorProto.FLOAT, ["pieces", published.WIDTH]),
    ]
    out = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", len(LANGUAGES)])
    return made.model("check", inputs, [out])


def meaned(made: Layers, x: str) -> str:
    """The mean of the states of each sentence, [batch, width]."""
    made.node("Cast", ["present"], "share", to=TensorProto.FLOAT)
    made.node("Unsqueeze", ["share", "one"], "share.row")
    made.node("ReduceSum", ["share", "one"], "count", keepdims=1)
    made.node("Gather", [x, "piece"], "cells")
    made.node("MatMul", ["share.row", "cells"], "sum")
    made.node("Squeeze", ["sum", "one"], "sum.flat")
    return made.node("Div", ["sum.flat", "count"], "mean")


def tensors(model: Checker) -> dict[str, torch.Tensor]:
    """The weights by their names in the graph."""
    below = len(model.shared.layers)
    return {named(name, below): value for name, value in model.state_dict().items()}


def named(name: str, below: int) -> str:
    """The name in the graph of a part of the model, whose trained layers are counted on from the `below` under them."""
    if name.startswith("branch.layers."):
        number, rest = name.removeprefix("branch.layers.").split(".", 1)
        return f"layers.{int(number) + below}.{rest}"
    return name.removeprefix("shared.").removeprefix("branch.")


def products(model: Checker) -> dict[str, nn.Linear]:
    """The matrix products of the layers by their names in the graph; the head is computed in floats."""
    below = len(model.shared.layers)
    found = {named(name, below): part for name, part in products_of(model).items()}
    return {name: part for name, part in found.items() if name != "head"}
