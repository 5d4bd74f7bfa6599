"""What the models' ONNX graphs have in common: a collector of nodes and constants, and matrix products with weights and inputs in 8 bits."""

import numpy as np
import onnx
from onnx import helper, numpy_helper

CONTRIB = "com.microsoft"
Ranges = dict[str, tuple[float, float]]
"""By product, the lowest and the highest value of its input."""


class Builder:
    """Collects nodes and constants; a constant of a known name is kept once."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, np.ndarray] = {}

    def constant(self, name: str, value: np.ndarray) -> str:
        self.constants[name] = value
        return name

    def node(self, op: str, inputs: list[str], output: str, domain: str = "", **attributes: object) -> str:
        self.nodes.append(helper.make_node(op, inputs, [output], domain=domain, **attributes))
        return output

    def input_range(self, name: str, low: float, high: float) -> list[str]:
        """Constants that make floats from `low` to `high` bytes: scale and zero point."""
        scale = np.float32((high - low) / 255)
        return [
            self.constant(f"{name}.in_scale", np.array(scale, np.float32)),
            self.constant(f"{name}.in_zero", np.array(np.clip(np.rint(-low / scale), 0, 255), np.uint8)),
        ]

    def int8_weight(self, name: str, weight: np.ndarray, bits: int = 8) -> None:
        """Constants `weight`, `scale` and `zero` of a matrix [out, in]."""
        table, columns = int8_columns(weight.T, bits)
        self.constant(f"{name}.weight", table)
        self.constant(f"{name}.scale", columns)
        self.constant(f"{name}.zero", np.zeros(len(columns), np.int8))

    def model(
        self, name: str, inputs: list[onnx.ValueInfoProto], outputs: list[onnx.ValueInfoProto]
    ) -> onnx.ModelProto:
        self.nodes = unshared_weights(self.nodes, self.constants)
        constants = [numpy_helper.from_array(value, key) for key, value in self.constants.items()]
        graph = helper.make_graph(self.nodes, name, inputs, outputs, constants)
        opsets = [helper.make_opsetid("", 18), helper.make_opsetid(CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def unshared_weights(nodes: list[onnx.NodeProto], constants: dict[str, np.ndarray]) -> list[onnx.NodeProto]:
    """The nodes, in which no two products of int8 weights read the same constants: the second and later ones read them through a
    Reshape, which is folded when the model is loaded. onnxruntime widens weights on processors without VNNI product by product, and
    fails at a constant that it has widened already (microsoft/onnxruntime, Avx2WeightS8ToU8Transformer)."""
    seen: set[str] = set()
    unshared: list[onnx.NodeProto] = []
    for node in nodes:
        if node.op_type == "MatMulIntegerToFloat":
            for place in (1, 5):
                shared = node.input[place]
                if shared in seen:
                    shape = f"{shared}.shape"
                    constants[shape] = np.array(constants[shared].shape, np.int64)
                    node.input[place] = f"{node.output[0]}.{shared}"
                    unshared.append(helper.make_node("Reshape", [shared, shape], [node.input[place]]))
                seen.add(shared)
        unshared.append(node)
    return unshared


def int8_columns(weight: np.ndarray, bits: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """[in, out] -> int8 with one scale a column. With 7 bits two products with a byte add up in 16 bits, as processors without VNNI do it."""
    scale = np.maximum(np.abs(weight).max(0), 1e-9) / (2 ** (bits - 1) - 1)
    return np.rint(weight / scale).astype(np.int8), scale.astype(np.float32)
