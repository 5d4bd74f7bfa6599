"""The classifier as an ONNX graph, in float32 or with few-bit weights and fixed 8-bit activations. Padding (id 0) changes nothing."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from .encoder import LANGUAGES, Classifier

CONTRIB = "com.microsoft"
BLOCK = 32
Ranges = dict[str, tuple[float, float]]


class Builder:
    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, np.ndarray] = {}
        self.tensors: list[onnx.TensorProto] = []

    def constant(self, name: str, value: np.ndarray) -> str:
        self.constants[name] = value
        return name

    def node(self, op: str, inputs: list[str], output: str, domain: str = "", **attributes) -> str:
        self.nodes.append(helper.make_node(op, inputs, [output], domain=domain, **attributes))
        return output


def int8_columns(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """[in, out] -> int8 with one scale a column."""
    scale = np.maximum(np.abs(weight).max(0), 1e-9) / 127
    return np.rint(weight / scale).astype(np.int8), scale.astype(np.float32)


def int4_blocks(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """[rows, width] -> two weights a byte, the first one low, and a float16 scale for each BLOCK of them: of some scales the one with
    the least squared error."""
    blocks = table.reshape(-1, BLOCK)
    extreme = blocks[np.arange(len(blocks)), np.abs(blocks).argmax(1)]
    found, scales, least = np.zeros(blocks.shape, np.int8), np.ones((len(blocks), 1), np.float32), (blocks**2).sum(1)
    for factor in np.linspace(0.7, 1.05, 15):
        for tried in (extreme / -8 * factor, np.abs(extreme) / 7 * factor):
            scale = tried.astype(np.float16).astype(np.float32)[:, None]
            scale[scale == 0] = 1
            rounded = np.clip(np.rint(blocks / scale), -8, 7)
            error = ((rounded * scale - blocks) ** 2).sum(1)
            better = error < least
            found[better], scales[better], least[better] = rounded[better], scale[better], error[better]
    halves = found.reshape(table.shape).view(np.uint8) & 15
    return halves[:, 0::2] | halves[:, 1::2] << 4, scales.reshape(len(table), -1).astype(np.float16)


def product(made: Builder, name: str, weight: np.ndarray, bias: np.ndarray, source: str, ranges: Ranges | None) -> str:
    """source [batch, length, in] times weight [out, in], plus bias."""
    out = f"{name}.result"
    made.constant(f"{name}.bias", bias)
    if ranges is None:
        made.constant(f"{name}.weight", np.ascontiguousarray(weight.T))
        made.node("MatMul", [source, f"{name}.weight"], f"{name}.product")
        return made.node("Add", [f"{name}.product", f"{name}.bias"], out)
    low, high = ranges[name]
    scale = np.float32((high - low) / 255)
    made.constant(f"{name}.in_scale", np.array(scale, np.float32))
    made.constant(f"{name}.in_zero", np.array(np.clip(np.rint(-low / scale), 0, 255), np.uint8))
    table, columns = int8_columns(weight.T)
    made.constant(f"{name}.weight", table)
    made.constant(f"{name}.scale", columns)
    made.constant(f"{name}.zero", np.zeros(len(columns), np.int8))
    made.node("QuantizeLinear", [source, f"{name}.in_scale", f"{name}.in_zero"], f"{name}.in8")
    inputs = ["in8", "weight", "in_scale", "scale", "in_zero", "zero", "bias"]
    return made.node("MatMulIntegerToFloat", [f"{name}.{part}" for part in inputs], out, CONTRIB)


def quantised_rows(made: Builder, words: np.ndarray, often: np.ndarray) -> None:
    """input_ids -> "words.found": rows of the pieces `often` in int8 with one scale each, of the others in 4 bits."""
    place = np.full(len(words), -1, np.int32)
    place[often] = np.arange(len(often))
    seldom = np.flatnonzero(place < 0)
    place[seldom] = len(often) + np.arange(len(seldom))
    made.constant("words.place", place)
    made.constant("often.count", np.array(len(often), np.int32))
    made.constant("often.last", np.array(len(often) - 1, np.int32))
    scale = np.maximum(np.abs(words[often]).max(1, keepdims=True), 1e-9) / 127
    made.constant("often", np.rint(words[often] / scale).astype(np.int8))
    made.constant("often.scale", scale.astype(np.float32))
    packed, scales = int4_blocks(words[seldom])
    made.tensors.append(helper.make_tensor("seldom", TensorProto.INT4, (len(seldom), words.shape[1]), packed.tobytes(), raw=True))
    made.constant("seldom.scale", scales)

    made.node("Gather", ["words.place", "input_ids"], "place")
    made.node("Min", ["place", "often.last"], "often.place")
    made.node("Gather", ["often", "often.place"], "often.rows8")
    made.node("Cast", ["often.rows8"], "often.rows", to=TensorProto.FLOAT)
    made.node("Gather", ["often.scale", "often.place"], "often.scales")
    made.node("Mul", ["often.rows", "often.scales"], "often.found")
    made.node("Sub", ["place", "often.count"], "seldom.from")
    made.node("Max", ["seldom.from", "none"], "seldom.place")
    given = ["seldom", "seldom.place", "seldom.scale"]
    made.node("GatherBlockQuantized", given, "seldom.rows", CONTRIB, block_size=BLOCK, gather_axis=0, quantize_axis=1)
    made.node("Cast", ["seldom.rows"], "seldom.found", to=TensorProto.FLOAT)
    made.node("Less", ["place", "often.count"], "is_often")
    made.node("Unsqueeze", ["is_often", made.constant("last", np.array([-1], np.int64))], "is_often.row")
    made.node("Where", ["is_often.row", "often.found", "seldom.found"], "words.found")


def embedded(made: Builder, state: dict[str, np.ndarray], often: np.ndarray | None) -> str:
    """input_ids -> rows of words and places, normalised."""
    words = state["words.weight"]
    if often is not None:
        quantised_rows(made, words, often)
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
    return made.node("LayerNormalization", [source, f"{name}.weight", f"{name}.bias"], f"{name}.result", axis=-1, epsilon=1e-12)


def graph(model: Classifier, ranges: Ranges | None, often: np.ndarray) -> onnx.ModelProto:
    """input_ids int32 [batch, length] -> logits float [batch, languages]. With `ranges`, in 8 bits, and
    word rows in 4 that are not among the pieces `often`."""
    shape = model.encoder.shape
    state = {name: value.detach().float().numpy() for name, value in model.encoder.state_dict().items()}
    made = Builder()
    made.constant("none", np.array(0, np.int32))
    made.constant("one", np.array([1], np.int64))
    made.node("Equal", ["input_ids", "none"], "absent")
    made.node("Not", ["absent"], "present")
    made.node("Cast", ["present"], "mask", to=TensorProto.INT32)
    made.node("Cast", ["present"], "share", to=TensorProto.FLOAT)
    x = embedded(made, state, often if ranges else None)

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
    constants = [*made.tensors, *(numpy_helper.from_array(value, name) for name, value in made.constants.items())]
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid(CONTRIB, 1)]
    found = helper.make_model(helper.make_graph(made.nodes, "check", [ids], [out], constants), opset_imports=opsets, ir_version=10)
    return found
