import unittest

import numpy as np
import onnxruntime
import torch
from onnx import TensorProto, helper

from isnad_base.graph import Builder

from .start import Stack, Start, above

WORDS, STATES, FIRSTS = (
    helper.make_tensor_value_info("words", TensorProto.FLOAT, [1, "length", 2]),
    helper.make_tensor_value_info("states", TensorProto.FLOAT, [1, "length", 2]),
    helper.make_tensor_value_info("firsts", TensorProto.INT32, ["count"]),
)
SCORES = helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, "count", 2])


class Above(unittest.TestCase):
    def test_one_graph_of_two_gives_what_the_second_gives_on_the_first(self) -> None:
        lower, upper = Builder(), Builder()
        lower.node("Mul", ["words", lower.constant("twice", np.array(2, np.float32))], "states")
        found = upper.node("Gather", ["states", "firsts"], "asked", axis=1)
        upper.node("Add", [found, upper.constant("one", np.array(1, np.float32))], "scores")
        parts = (lower.model("lower", [WORDS], [STATES]), upper.model("upper", [STATES, FIRSTS], [SCORES]))
        session = onnxruntime.InferenceSession(above(*(part.SerializeToString() for part in parts)))
        words = np.array([[[1, 2], [3, 4], [5, 6]]], np.float32)
        (scores,) = session.run(None, {"words": words, "firsts": np.array([2, 0], np.int32)})
        np.testing.assert_array_equal(scores, [[[11, 13], [3, 5]]])


def start_of(heads: int, nested: int) -> Start:
    """Of two encoders of one layer, with so many units."""
    of = [
        Stack({"layers.0.up.bias": torch.full((n,), float(n))}, torch.zeros(0), torch.zeros(0), 0)
        for n in (heads, nested)
    ]
    return Start(of[0], of[1], {}, "", b"")


class Mixed(unittest.TestCase):
    def test_two_encoders_are_mixed_where_they_have_the_same_units(self) -> None:
        start = start_of(4, 4)
        start.nested.state["layers.0.up.bias"] += 2
        self.assertEqual(start.mixed(0.5)["layers.0.up.bias"].tolist(), [5] * 4)
        self.assertEqual(start.mixed(0)["layers.0.up.bias"].tolist(), [6] * 4)

    def test_one_with_other_units_is_gone_on_from_alone(self) -> None:
        self.assertEqual(start_of(4, 2).mixed(0.5)["layers.0.up.bias"].tolist(), [2] * 2)
