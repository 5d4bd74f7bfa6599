"""The reader as ONNX: `states` float [1, length, WIDTH] of a window and `firsts` int32 [count], the pieces that the words begin with ->
`vectors` [count, dims]. Matrices are int8 with a scale a column, all else float16."""

import numpy as np
import onnx
from onnx import TensorProto, helper

from isnad_base.graph import Builder, int8_columns
from isnad_base.published import WIDTH

from .model import KEY, REACH, Reader

FAR = -1e4
NARROW = 64
"""Matrices of fewer columns stay float16."""


def reader(model: Reader) -> onnx.ModelProto:
    made = Builder()
    state = {name: value.detach().float().numpy() for name, value in model.state_dict().items()}

    def constant(name: str, value: np.ndarray) -> str:
        made.constant(f"{name}.half", value.astype(np.float16))
        return made.node("Cast", [f"{name}.half"], name, to=TensorProto.FLOAT)

    def matrix(name: str, value: np.ndarray) -> str:
        if value.shape[1] < NARROW:
            return constant(name, value)
        table, columns = int8_columns(value)
        zeros = made.constant(f"{name}.zero", np.zeros(len(columns), np.int8))
        parts = [made.constant(f"{name}.int8", table), made.constant(f"{name}.scale", columns), zeros]
        return made.node("DequantizeLinear", parts, name, axis=1)

    def whole(name: str, *values: int) -> str:
        return made.constant(name, np.array(values, np.int64))

    def linear(name: str, given: str) -> str:
        weight = matrix(f"{name}.weight", np.ascontiguousarray(state[f"{name}.weight"].T))
        bias = constant(f"{name}.bias", state[f"{name}.bias"])
        return made.node("Add", [made.node("MatMul", [given, weight], f"{name}.product"), bias], f"{name}.made")

    def by_head(name: str, width: int, order: list[int]) -> str:
        shape = whole(f"{name}.shape", -1, model.heads, width)
        split = made.node("Reshape", [f"{name}.made", shape], f"{name}.split")
        return made.node("Transpose", [split], f"{name}.heads", perm=order)

    made.node("Squeeze", ["states", whole("first", 0)], "pieces")
    made.node("Gather", ["pieces", "firsts"], "words", axis=0)
    own = linear("own", "words")
    for name, given in (("query", "words"), ("key", "pieces"), ("worth", "pieces"), ("value", "pieces")):
        linear(name, given)
    # [heads, count, KEY] x [heads, KEY, length]
    product = made.node("MatMul", [by_head("query", KEY, [1, 0, 2]), by_head("key", KEY, [1, 2, 0])], "product")
    scaled = made.node("Mul", [product, made.constant("scale", np.array(KEY**-0.5, np.float32))], "scaled")
    worth = made.node(
        "Unsqueeze", [made.node("Transpose", ["worth.made"], "worth.heads", perm=[1, 0]), "one"], "worthy"
    )
    whole("one", 1)
    # What a distance is worth, with a place at either end for all that is too far.
    ends = np.full((model.heads, 1), FAR, np.float32)
    distances = constant("distances", np.concatenate([ends, state["distance"], ends], 1))
    made.node("Shape", ["pieces"], "length", start=0, end=1)
    made.node("Squeeze", ["length"], "length.scalar")
    made.constant("zero", np.array(0, np.int64))
    made.constant("step", np.array(1, np.int64))
    made.node("Range", ["zero", "length.scalar", "step"], "places")
    made.node("Cast", ["firsts"], "firsts.long", to=TensorProto.INT64)
    made.node("Unsqueeze", ["firsts.long", "one"], "firsts.column")
    made.node("Sub", ["places", "firsts.column"], "apart")
    low, high = (made.constant(n, np.array(v, np.int64)) for n, v in (("low", -REACH - 1), ("high", REACH + 1)))
    made.node("Clip", ["apart", low, high], "near")
    made.node("Add", ["near", high], "rows")
    distance = made.node("Gather", [distances, "rows"], "distance", axis=1)
    scores = made.node("Add", [made.node("Add", [scaled, worth], "worth.added"), distance], "scores")
    weights = made.node("Softmax", [scores], "weights", axis=-1)
    mixed = made.node("MatMul", [weights, by_head("value", model.dims // model.heads, [1, 0, 2])], "mixed")
    turned = made.node("Transpose", [mixed], "turned", perm=[1, 0, 2])
    joined = made.node("Reshape", [turned, whole("flat", -1, model.dims)], "joined")
    summed = made.node("Add", [own, joined], "summed")
    made.node("LpNormalization", [summed], "vectors", axis=-1, p=2)
    inputs = [
        helper.make_tensor_value_info("states", TensorProto.FLOAT, [1, "length", WIDTH]),
        helper.make_tensor_value_info("firsts", TensorProto.INT32, ["count"]),
    ]
    return made.model(
        "senses", inputs, [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["count", model.dims])]
    )
