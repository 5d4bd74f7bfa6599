"""The reranker as two ONNX graphs: match.onnx looks for the best stretch of each passage by static vectors; model.onnx reads query and
stretches with the contextual layers and judges."""

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper

from isnad_base.encoder import HEADS
from isnad_base.graph import CONTRIB, Builder, Ranges
from isnad_base.published import WIDTH

from .matching import LEAST, STEP, WINDOW, Matching
from .model import Judge
from .numbers import FEATURES, NUMBERS
from .reader import Reader


class Nodes(Builder):
    """A collector whose nodes are written shortly."""

    def add(self, op: str, inputs: str, output: str, domain: str = "", **attributes) -> str:
        """`inputs` and `output` are names with blanks between them; `-` is an input that is not given."""
        names = ["" if name == "-" else name for name in inputs.split()]
        self.nodes.append(helper.make_node(op, names, output.split(), domain=domain, **attributes))
        return output

    def unit(self, source: str, axis: str, output: str) -> str:
        """The vectors along the axis at unit length; those of no length stay."""
        self.add("ReduceL2", f"{source} {axis}", f"{output}.norm", keepdims=1)
        self.add("Max", f"{output}.norm least", f"{output}.divisor")
        return self.add("Div", f"{source} {output}.divisor", output)


def value(name: str, kind: int, *shape: str | int) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, list(shape))


def match_graph(matching: Matching) -> onnx.ModelProto:
    """rows float [U, width], the rows of the different tokens; query int32 [Q], places in rows, each once; query_weights and importance float [Q];
    passages int32 [N, L], places in rows, and weights float [N, L], 0 where there is no token; features float [N, FEATURES]. L is a multiple of
    STEP and at least WINDOW. -> numbers float [N, NUMBERS]; window int64 [N], the number of the best stretch, a STEP each."""
    made = Nodes()
    for name, given in {
        "axes": matching.axes,
        "first": np.array([0]),
        "second": np.array([1]),
        "zero": np.array(0, np.float32),
        "one": np.array(1, np.float32),
        "least": np.array(LEAST, np.float32),
        "least_best": np.array(0.05, np.float32),
    }.items():
        made.constant(name, given)
    made.add("MatMul", "rows axes", "turned")
    made.add("Gather", "turned query", "q")
    made.add("Gather", "turned passages", "p")
    made.add("Unsqueeze", "query_weights first", "q.weights")
    made.add("MatMul", "q.weights q", "q.sum")
    made.unit("q.sum", "second", "q.bag")
    made.add("Unsqueeze", "weights second", "p.weights")
    made.add("MatMul", "p.weights p", "p.sum3")
    made.add("Squeeze", "p.sum3 second", "p.sum")
    made.unit("p.sum", "second", "p.bag")
    made.add("Transpose", "q.bag", "q.bag.column", perm=[1, 0])
    made.add("MatMul", "p.bag q.bag.column", "cosine")
    made.add("ReduceMax", "cosine first", "cosine.best", keepdims=1)
    made.add("Max", "cosine.best least_best", "cosine.divisor")
    made.add("Div", "cosine cosine.divisor", "cosine.share")
    made.unit("turned", "second", "unit")
    made.add("Gather", "unit query", "q.unit")
    made.add("Transpose", "unit", "unit.t", perm=[1, 0])
    made.add("MatMul", "q.unit unit.t", "alike.tokens")
    made.add("Gather", "alike.tokens passages", "alike.places", axis=1)
    made.add("Greater", "weights zero", "there")
    made.add("Cast", "there", "present", to=TensorProto.FLOAT)
    made.add("Mul", "alike.places present", "alike.present")
    made.add("Sub", "present one", "absent")
    made.add("Add", "alike.present absent", "alike.all")
    made.add("MaxPool", "alike.all", "windows", kernel_shape=[WINDOW], strides=[STEP])
    made.add("Unsqueeze", "importance first", "importance.row")
    made.add("Transpose", "windows", "windows.t", perm=[1, 0, 2])
    made.add("MatMul", "importance.row windows.t", "window.scores3")
    made.add("Squeeze", "window.scores3 second", "window.scores")
    made.add("ReduceMax", "window.scores second", "window.best", keepdims=1)
    made.add("ArgMax", "window.scores", "window", axis=1, keepdims=0)
    made.add("Concat", "features cosine cosine.share window.best", "numbers", axis=1)
    floats = [
        ("rows", "U", len(matching.axes)),
        ("query_weights", "Q"),
        ("importance", "Q"),
        ("weights", "N", "L"),
        ("features", "N", FEATURES),
    ]
    ints = [("query", "Q"), ("passages", "N", "L")]
    inputs = [
        *(value(n, TensorProto.FLOAT, *s) for n, *s in floats),
        *(value(n, TensorProto.INT32, *s) for n, *s in ints),
    ]
    return made.model(
        "match", inputs, [value("numbers", TensorProto.FLOAT, "N", NUMBERS), value("window", TensorProto.INT64, "N")]
    )


