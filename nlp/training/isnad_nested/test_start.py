import unittest

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

from isnad_base.graph import Builder

from .start import above

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
