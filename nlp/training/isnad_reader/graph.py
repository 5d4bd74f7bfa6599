"""The reader as one ONNX graph. Its lower layers are those of rerank-ar-en, whose weights it takes from there; the others are in 8 bits here, but for
the products that narrow what the wide ones give: a few of their inputs are so large that in 8 bits they cost the others their difference (scores were
.48 apart from PyTorch's by standard deviation, and are .17)."""

import numpy as np
from onnx import TensorProto, helper

from isnad_base.graph import CONTRIB
from isnad_base.published import WIDTH, Published
from isnad_rerank.graph import Graph, Nodes

from .model import Reader

NARROWING = ".fo"
PARTS = {"ao": "out", "fi": "up", "fo": "down", "aln": "norm1", "oln": "norm2"}


def tensors(model: Reader, given: Published) -> Published:
    """What was published, with the trained layers in their places."""
    state = {name: value.detach() for name, value in model.encoder.state_dict().items()}
    own = dict(given.tensors)
    for number in range(model.frozen, len(model.encoder.layers)):
        for new, old in (("w", "weight"), ("b", "bias")):
            for part, value in zip("qkv", state[f"layers.{number}.qkv.{old}"].chunk(3), strict=True):
                own[f"l{number}.{part}.{new}"] = value
            for part, name in PARTS.items():
                own[f"l{number}.{part}.{new}"] = state[f"layers.{number}.{name}.{old}"]
    return Published(given.pieces, given.scores, given.raw_rows, own)


class ReaderNodes(Nodes):
    """Nodes whose products have their weights in the graph from layer `frozen` on, in 8 bits."""

    def __init__(self, given: Published, frozen: int) -> None:
        super().__init__(given)
        self.frozen = frozen

    def linear(self, name: str, source: str, parts: list[str]) -> str:
        if int(name[1:].split(".")[0]) < self.frozen:
            return super().linear(name, source, parts)
        bias = self.half(f"{name}.bias", np.concatenate([self.given[f"{part}.b"].numpy() for part in parts]))
        weights = np.concatenate([self.given[f"{part}.w"].numpy() for part in parts])
        if name.endswith(NARROWING):
            product = self.node("MatMul", [source, self.half(f"{name}.weight", weights.T)], f"{name}.product")
            return self.node("Add", [product, bias], f"{name}.result")
        self.int8_weight(name, weights)
        inputs = [source, f"{name}.weight", f"{name}.scale", f"{name}.zero", bias]
        return self.node("DynamicQuantizeMatMul", inputs, f"{name}.result", CONTRIB)


def reader_graph(model: Reader, given: Published) -> Graph:
    """words float [1, length, WIDTH], rows of the shared pieces -> score float [1, 1]."""
    made = ReaderNodes(tensors(model, given), model.frozen)
    x = made.layers(range(len(model.encoder.layers)), made.placed("words"))
    made.constant("row", np.array(0))
    made.node("Gather", [x, "row"], "opening", axis=1)
    made.node("ReduceMean", [x, "second"], "mean", keepdims=0)
    made.node("Concat", ["opening", "mean"], "both", axis=1)
    made.constant("head.weight", model.head.weight.detach().numpy().T.copy())
    made.constant("head.bias", model.head.bias.detach().numpy())
    made.node("Gemm", ["both", "head.weight", "head.bias"], "score")
    graph = made.model(
        "reader",
        [helper.make_tensor_value_info("words", TensorProto.FLOAT, [1, "length", WIDTH])],
        [helper.make_tensor_value_info("score", TensorProto.FLOAT, [1, 1])],
    )
    graph.graph.initializer.extend(made.unpacked)
    return Graph(graph, made.packed)