class ReaderGraph:
    """Nodes of the contextual layers, as often as they are asked for; weights are kept once. With `ranges`, int8."""

    def __init__(self, made: Nodes, reader: Reader, ranges: Ranges | None, longest: int) -> None:
        self.made, self.ranges = made, ranges
        self.state = {name: part.detach().float().numpy() for name, part in reader.state_dict().items()}
        self.layers = len(reader.encoder.layers)
        made.constant("places", self.state["encoder.places.weight"][:longest])
        for name, given in {
            "none": np.array(0, np.int32),
            "from": np.array([0]),
            "second": np.array([1]),
            "last": np.array([-1]),
            "far": np.array(1e9, np.float32),
            "least": np.array(LEAST, np.float32),
            "one": np.array(1, np.float32),
        }.items():
            made.constant(name, given)

    def linear(self, name: str, source: str, side: str) -> str:
        made, weight, bias = self.made, self.state[f"{name}.weight"], self.state[f"{name}.bias"]
        out = f"{side}.{name}.result"
        made.constant(f"{name}.bias", bias)
        if self.ranges is None or name not in self.ranges:
            made.constant(f"{name}.weight", np.ascontiguousarray(weight.T))
            made.add("MatMul", f"{source} {name}.weight", f"{side}.{name}.product")
            return made.add("Add", f"{side}.{name}.product {name}.bias", out)
        made.input_range(name, *self.ranges[name])
        made.int8_weight(name, weight)
        made.add("QuantizeLinear", f"{source} {name}.in_scale {name}.in_zero", f"{side}.{name}.in8")
        inputs = " ".join(f"{name}.{part}" for part in ("weight", "in_scale", "scale", "in_zero", "zero", "bias"))
        return made.add("MatMulIntegerToFloat", f"{side}.{name}.in8 {inputs}", out, CONTRIB)

    def norm(self, name: str, source: str, side: str) -> str:
        for kind in ("weight", "bias"):
            self.made.constant(f"{name}.{kind}", self.state[f"{name}.{kind}"])
        out = f"{side}.{name}.result"
        return self.made.add("LayerNormalization", f"{source} {name}.weight {name}.bias", out, axis=-1, epsilon=1e-12)

    def vectors(self, ids: str, words: str, side: str) -> str:
        """ids int32 [batch, length] and words float [batch, length, WIDTH] -> [batch, WIDTH]."""
        made = self.made
        made.add("Equal", f"{ids} none", f"{side}.absent")
        made.add("Not", f"{side}.absent", f"{side}.present")
        made.add("Cast", f"{side}.present", f"{side}.mask", to=TensorProto.INT32)
        made.add("Shape", ids, f"{side}.length", start=1, end=2)
        made.add("Slice", f"places from {side}.length", f"{side}.places")
        made.add("Add", f"{words} {side}.places", f"{side}.placed")
        x = self.norm("encoder.norm", f"{side}.placed", side)
        for number in range(self.layers):
            at = f"encoder.layers.{number}"
            here = f"{side}.{at}"
            made.add("Split", self.linear(f"{at}.qkv", x, side), f"{here}.q {here}.k {here}.v", axis=2, num_outputs=3)
            made.add(
                "MultiHeadAttention",
                f"{here}.q {here}.k {here}.v - {side}.mask",
                f"{here}.mixed",
                CONTRIB,
                num_heads=HEADS,
            )
            made.add("Add", f"{x} {self.linear(f'{at}.out', f'{here}.mixed', side)}", f"{here}.sum1")
            x = self.norm(f"{at}.norm1", f"{here}.sum1", side)
            made.add("Gelu", self.linear(f"{at}.up", x, side), f"{here}.inner", CONTRIB)
            made.add("Add", f"{x} {self.linear(f'{at}.down', f'{here}.inner', side)}", f"{here}.sum2")
            x = self.norm(f"{at}.norm2", f"{here}.sum2", side)
        made.add("Squeeze", f"{self.linear('gate', x, side)} last", f"{side}.gate")
        made.add("Cast", f"{side}.mask", f"{side}.here", to=TensorProto.FLOAT)
        made.add("Sub", f"{side}.here one", f"{side}.not")
        made.add("Mul", f"{side}.not far", f"{side}.less")
        made.add("Add", f"{side}.gate {side}.less", f"{side}.gate.there")
        made.add("Softmax", f"{side}.gate.there", f"{side}.shares", axis=1)
        made.add("Unsqueeze", f"{side}.shares second", f"{side}.shares.row")
        made.add("MatMul", f"{side}.shares.row {x}", f"{side}.mean3")
        made.add("Squeeze", f"{side}.mean3 second", f"{side}.mean")
        return made.unit(self.linear("head", f"{side}.mean", side), "second", f"{side}.vector")


