"""The tagger as an ONNX graph, in float32 or with int8 weights and fixed 8-bit activations. A run is one window: without padding nothing has
to be masked, and onnxruntime then has a faster attention.

Inputs: `words` float [1, length, WIDTH], the rows of the pieces; `firsts` int32 [count], the pieces that words begin with.
Output: `scores` float [1, count, outputs]. The last layer is computed for first pieces only; where a layer before it is told to be the first that
is, this one and those between them are computed for these and for <s>.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper

from isnad_base import encoder, published
from isnad_base.graph import CONTRIB, Builder
from isnad_base.ranges import Steps

State = dict[str, np.ndarray]


class Layers(Builder):
    """Nodes over the weights of `state`; with `steps`, int8, of which `bits` are used."""

    def __init__(self, state: State, steps: Steps | None, bits: int = 8) -> None:
        super().__init__()
        self.state, self.steps, self.bits = state, steps, bits
        self.made: set[str] = set()

    def normalised(self, name: str, source: str) -> str:
        for kind in ("weight", "bias"):
            self.constant(f"{name}.{kind}", self.state[f"{name}.{kind}"])
        return self.node(
            "LayerNormalization", [source, f"{name}.weight", f"{name}.bias"], f"{name}.result", axis=-1, epsilon=1e-12
        )

    def product(self, name: str, source: str, rows: slice = slice(None), tail: str = "") -> str:
        """source [..., in] times rows of the weight [out, in], plus bias."""
        weight, bias = self.state[f"{name}.weight"][rows], self.state[f"{name}.bias"][rows]
        at = name + tail
        self.constant(f"{at}.bias", bias)
        if self.steps is None:
            self.constant(f"{at}.weight", np.ascontiguousarray(weight.T))
            return self.node(
                "Add", [self.node("MatMul", [source, f"{at}.weight"], f"{at}.product"), f"{at}.bias"], f"{at}.result"
            )
        by = self.steps.even.get(name)
        if by is not None:
            even = self.constant(f"{name}.even", (1 / by).numpy())
            weight, source = weight * by.numpy(), self.node("Mul", [source, even], f"{name}.evened")
        given, parts = self.quantised(name, source, self.steps.ranges[name])
        self.int8_weight(at, weight, self.bits)
        inputs = [given, f"{at}.weight", parts[0], f"{at}.scale", parts[1], f"{at}.zero", f"{at}.bias"]
        return self.node("MatMulIntegerToFloat", inputs, f"{at}.result", CONTRIB)

    def quantised(self, name: str, source: str, ends: tuple[float, float]) -> tuple[str, list[str]]:
        """The input of a product in 8 bits, made once, and its scale and zero point."""
        parts = self.input_range(name, *ends)
        key = f"{name}.{source}.in8"
        if key not in self.made:
            self.made.add(self.node("QuantizeLinear", [source, *parts], key))
        return key, parts


def layer(made: Layers, at: str, x: str, asked: str) -> str:
    """One layer over `x`, which answers for those of its places that are `asked`."""
    width = published.WIDTH
    q = made.product(f"{at}.qkv", asked, slice(0, width), ".q")
    k = made.product(f"{at}.qkv", x, slice(width, 2 * width), ".k")
    v = made.product(f"{at}.qkv", x, slice(2 * width, None), ".v")
    mixed = made.node("MultiHeadAttention", [q, k, v], f"{at}.mixed", CONTRIB, num_heads=encoder.HEADS)
    x = made.normalised(f"{at}.norm1", made.node("Add", [asked, made.product(f"{at}.out", mixed)], f"{at}.sum1"))
    inner = made.node("Gelu", [made.product(f"{at}.up", x)], f"{at}.inner", CONTRIB)
    return made.normalised(f"{at}.norm2", made.node("Add", [x, made.product(f"{at}.down", inner)], f"{at}.sum2"))


def beginning(made: Layers) -> str:
    """The places of <s> and of first pieces."""
    made.constant("second", np.array([1], np.int64))
    made.constant("end", np.array([encoder.POSITIONS], np.int64))
    made.constant("start", np.array([0], np.int32))
    return made.node("Concat", ["start", "firsts"], "start_and_firsts", axis=0)


def graph(
    tower: encoder.Encoder,
    weight: np.ndarray,
    bias: np.ndarray,
    steps: Steps | None,
    bits: int = 8,
    words_from: int | None = None,
) -> onnx.ModelProto:
    """With the outputs of `weight` [outputs, WIDTH] and `bias`; with `steps`, int8, of which `bits` are used. `words_from`: the first layer that
    is computed for words only, the last one where it is None."""
    state = {name: value.detach().float().numpy() for name, value in tower.state_dict().items()}
    made = Layers(state, steps, bits)
    made.constant("from", np.array([0], np.int64))
    made.constant("places", made.state["places.weight"].astype(np.float16))
    made.node("Cast", ["places"], "places.wide", to=TensorProto.FLOAT)
    made.node("Shape", ["words"], "length", start=1, end=2)
    made.node("Slice", ["places.wide", "from", "length"], "places.found")
    x = made.normalised("norm", made.node("Add", ["words", "places.found"], "placed"))
    last = len(tower.layers) - 1
    begin = last if words_from is None else words_from
    for number in range(last + 1):
        asked, at = x, f"layers.{number}"
        if number == begin:
            places = "firsts" if begin == last else beginning(made)
            asked = made.node("Gather", [x, places], f"{at}.asked", axis=1)
        elif number == last:
            asked = made.node("Slice", [x, "second", "end", "second"], f"{at}.asked")
        x = layer(made, at, x, asked)
    made.constant("head.weight", np.ascontiguousarray(weight.T))
    made.constant("head.bias", bias)
    made.node("Add", [made.node("MatMul", [x, "head.weight"], "head.product"), "head.bias"], "scores")

    inputs = [
        helper.make_tensor_value_info("words", TensorProto.FLOAT, [1, "length", published.WIDTH]),
        helper.make_tensor_value_info("firsts", TensorProto.INT32, ["count"]),
    ]
    out = helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, "count", len(bias)])
    return made.model("tagger", inputs, [out])
