"""The classifier as an ONNX graph, in float32 or with int8 weights and fixed 8-bit activations. Padding (id 0) changes nothing."""

import numpy as np
import onnx
from onnx import TensorProto, helper

from isnad_base.graph import CONTRIB, Builder, Ranges

from .encoder import LANGUAGES, Classifier


def product(made: Builder, name: str, weight: np.ndarray, bias: np.ndarray, source: str, ranges: Ranges | None) -> str:
    """source [batch, length, in] times weight [out, in], plus bias."""
    out = f"{name}.result"
    made.constant(f"{name}.bias", bias)
    if ranges is None:
        made.constant(f"{name}.weight", np.ascontiguousarray(weight.T))
        made.node("MatMul", [source, f"{name}.weight"], f"{name}.product")
        return made.node("Add", [f"{name}.product", f"{name}.bias"], out)
    made.input_range(name, *ranges[name])
    made.int8_weight(name, weight)
    made.node("QuantizeLinear", [source, f"{name}.in_scale", f"{name}.in_zero"], f"{name}.in8")
    inputs = ["in8", "weight", "in_scale", "scale", "in_zero", "zero", "bias"]
    return made.node("MatMulIntegerToFloat", [f"{name}.{part}" for part in inputs], out, CONTRIB)


def embedded(made: Builder, state: dict[str, np.ndarray], int8: bool) -> str:
    """input_ids -> rows of words and places, normalised."""
    words = state["words.weight"]
    if int8:
        scale = np.maximum(np.abs(words).max(1, keepdims=True), 1e-9) / 127
        made.constant("words", np.rint(words / scale).astype(np.int8))
        made.constant("words.scale", scale.astype(np.float32))
        made.node("Gather", ["words", "input_ids"], "words.rows8")
        made.node("Cast", ["words.rows8"], "words.rows", to=TensorProto.FLOAT)
        made.node("Gather", ["words.scale", "input_ids"], "words.scales")
        made.node("Mul", ["words.rows", "words.scales"], "words.found")
    else:
        made.constant("words", words)
        made.node("Gather", ["words", "input_ids"], "words.found")
    made.constant("places", state["places.weight"])
    made.constant("from", np.array([0], np.int64))
    made.node("Shape", ["input_ids"], "length", start=1, end=2)
    made.node("Slice", ["places", "from", "length"], "places.found")
    made.node("Add", ["words.found", "places.found"], "placed")
    return normalised(made, "norm", "placed", state)


def normalised(made: Builder, name: str, source: str, state: dict[str, np.ndarray]) -> str:
    for kind in ("weight", "bias"):
        made.constant(f"{name}.{kind}", state[f"{name}.{kind}"])
    return made.node(
        "LayerNormalization", [source, f"{name}.weight", f"{name}.bias"], f"{name}.result", axis=-1, epsilon=1e-12
    )


def graph(model: Classifier, ranges: Ranges | None) -> onnx.ModelProto:
    """input_ids int32 [batch, length] -> logits float [batch, languages]. With `ranges`, int8."""
    shape = model.encoder.shape
    state = {name: value.detach().float().numpy() for name, value in model.encoder.state_dict().items()}
    made = Builder()
    made.constant("none", np.array(0, np.int32))
    made.constant("one", np.array([1], np.int64))
    made.node("Equal", ["input_ids", "none"], "absent")
    made.node("Not", ["absent"], "present")
    made.node("Cast", ["present"], "mask", to=TensorProto.INT32)
    made.node("Cast", ["present"], "share", to=TensorProto.FLOAT)
    x = embedded(made, state, ranges is not None)

    def linear(name: str, source: str) -> str:
        return product(made, name, state[f"{name}.weight"], state[f"{name}.bias"], source, ranges)

    for number in range(shape.layers):
        at = f"layers.{number}"
        qkv = linear(f"{at}.qkv", x)
        parts = [f"{at}.q", f"{at}.k", f"{at}.v"]
        made.nodes.append(helper.make_node("Split", [qkv], parts, axis=2, num_outputs=3))
        mixed = made.node("MultiHeadAttention", [*parts, "", "mask"], f"{at}.mixed", CONTRIB, num_heads=shape.heads)
        x = normalised(made, f"{at}.norm1", made.node("Add", [x, linear(f"{at}.out", mixed)], f"{at}.sum1"), state)
        inner = made.node("Gelu", [linear(f"{at}.up", x)], f"{at}.inner", CONTRIB)
        x = normalised(made, f"{at}.norm2", made.node("Add", [x, linear(f"{at}.down", inner)], f"{at}.sum2"), state)

    made.node("Gather", [x, made.constant("first", np.array(0, np.int64))], "cls", axis=1)
    made.node("Unsqueeze", ["share", "one"], "share.row")
    made.node("MatMul", ["share.row", x], "sum")
    made.node("Squeeze", ["sum", "one"], "sum.flat")
    made.node("ReduceSum", ["share", "one"], "count", keepdims=1)
    made.node("Div", ["sum.flat", "count"], "mean")
    made.node("Concat", ["cls", "mean"], "features", axis=1)
    made.constant("head.weight", model.head.weight.detach().numpy())
    made.constant("head.bias", model.head.bias.detach().numpy())
    made.node("Gemm", ["features", "head.weight", "head.bias"], "logits", transB=1)

    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT32, ["batch", "length"])
    out = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", len(LANGUAGES)])
    return made.model("check", [ids], [out])
