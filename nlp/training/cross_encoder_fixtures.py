"""Fixtures of the tests of cross-encoders in lib/models: two tiny graphs, each over one of the tokenizers that
tokenizer_fixtures.py makes, with reference scores of pairs, and three graphs that must be refused.

    python cross_encoder_fixtures.py

The references are made by the `tokenizers` library and numpy, one pair at a time, so that batching, padding and cutting in TypeScript show.
"""

import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, processors

FIXTURES = Path(__file__).parents[2] / "lib/models/fixtures"
DIMS = 8
LONGEST = 64
"""Tokens of a pair that a graph has positions for."""

SCALE = 1 / 48
"""The token table is kept in int8."""

DAMPING, GAIN = 0.1, 2.0
"""Weak attention and strong states, so that every token of a pair shows in its score."""

PAIRS = [
    ("When did the bank raise interest rates?", "The central bank raised interest rates on Monday."),
    ("متى رفع البنك المركزي أسعار الفائدة؟", "رفع البنك المركزي أسعار الفائدة يوم الاثنين"),
    ("أسعار الفائدة", "The central bank raised interest rates on Monday."),
    ("interest rates", "الحُكُومَة الأردنيّة أعلنت ميزانية ٢٠٢٦"),
    ("interest rates", "Prices rose, and the minister resigned"),
    ("Elections", "Elections in Tunis: إعلان النتائج 2026!"),
    ("", "Prices rose, and the minister resigned"),
    ("interest rates", ""),
    ("", ""),
    ("x", "ا"),
    ("😀👨‍👩‍👧‍👦🇯🇴", "😀 emoji 😀"),
    ("\u200fأسعار\u200f", "\u202bرفع البنك\u202c \u2067المركزي\u2069"),
    ("in\u0000terest \u0007rates", "\u001b[31mPrices\u007f rose\u0085, and\tthe\r\nminister"),
    ("[SEP] bank </s>", "<s> the [CLS] bank [UNK]"),
    ("naïve café", "déjà-vu ﻻ ligature ﷲ ½"),
]
LONG = [
    (("interest rates", 1), ("The central bank raised rates; رفع البنك أسعار الفائدة. ", 360)),
    (("أسعار الفائدة وميزانية ٢٠٢٦ ", 720), ("رفع البنك المركزي أسعار الفائدة يوم الاثنين", 1)),
    (("interest rates of ", 1200), ("Elections in Tunis ", 1100)),
    (("bank", 1), ("x", 20_000)),
]
"""Texts as a piece and how often it is repeated: some 20,000 characters."""


