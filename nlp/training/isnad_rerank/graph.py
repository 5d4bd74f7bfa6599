"""multilingual-e5-small, whole, as one ONNX graph: a query or a passage to one vector. Its weights stand beside it in the 4 bits that they start
from; whoever loads the graph unpacks them, and gives them as the file that its products name."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from isnad_base import published
from isnad_base.encoder import HEADS
from isnad_base.graph import CONTRIB, Builder
from isnad_base.published import BLOCK, BLOCK_BYTES, LAYERS, WIDTH, Published, dequantised, quantised

LONGEST = 128
"""Pieces that are read, `<s>` and `</s>` among them."""
LOCATION = "int8"
"""The file that the products name."""
EPSILON = 1e-12


class Nodes(Builder):
    """The nodes of the encoder. What it is made of has the names of published.Published."""

    def __init__(self, given: Published) -> None:
        super().__init__()
        self.given = given.tensors
        self.packed: list[np.ndarray] = []
        self.unpacked: list[onnx.TensorProto] = []
        self.size = 0
        self.constant("first", np.array([0]))
        self.constant("second", np.array([1]))

    def half(self, name: str, value: np.ndarray) -> str:
        """A constant that is kept in float16."""
        self.constant(f"{name}.16", value.astype(np.float16))
        return self.node("Cast", [f"{name}.16"], name, to=TensorProto.FLOAT)

    def norm(self, name: str, source: str) -> str:
        weights = [self.half(f"{name}.{kind}", self.given[f"{name}.{kind}"].numpy()) for kind in "wb"]
        return self.node("LayerNormalization", [source, *weights], f"{name}.result", axis=-1, epsilon=EPSILON)

    def linear(self, name: str, source: str, parts: list[str]) -> str:
        """The product with the weights of the parts, one after the other, and their bias. Each run brings its input to 8 bits by its own range."""
        weights = np.concatenate([self.given[f"{part}.w"].numpy() for part in parts])
        bias = self.half(f"{name}.bias", np.concatenate([self.given[f"{part}.b"].numpy() for part in parts]))
        rows = quantised(weights)
        self.packed.append(rows)
        scale = self.half(f"{name}.scale", scales(rows))
        self.constant(f"{name}.zero", np.zeros(len(weights), np.int8))
        inputs = [source, self.outside(f"{name}.weight", weights.shape), scale, f"{name}.zero", bias]
        return self.node("DynamicQuantizeMatMul", inputs, f"{name}.result", CONTRIB)

    def outside(self, name: str, shape: tuple[int, int]) -> str:
        """int8 weights [in, out] that follow those before them in LOCATION."""
        outputs, inputs = shape
        made = TensorProto(name=name, data_type=TensorProto.INT8, dims=(inputs, outputs))
        made.data_location = TensorProto.EXTERNAL
        for key, value in (("location", LOCATION), ("offset", self.size), ("length", inputs * outputs)):
            made.external_data.add(key=key, value=str(value))
        self.size += inputs * outputs
        self.unpacked.append(made)
        return name

    def layer(self, name: str, x: str) -> str:
        qkv = self.linear(f"{name}.qkv", x, [f"{name}.{part}" for part in "qkv"])
        parts = [f"{name}.{part}.result" for part in "qkv"]
        self.nodes.append(helper.make_node("Split", [qkv], parts, axis=2, num_outputs=len(parts)))
        mixed = self.node("MultiHeadAttention", parts, f"{name}.mixed", CONTRIB, num_heads=HEADS)
        self.node("Add", [x, self.linear(f"{name}.ao", mixed, [f"{name}.ao"])], f"{name}.attended")
        y = self.norm(f"{name}.aln", f"{name}.attended")
        wide = self.node("Gelu", [self.linear(f"{name}.fi", y, [f"{name}.fi"])], f"{name}.wide", CONTRIB)
        self.node("Add", [y, self.linear(f"{name}.fo", wide, [f"{name}.fo"])], f"{name}.sum")
        return self.norm(f"{name}.oln", f"{name}.sum")

    def placed(self, words: str) -> str:
        """Rows of pieces [1, length, WIDTH] with their places, as the first layer takes them."""
        self.half("places", (self.given["pos"][:LONGEST] + self.given["type"]).numpy())
        self.node("Shape", [words], "length", start=1, end=2)
        self.node("Slice", ["places", "first", "length"], "here")
        self.node("Add", [words, "here"], "placed")
        return self.norm("ln", "placed")

    def layers(self, numbers: Iterable[int], x: str) -> str:
        for number in numbers:
            x = self.layer(f"l{number}", x)
        return x


def scales(rows: np.ndarray) -> np.ndarray:
    """Of matrices in 4 bits [out, blocks]: float16 [out], the size of the largest weight of each output over 127."""
    return np.maximum(np.abs(dequantised(rows)).max(1) / np.float32(127), np.float32(1e-6)).astype(np.float16)


def int8(rows: np.ndarray) -> np.ndarray:
    """Of matrices in 4 bits [out, blocks]: int8 [in, out], one scale an output."""
    steps = np.floor(dequantised(rows) / scales(rows).astype(np.float32)[:, None] + np.float32(0.5))
    return np.clip(steps, -127, 127).astype(np.int8).T


@dataclass
class Graph:
    """The graph, and its matrices in 4 bits, uint8 [out, blocks of BLOCK_BYTES], in their order."""

    model: onnx.ModelProto
    matrices: list[np.ndarray]

    def shapes(self) -> list[tuple[int, int]]:
        """Outputs and inputs of each matrix."""
        return [(len(rows), rows.shape[1] // BLOCK_BYTES * BLOCK) for rows in self.matrices]

    def packed(self) -> bytes:
        return b"".join(rows.tobytes() for rows in self.matrices)

    def save(self, path: Path) -> None:
        """The graph, and beside it the file that its products name."""
        onnx.save(self.model, path)
        path.with_name(LOCATION).write_bytes(b"".join(int8(rows).tobytes() for rows in self.matrices))


def encoder_graph(given: Published | None = None, layers: int = LAYERS) -> Graph:
    """words float [1, length, WIDTH], rows of the shared pieces; length is LONGEST at most -> vector float [1, WIDTH], the mean of the
    states, at unit length."""
    made = Nodes(given or published.read())
    x = made.layers(range(layers), made.placed("words"))
    made.node("ReduceMean", [x, "second"], "mean", keepdims=0)
    made.node("ReduceL2", ["mean", "second"], "size", keepdims=1)
    made.node("Div", ["mean", "size"], "vector")
    model = made.model(
        "encoder",
        [helper.make_tensor_value_info("words", TensorProto.FLOAT, [1, "length", WIDTH])],
        [helper.make_tensor_value_info("vector", TensorProto.FLOAT, [1, WIDTH])],
    )
    model.graph.initializer.extend(made.unpacked)
    return Graph(model, made.packed)
