"""The tagger as an ONNX graph over one row of packed sentences.

Inputs: ids int32 and weights float [distinct, width] (rows of the table: words and n-grams), stems int32 [distinct], index and
shapes int32 [places], mask float [places, 1]. Output: scores float [places, labels of all heads]."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from .encode import Words
from .model import Tagger


def table_of(words: Words) -> tuple[np.ndarray, np.ndarray]:
    """int8 rows with one scale each: row 0 empty, then words, then n-grams."""
    rows = np.concatenate([np.zeros_like(words.rows[:1]), words.rows, words.gram_rows])
    scale = np.maximum(np.abs(rows).max(1), 1e-9) / 127
    return np.rint(rows / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def output_layer(model: Tagger, heads: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """One linear layer for these heads: the shared scores and each head's own, added."""
    weights, biases = [], []
    for head in heads:
        low, high = model.slices[head]
        base = model.get_buffer(f"map_{head}")
        weights.append((model.delta.weight[low:high] + model.base.weight[base]).detach().numpy())
        biases.append((model.delta.bias[low:high] + model.base.bias[base]).detach().numpy())
    return np.concatenate(weights).T.copy(), np.concatenate(biases)


class Builder:
    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, value: np.ndarray, name: str = "") -> str:
        name = name or f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def add(self, op: str, inputs: list[str], count: int = 1, **attributes) -> str | list[str]:
        outputs = [f"{op}{len(self.nodes)}_{i}" for i in range(count)]
        self.nodes.append(helper.make_node(op, inputs, outputs, name=outputs[0], **attributes))
        return outputs[0] if count == 1 else outputs

    def linear(self, x: str, weight: np.ndarray, bias: np.ndarray) -> str:
        product = self.add("MatMul", [x, self.constant(np.ascontiguousarray(weight.astype(np.float32)))])
        return self.add("Add", [product, self.constant(bias.astype(np.float32))])


def graph(model: Tagger, words: Words, heads: list[str]) -> onnx.ModelProto:
    b = Builder()
    number = lambda *values: b.constant(np.array(values, np.int64))
    linear = lambda x, layer: b.linear(x, layer.weight.detach().numpy().T, layer.bias.detach().numpy())
    norm = lambda x, layer: b.add(
        "LayerNormalization",
        [x, b.constant(layer.weight.detach().numpy()), b.constant(layer.bias.detach().numpy())],
        epsilon=layer.eps,
    )
    rows, scales = table_of(words)
    table, scale = b.constant(rows, "table"), b.constant(scales, "scale")
    cast = lambda x: b.add("Cast", [x], to=TensorProto.FLOAT)
    left = b.add("Unsqueeze", [b.add("Mul", [b.add("Gather", [scale, "ids"]), "weights"]), number(1)])
    bag = b.add("Squeeze", [b.add("MatMul", [left, cast(b.add("Gather", [table, "ids"]))]), number(1)])
    stem_scale = b.add("Unsqueeze", [b.add("Gather", [scale, "stems"]), number(1)])
    stem = b.add("Mul", [cast(b.add("Gather", [table, "stems"])), stem_scale])
    vectors = b.add("Gather", [b.add("Concat", [bag, stem], axis=1), "index"])
    shapes = b.add("Gather", [b.constant(model.inputs.shapes.weight.detach().numpy()), "shapes"])
    h = linear(b.add("Concat", [vectors, shapes], axis=1), model.encoder.start)
    for block in model.encoder.blocks:
        d = block.dilation
        x = b.add("Mul", [norm(h, block.norm), "mask"])
        x = b.add("Pad", [x, number(d, 0, d, 0)])
        cut = lambda low, high: b.add("Slice", [x, number(low), number(high), number(0)])
        far = np.iinfo(np.int64).max
        x = b.add("Concat", [cut(0, -2 * d), cut(d, -d), cut(2 * d, far)], axis=1)
        value, gate = b.add("Split", [linear(x, block.mix)], 2, axis=1, num_outputs=2)
        h = b.add("Add", [h, b.add("Mul", [value, b.add("Sigmoid", [gate])])])
    scores = b.linear(norm(h, model.encoder.norm), *output_layer(model, heads))
    b.add("Identity", [scores])
    b.nodes[-1].output[0] = "scores"
    typed = lambda name, kind, shape: helper.make_tensor_value_info(name, kind, shape)
    made = helper.make_graph(
        b.nodes,
        "dilated_tagger",
        [
            typed("ids", TensorProto.INT32, ["distinct", "width"]),
            typed("weights", TensorProto.FLOAT, ["distinct", "width"]),
            typed("stems", TensorProto.INT32, ["distinct"]),
            typed("index", TensorProto.INT32, ["places"]),
            typed("shapes", TensorProto.INT32, ["places"]),
            typed("mask", TensorProto.FLOAT, ["places", 1]),
        ],
        [typed("scores", TensorProto.FLOAT, ["places", "labels"])],
        b.constants,
    )
    out = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.checker.check_model(out)
    return out