class Graph:
    """A single attention over token, type and position vectors; the first token's state makes the logits."""

    def __init__(self, vocabulary: int, labels: int, types: bool, seed: int) -> None:
        draw = np.random.default_rng(seed)
        self.tokens = draw.integers(-127, 128, (vocabulary, DIMS), dtype=np.int8)
        self.positions = draw.normal(0, 0.5, (LONGEST, DIMS)).astype(np.float32)
        self.types = draw.normal(0, 1, (2, DIMS)).astype(np.float32) if types else None
        self.head = draw.normal(0, 1, (DIMS, labels)).astype(np.float32)

    def logits(self, ids: list[int], type_ids: list[int]) -> np.ndarray:
        """The logits of one pair."""
        states = self.tokens[ids].astype(np.float32) * np.float32(SCALE) + self.positions[: len(ids)]
        if self.types is not None:
            states = states + self.types[type_ids]
        weights = np.exp(states @ states[0] * np.float32(DAMPING))
        return np.tanh(weights @ states / weights.sum() * np.float32(GAIN)) @ self.head

    def model(self, integer: int, last: int) -> onnx.ModelProto:
        """The graph with inputs of this integer type; from place `last` on, all have its position."""
        nodes = [
            helper.make_node("Gather", ["tokens", "input_ids"], ["rows"]),
            helper.make_node("DequantizeLinear", ["rows", "scale", "zero"], ["token_states"]),
            helper.make_node("Shape", ["input_ids"], ["length"], start=1),
            helper.make_node("Squeeze", ["length"], ["end"]),
            helper.make_node("Range", ["from", "end", "step"], ["counted"]),
            helper.make_node("Min", ["counted", "last"], ["places"]),
            helper.make_node("Gather", ["positions", "places"], ["position_states"]),
            helper.make_node("Add", ["token_states", "position_states"], ["placed"]),
        ]
        inputs = ["input_ids", "attention_mask"]
        states = "placed"
        if self.types is not None:
            inputs.append("token_type_ids")
            states = "states"
            nodes += [
                helper.make_node("Gather", ["types", "token_type_ids"], ["type_states"]),
                helper.make_node("Add", ["placed", "type_states"], [states]),
            ]
        nodes += [
            helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
            helper.make_node("Sub", ["mask", "one"], ["absent"]),
            helper.make_node("Mul", ["absent", "much"], ["bias_flat"]),
            helper.make_node("Unsqueeze", ["bias_flat", "middle"], ["bias"]),
            helper.make_node("Transpose", [states], ["across"], perm=[0, 2, 1]),
            helper.make_node("MatMul", [states, "across"], ["products"]),
            helper.make_node("Mul", ["products", "damping"], ["scores"]),
            helper.make_node("Add", ["scores", "bias"], ["masked"]),
            helper.make_node("Softmax", ["masked"], ["weights"], axis=-1),
            helper.make_node("MatMul", ["weights", states], ["seen"]),
            helper.make_node("Gather", ["seen", "first"], ["summary"], axis=1),
            helper.make_node("Mul", ["summary", "gain"], ["loud"]),
            helper.make_node("Tanh", ["loud"], ["pooled"]),
            helper.make_node("MatMul", ["pooled", "head"], ["logits"]),
        ]
        constants = {
            "tokens": self.tokens,
            "scale": np.array(SCALE, np.float32),
            "zero": np.array(0, np.int8),
            "from": np.array(0, np.int64),
            "step": np.array(1, np.int64),
            "last": np.array(last, np.int64),
            "positions": self.positions,
            "one": np.array(1, np.float32),
            "much": np.array(1e4, np.float32),
            "middle": np.array([1]),
            "damping": np.array(DAMPING, np.float32),
            "gain": np.array(GAIN, np.float32),
            "first": np.array(0, np.int64),
            "head": self.head,
        }
        if self.types is not None:
            constants["types"] = self.types
        return made(nodes, inputs, integer, {"logits": self.head.shape[1]}, constants)


def made(
    nodes: list[onnx.NodeProto],
    inputs: list[str],
    integer: int,
    outputs: dict[str, int | str],
    constants: dict[str, np.ndarray],
) -> onnx.ModelProto:
    """A checked model; an output is given by its name and its second dimension."""
    model = helper.make_model(
        helper.make_graph(
            nodes,
            "tiny",
            [helper.make_tensor_value_info(name, integer, ["rows", "length"]) for name in inputs],
            [
                helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", second])
                for name, second in outputs.items()
            ],
            [numpy_helper.from_array(value, name) for name, value in constants.items()],
        ),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=9,
    )
    onnx.checker.check_model(model)
    return model


def averaging(inputs: list[str], outputs: dict[str, int | str], columns: int) -> onnx.ModelProto:
    """A graph whose every output is the mean of all its inputs, in so many columns."""
    nodes = [helper.make_node("Sum", [f"{name}_cast" for name in inputs], ["sum"])]
    nodes = [helper.make_node("Cast", [name], [f"{name}_cast"], to=TensorProto.FLOAT) for name in inputs] + nodes
    nodes.append(helper.make_node("ReduceMean", ["sum"], ["mean"], axes=[1], keepdims=1))
    nodes += [helper.make_node("Tile", ["mean", "times"], [name]) for name in outputs]
    return made(nodes, inputs, TensorProto.INT64, outputs, {"times": np.array([1, columns])})


