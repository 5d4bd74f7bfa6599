"""The classifier as an ONNX graph, in float32 or with int8 weights and fixed 8-bit activations. Padding (id 0) changes nothing, and costs
attention alone: everything else is computed for the pieces of all sentences one after the other."""

import numpy as np
import onnx
from onnx import TensorProto, helper

from isnad_base.graph import CONTRIB, Builder, Ranges

from .encoder import LANGUAGES, Classifier

APART = -50.0
"""What is added to the score of padding before the softmax: e^-50 is lost beside 1 in float32. With onnxruntime's -10,000 the share of padding
becomes a denormal number, which processors multiply slowly."""


def product(
    made: Builder, name: str, weight: np.ndarray, bias: np.ndarray, source: str, ranges: Ranges | None, tail: str = ""
) -> str:
    """source [pieces, in] times weight [out, in], plus bias. Products of one name that differ by their `tail` read one input."""
    at = f"{name}{tail}"
    out = f"{at}.result"
    made.constant(f"{at}.bias", bias)
    if ranges is None:
        made.constant(f"{at}.weight", np.ascontiguousarray(weight.T))
        made.node("MatMul", [source, f"{at}.weight"], f"{at}.product")
        return made.node("Add", [f"{at}.product", f"{at}.bias"], out)
    if f"{name}.in_scale" not in made.constants:
        made.input_range(name, *ranges[name])
        made.node("QuantizeLinear", [source, f"{name}.in_scale", f"{name}.in_zero"], f"{name}.in8")
    made.int8_weight(at, weight)
    inputs = [f"{name}.in8", f"{at}.weight", f"{name}.in_scale", f"{at}.scale", f"{name}.in_zero", f"{at}.zero"]
    return made.node("MatMulIntegerToFloat", [*inputs, f"{at}.bias"], out, CONTRIB)


def pieces(made: Builder, width: int) -> None:
    """input_ids [batch, length] -> of the pieces that are no padding, one sentence after the other: `ids`, `place` in the sentence and `cell`,
    where they stand in the batch. And of the batch: `mask`, 1 for a piece; `piece`, which of the pieces a cell has, padding the one before it."""
    made.constant("none", np.array(0, np.int32))
    made.constant("one", np.array([1], np.int64))
    made.constant("first", np.array(0, np.int64))
    made.constant("second", np.array(1, np.int64))
    made.constant("flat", np.array([-1], np.int64))
    made.constant("states", np.array([-1, width], np.int64))
    made.node("Equal", ["input_ids", "none"], "absent")
    made.node("Not", ["absent"], "present")
    made.node("Cast", ["present"], "mask", to=TensorProto.INT32)
    for name in ("input_ids", "present", "mask"):
        made.node("Reshape", [name, "flat"], f"{name}.flat")
    made.node("Compress", ["input_ids.flat", "present.flat"], "ids", axis=0)
    made.node("Gather", [made.node("NonZero", ["present"], "row_and_place"), "second"], "place", axis=0)
    made.node("Reshape", [made.node("NonZero", ["present.flat"], "cell.row"), "flat"], "cell")
    made.constant("before", np.array(-1, np.int32))
    made.node("Add", [made.node("CumSum", ["mask.flat", "first"], "pieces.until"), "before"], "piece.flat")
    made.node("Reshape", ["piece.flat", made.node("Shape", ["input_ids"], "shape")], "piece")


def embedded(made: Builder, state: dict[str, np.ndarray], int8: bool) -> str:
    """ids -> rows of words and places, normalised."""
    words = state["words.weight"]
    if int8:
        scale = np.maximum(np.abs(words).max(1, keepdims=True), 1e-9) / 127
        made.constant("words", np.rint(words / scale).astype(np.int8))
        made.constant("words.scale", scale.astype(np.float32))
        made.node("Gather", ["words", "ids"], "words.rows8")
        made.node("Cast", ["words.rows8"], "words.rows", to=TensorProto.FLOAT)
        made.node("Gather", ["words.scale", "ids"], "words.scales")
        made.node("Mul", ["words.rows", "words.scales"], "words.found")
    else:
        made.constant("words", words)
        made.node("Gather", ["words", "ids"], "words.found")
    made.constant("places", state["places.weight"])
    made.node("Gather", ["places", "place"], "places.found")
    made.node("Add", ["words.found", "places.found"], "placed")
    return normalised(made, "norm", "placed", state)


