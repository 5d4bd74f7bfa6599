"""The tagger in three graphs: `lower.onnx`, the layers that both readings share; `model.onnx`, the upper layers of the heads of the first
stage, as they were; `nested.onnx`, the upper layers that were trained for nested entities.

lower: `words` float [1, length, WIDTH] -> `states` [1, length, WIDTH]. The others: `states`, and `firsts` int32 [count], the pieces that words
begin with -> `scores` float [1, count, outputs].
"""

import numpy as np
import onnx
from onnx import TensorProto, helper

from isnad_base import published
from isnad_base.graph import Ranges
from isnad_ner.graph import Layers, layer

from .start import State

WORDS = ("words", [1, "length", published.WIDTH])
STATES = ("states", [1, "length", published.WIDTH])


def lower(state: State, count: int, ranges: Ranges) -> onnx.ModelProto:
    made = Layers(arrays(state), ranges)
    made.constant("from", np.array([0], np.int64))
    made.constant("places", made.state["places.weight"].astype(np.float16))
    made.node("Cast", ["places"], "places.wide", to=TensorProto.FLOAT)
    made.node("Shape", ["words"], "length", start=1, end=2)
    made.node("Slice", ["places.wide", "from", "length"], "places.found")
    x = made.normalised("norm", made.node("Add", ["words", "places.found"], "placed"))
    for number in range(count):
        x = layer(made, f"layers.{number}", x, last=False)
    made.node("Identity", [x], "states")
    inputs, out = [floats(*WORDS)], floats(*STATES)
    return made.model("lower", inputs, [out])


def upper(state: State, first: int, weight: np.ndarray, bias: np.ndarray, ranges: Ranges | None) -> onnx.ModelProto:
    """The layers of `state` from `first` on, with the outputs of `weight` [outputs, WIDTH] and `bias`."""
    made = Layers(arrays(state), ranges)
    numbers = sorted({int(name.split(".")[1]) for name in state if name.startswith("layers.")})
    x = "states"
    for number in numbers[numbers.index(first) :]:
        x = layer(made, f"layers.{number}", x, last=number == numbers[-1])
    made.constant("head.weight", np.ascontiguousarray(weight.T))
    made.constant("head.bias", bias)
    made.node("Add", [made.node("MatMul", [x, "head.weight"], "head.product"), "head.bias"], "scores")
    inputs = [floats(*STATES), helper.make_tensor_value_info("firsts", TensorProto.INT32, ["count"])]
    return made.model("upper", inputs, [floats("scores", [1, "count", len(bias)])])


def arrays(state: State) -> dict[str, np.ndarray]:
    return {name: value.detach().float().numpy() for name, value in state.items()}


def floats(name: str, shape: list) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
