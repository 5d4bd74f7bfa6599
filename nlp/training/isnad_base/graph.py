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

    def int8_weight(self, name: str, weight: np.ndarray) -> None:
        """Constants `weight`, `scale` and `zero` of a matrix [out, in]."""
        table, columns = int8_columns(weight.T)
        self.constant(f"{name}.weight", table)
        self.constant(f"{name}.scale", columns)
        self.constant(f"{name}.zero", np.zeros(len(columns), np.int8))

    def model(self, name: str, inputs: list[onnx.ValueInfoProto], outputs: list[onnx.ValueInfoProto]) -> onnx.ModelProto:
        constants = [numpy_helper.from_array(value, key) for key, value in self.constants.items()]
        graph = helper.make_graph(self.nodes, name, inputs, outputs, constants)
        opsets = [helper.make_opsetid("", 18), helper.make_opsetid(CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def int8_columns(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """[in, out] -> int8 with one scale a column."""
    scale = np.maximum(np.abs(weight).max(0), 1e-9) / 127
    return np.rint(weight / scale).astype(np.int8), scale.astype(np.float32)