def judged(made: Nodes, judge: Judge, numbers: str) -> None:
    """numbers [N, NUMBERS + 1] -> scores [N]: beside their mean and their best, a straight line and a small hidden layer."""

    def matrix(layer: torch.nn.Linear) -> np.ndarray:
        return layer.weight.detach().numpy().T.copy()

    for name, given in {
        "judge.mean": judge.mean.numpy(),
        "judge.spread": judge.scale.numpy(),
        "judge.w1": matrix(judge.first),
        "judge.w2": matrix(judge.last),
        "judge.b1": judge.first.bias.detach().numpy(),
        "judge.w3": matrix(judge.straight),
        "judge.b3": (judge.straight.bias + judge.last.bias).detach().numpy(),
    }.items():
        made.constant(name, given)
    made.add("ReduceMean", f"{numbers} from", "x.mean", keepdims=1)
    made.add("ReduceMax", f"{numbers} from", "x.best", keepdims=1)
    made.add("Sub", f"{numbers} x.mean", "x.less_mean")
    made.add("Sub", f"{numbers} x.best", "x.less_best")
    made.add("Concat", f"{numbers} x.less_mean x.less_best", "beside", axis=1)
    made.add("Sub", "beside judge.mean", "beside.centred")
    made.add("Mul", "beside.centred judge.spread", "ready")
    made.add("MatMul", "ready judge.w1", "hidden.product")
    made.add("Add", "hidden.product judge.b1", "hidden.sum")
    made.add("Relu", "hidden.sum", "hidden")
    made.add("MatMul", "hidden judge.w2", "bent")
    made.add("MatMul", "ready judge.w3", "straight")
    made.add("Add", "bent straight", "both")
    made.add("Add", "both judge.b3", "scores.column")
    made.add("Squeeze", "scores.column second", "scores")


def model_graph(reader: Reader, judge: Judge, ranges: Ranges | None, longest: int) -> onnx.ModelProto:
    """The query and a stretch of each passage as input_ids int32 and words float, the rows of these pieces: query_ids [1, Q] with query_words
    [1, Q, WIDTH], input_ids [N, L] with words [N, L, WIDTH]; numbers float [N, NUMBERS], all but the last number of a candidate
    -> scores float [N], alike float [N, 1]."""
    made = Nodes()
    nodes = ReaderGraph(made, reader, ranges, longest)
    query = nodes.vectors("query_ids", "query_words", "query")
    stretch = nodes.vectors("input_ids", "words", "stretch")
    made.add("Transpose", query, "query.column", perm=[1, 0])
    made.add("MatMul", f"{stretch} query.column", "alike")
    made.add("Concat", "numbers alike", "x", axis=1)
    judged(made, judge, "x")
    inputs = [
        value("query_ids", TensorProto.INT32, 1, "Q"),
        value("query_words", TensorProto.FLOAT, 1, "Q", WIDTH),
        value("input_ids", TensorProto.INT32, "N", "L"),
        value("words", TensorProto.FLOAT, "N", "L", WIDTH),
        value("numbers", TensorProto.FLOAT, "N", NUMBERS),
    ]
    return made.model(
        "rerank", inputs, [value("scores", TensorProto.FLOAT, "N"), value("alike", TensorProto.FLOAT, "N", 1)]
    )