def encoded(tokenizer: Tokenizer, query: str, passage: str) -> tuple[list[int], list[int]]:
    """Ids and types of a pair: the query is cut only beyond three quarters of the longest sequence, the passage where the room ends."""
    first = tokenizer.encode(query, add_special_tokens=False)
    first.truncate(LONGEST * 3 // 4)
    second = tokenizer.encode(passage, add_special_tokens=False)
    tokenizer.enable_truncation(LONGEST, strategy="only_second")
    both = tokenizer.post_process(first, second, add_special_tokens=True)
    tokenizer.no_truncation()
    return both.ids, both.type_ids


def joined() -> list[dict[str, object]]:
    """How each kind of post-processor joins two texts."""
    special = [("[CLS]", 2), ("[SEP]", 3)]
    bert = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=special
    )
    roberta = processors.RobertaProcessing(("[SEP]", 3), ("[CLS]", 2), trim_offsets=False, add_prefix_space=False)
    kinds = {
        "a template": bert,
        "a template in another order": processors.TemplateProcessing(
            single="$A", pair="$B [SEP] $A:1", special_tokens=special
        ),
        "BERT": processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2)),
        "RoBERTa": roberta,
        "bytes alone": processors.ByteLevel(),
        "bytes and a template": processors.Sequence([processors.ByteLevel(), bert]),
        "bytes and RoBERTa": processors.Sequence([processors.ByteLevel(), roberta]),
        "none": None,
    }
    rows = []
    for name, kind in kinds.items():
        tokenizer = tokenizer_of(FIXTURES / "wordpiece.json", post_processor=None)
        if kind is not None:
            tokenizer.post_processor = kind
        made = tokenizer.encode("the bank", "rates")
        processor = json.loads(tokenizer.to_str())["post_processor"]
        rows.append({"name": name, "processor": processor, "ids": made.ids, "types": made.type_ids})
    return rows


def tokenizer_of(path: Path, **changes: object) -> Tokenizer:
    """The tokenizer of a fixture."""
    return Tokenizer.from_str(json.dumps({**json.loads(path.read_text())["tokenizer"], **changes}))


def score(logits: np.ndarray) -> float:
    """The probability of one logit, or of the second of two."""
    return float(1 / (1 + np.exp(-(logits[0] if len(logits) == 1 else logits[1] - logits[0]))))


def main() -> None:
    pairs = [((query, 1), (passage, 1)) for query, passage in PAIRS] + LONG
    cases = [{"query": query, "passage": passage, "scores": {}, "tokens": {}} for query, passage in pairs]
    # the first has no position beyond the longest, the second goes on with its last one
    kinds = (("wordpiece", 1, TensorProto.INT64, 2 * LONGEST), ("unigram", 2, TensorProto.INT32, LONGEST - 1))
    for name, labels, integer, last in kinds:
        tokenizer = tokenizer_of(FIXTURES / f"{name}.json")
        graph = Graph(tokenizer.get_vocab_size(), labels, types=name == "wordpiece", seed=labels)
        onnx.save(graph.model(integer, last), FIXTURES / f"cross-encoder-{name}.onnx")
        session = onnxruntime.InferenceSession(FIXTURES / f"cross-encoder-{name}.onnx")
        whole = np.int64 if integer == TensorProto.INT64 else np.int32
        for case, ((query, asked), (passage, times)) in zip(cases, pairs, strict=True):
            ids, types = encoded(tokenizer, query * asked, passage * times)
            logits = graph.logits(ids, types)
            given = {"input_ids": ids, "attention_mask": [1] * len(ids), "token_type_ids": types}
            feeds = {each.name: np.array([given[each.name]], whole) for each in session.get_inputs()}
            np.testing.assert_allclose(session.run(["logits"], feeds)[0][0], logits, atol=1e-5)
            case["scores"][name] = round(score(logits), 6)
            case["tokens"][name] = len(ids)
    content = {"longest": LONGEST, "cases": cases, "joined": joined()}
    (FIXTURES / "cross-encoder.json").write_text(json.dumps(content, ensure_ascii=False) + "\n")
    usual = ["input_ids", "attention_mask"]
    onnx.save(averaging([*usual, "position_ids"], {"logits": 1}, 1), FIXTURES / "cross-encoder-unknown-input.onnx")
    onnx.save(averaging(usual, {"logits": "labels"}, 3), FIXTURES / "cross-encoder-three-labels.onnx")
    onnx.save(averaging(usual, {"scores": 1, "states": 1}, 1), FIXTURES / "cross-encoder-two-outputs.onnx")


if __name__ == "__main__":
    main()