def normalised(made: Builder, name: str, source: str, state: dict[str, np.ndarray]) -> str:
    for kind in ("weight", "bias"):
        made.constant(f"{name}.{kind}", state[f"{name}.{kind}"])
    return made.node(
        "LayerNormalization", [source, f"{name}.weight", f"{name}.bias"], f"{name}.result", axis=-1, epsilon=1e-12
    )


def layer(made: Builder, at: str, x: str, heads: int, state: dict[str, np.ndarray], ranges: Ranges | None) -> str:
    """The states of pieces after the layer whose weights are called `at`."""

    def linear(name: str, source: str, rows: slice = slice(None), tail: str = "") -> str:
        weight, bias = state[f"{name}.weight"][rows], state[f"{name}.bias"][rows]
        return product(made, name, weight, bias, source, ranges, tail)

    width, parts = len(state[f"{at}.out.bias"]), []
    for number, part in enumerate("qkv"):
        of = linear(f"{at}.qkv", x, slice(number * width, (number + 1) * width), f".{part}")
        parts.append(made.node("Gather", [of, "piece"], f"{at}.{part}"))
    asked = {"num_heads": heads, "mask_filter_value": APART}
    made.node("MultiHeadAttention", [*parts, "", "mask"], f"{at}.cells", CONTRIB, **asked)
    made.node("Reshape", [f"{at}.cells", "states"], f"{at}.states")
    mixed = made.node("Gather", [f"{at}.states", "cell"], f"{at}.mixed")
    x = normalised(made, f"{at}.norm1", made.node("Add", [x, linear(f"{at}.out", mixed)], f"{at}.sum1"), state)
    inner = made.node("Gelu", [linear(f"{at}.up", x)], f"{at}.inner", CONTRIB)
    return normalised(made, f"{at}.norm2", made.node("Add", [x, linear(f"{at}.down", inner)], f"{at}.sum2"), state)


def scores(made: Builder, x: str, state: dict[str, np.ndarray]) -> str:
    """States of pieces -> logits [batch, languages]."""
    made.node("Gather", [x, "piece"], "cells")
    made.node("Gather", ["cells", "first"], "cls", axis=1)
    made.node("MatMul", ["share.row", "cells"], "sum")
    made.node("Squeeze", ["sum", "one"], "sum.flat")
    made.node("Div", ["sum.flat", "count"], "mean")
    made.node("Concat", ["cls", "mean"], "features", axis=1)
    made.constant("head.weight", state["head.weight"])
    made.constant("head.bias", state["head.bias"])
    return made.node("Gemm", ["features", "head.weight", "head.bias"], "logits", transB=1)


def graph(model: Classifier, ranges: Ranges | None) -> onnx.ModelProto:
    """input_ids int32 [batch, length] -> logits float [batch, languages]. With `ranges`, int8."""
    heads = model.encoder.shape.heads
    state = {
        name.removeprefix("encoder."): value.detach().float().numpy() for name, value in model.state_dict().items()
    }
    made = Builder()
    pieces(made, model.encoder.shape.width)
    made.node("Cast", ["present"], "share", to=TensorProto.FLOAT)
    made.node("Unsqueeze", ["share", "one"], "share.row")
    made.node("ReduceSum", ["share", "one"], "count", keepdims=1)
    x = embedded(made, state, ranges is not None)
    for number in range(len(model.encoder.layers)):
        x = layer(made, f"layers.{number}", x, heads, state, ranges)
    scores(made, x, state)
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT32, ["batch", "length"])
    return made.model(
        "check", [ids], [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", len(LANGUAGES)])]
    )
