"""The reranker as ONNX with int8 rows, checked against PyTorch, with tokenizer, reference and card."""

import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

from isnad_embed.export import quantised

from .data import Lists
from .model import Judge
from .numbers import POWER, STEP, WINDOW, beside, raw
from .shipped import Shipped

DATA_SETS = [
    ("ANT corpus v1 and v2 (Arabic news of 2017 and 2018)", "Apache-2.0; text of the publishers", "questions, keywords, titles and summaries made of articles, with their passages"),
    ("Reuters-21578, BBC, CNN, FNC-1 (English news)", "research use; text of the publishers", "the same"),
    ("static-ar-en-256 of this repository", "Apache-2.0", "the table's start, and its tokenizer"),
]


def graph(table: np.ndarray, scale: np.ndarray, model: Judge) -> onnx.ModelProto:
    """query int32 [Q], query_weights and importance float [Q], passages int32 and weights float [N, L], features float [N, 5] -> scores
    float [N]. L is a multiple of STEP and at least WINDOW; a place of weight 0 holds no token."""

    def matrix(layer: torch.nn.Linear) -> np.ndarray:
        return layer.weight.detach().numpy().T.copy()

    constants = {
        "table": table, "scale": scale[:, None], "first": np.array([0]), "second": np.array([1]), "third": np.array([2]),
        "zero": np.array(0, np.float32), "one": np.array(1, np.float32), "least": np.array(1e-6, np.float32),
        "least_best": np.array(0.05, np.float32), "mean": model.mean.numpy(), "spread": model.scale.numpy(),
        "w1": matrix(model.first), "b1": model.first.bias.detach().numpy(), "w2": matrix(model.last),
        "w3": matrix(model.straight), "b3": (model.straight.bias + model.last.bias).detach().numpy(),
    }
    nodes = []

    def add(op: str, inputs: str, out: str, **more) -> None:
        nodes.append(helper.make_node(op, inputs.split(), [out], **more))

    def rows(ids: str, out: str) -> None:
        add("Gather", f"table {ids}", f"{out}8")
        add("Cast", f"{out}8", f"{out}f", to=TensorProto.FLOAT)
        add("Gather", f"scale {ids}", f"{out}s")
        add("Mul", f"{out}f {out}s", out)

    def unit(vectors: str, axis: str, out: str) -> None:
        add("ReduceL2", f"{vectors} {axis}", f"{out}_norm", keepdims=1)
        add("Max", f"{out}_norm least", f"{out}_divisor")
        add("Div", f"{vectors} {out}_divisor", out)

    rows("query", "q")
    rows("passages", "p")
    add("Unsqueeze", "query_weights first", "qw")
    add("MatMul", "qw q", "q_sum")
    unit("q_sum", "second", "q_bag")
    add("Unsqueeze", "weights second", "pw")
    add("MatMul", "pw p", "p_sum3")
    add("Squeeze", "p_sum3 second", "p_sum")
    unit("p_sum", "second", "p_bag")
    add("Transpose", "q_bag", "q_bag_t", perm=[1, 0])
    add("MatMul", "p_bag q_bag_t", "cosine")
    add("ReduceMax", "cosine first", "cosine_best", keepdims=1)
    add("Max", "cosine_best least_best", "cosine_divisor")
    add("Div", "cosine cosine_divisor", "cosine_share")
    unit("q", "second", "q_unit")
    unit("p", "third", "p_unit")
    add("Transpose", "p_unit", "p_unit_t", perm=[0, 2, 1])
    add("MatMul", "q_unit p_unit_t", "alike_all")
    add("Greater", "weights zero", "there")
    add("Cast", "there", "there_f", to=TensorProto.FLOAT)
    add("Unsqueeze", "there_f second", "there_3")
    add("Mul", "alike_all there_3", "alike_there")
    add("Sub", "there_3 one", "less")
    add("Add", "alike_there less", "alike")
    add("MaxPool", "alike", "windows", kernel_shape=[WINDOW], strides=[STEP])
    add("Unsqueeze", "importance first", "importance_row")
    add("MatMul", "importance_row windows", "window_scores3")
    add("Squeeze", "window_scores3 second", "window_scores")
    add("ReduceMax", "window_scores second", "window", keepdims=1)
    add("Concat", "features cosine cosine_share window", "x", axis=1)
    add("ReduceMean", "x first", "x_mean", keepdims=1)
    add("ReduceMax", "x first", "x_best", keepdims=1)
    add("Sub", "x x_mean", "from_mean")
    add("Sub", "x x_best", "from_best")
    add("Concat", "x from_mean from_best", "beside", axis=1)
    add("Sub", "beside mean", "centred")
    add("Mul", "centred spread", "ready")
    add("MatMul", "ready w1", "hidden_w")
    add("Add", "hidden_w b1", "hidden_b")
    add("Relu", "hidden_b", "hidden")
    add("MatMul", "hidden w2", "bent")
    add("MatMul", "ready w3", "straight")
    add("Add", "bent straight", "both")
    add("Add", "both b3", "scores2")
    add("Squeeze", "scores2 second", "scores")

    def value(name: str, kind: int, *shape: str | int) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, kind, list(shape))

    made = helper.make_graph(
        nodes,
        "late_interaction",
        [
            value("query", TensorProto.INT32, "Q"), value("query_weights", TensorProto.FLOAT, "Q"),
            value("importance", TensorProto.FLOAT, "Q"), value("passages", TensorProto.INT32, "N", "L"),
            value("weights", TensorProto.FLOAT, "N", "L"), value("features", TensorProto.FLOAT, "N", 5),
        ],
        [value("scores", TensorProto.FLOAT, "N")],
        [numpy_helper.from_array(v, name) for name, v in constants.items()],
    )
    built = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.checker.check_model(built)
    return built


def occurrence_weights(ids: np.ndarray) -> np.ndarray:
    _, back, counts = np.unique(ids, return_inverse=True, return_counts=True)
    return (counts[back] ** (POWER - 1)).astype(np.float32)


def run(session: onnxruntime.InferenceSession, lists: Lists, i: int, x: np.ndarray, importance: np.ndarray) -> np.ndarray:
    passages = [lists.passages[c] for c in lists.candidates[i]]
    longest = max(2 * STEP, *(len(p) for p in passages))
    length = -(-longest // STEP) * STEP
    ids = np.zeros((len(passages), length), np.int32)
    weights = np.zeros(ids.shape, np.float32)
    for row, p in enumerate(passages):
        ids[row, : len(p)] = p
        weights[row, : len(p)] = occurrence_weights(p)
    different, counts = np.unique(lists.queries[i], return_counts=True)
    fed = {
        "query": different.astype(np.int32), "query_weights": (counts**POWER).astype(np.float32),
        "importance": importance[different] / importance[different].sum(), "passages": ids, "weights": weights,
        "features": x[: len(passages), :5],
    }
    return session.run(None, fed)[0]


def export(folder: Path, shipped: Shipped, table: np.ndarray, model: Judge, held: Lists, trained_by: str, metrics: list[dict]) -> None:
    """`held` are lists that the model was not trained on; on them the graph is compared with PyTorch, and int8 with float rows."""
    rows, scale = quantised(table)
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(graph(rows, scale, model), folder / "model.onnx")
    (folder / "tokenizer.json").write_text(shipped.json, encoding="utf8")
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
    importance = shipped.importance()
    count = max(len(c) for c in held.candidates)
    found = {}
    for name, used in (("int8", rows.astype(np.float32) * scale[:, None]), ("float", table)):
        x, grades, present = raw(held, used, importance, count)
        with torch.no_grad():
            found[name] = (x, model(torch.from_numpy(beside(x, present))).numpy())
    difference = max(
        float(np.abs(run(session, held, i, found["int8"][0][i], importance) - found["int8"][1][i, : len(c)]).max())
        for i, c in enumerate(held.candidates)
    )
    assert difference < 1e-3, difference
    loss = ndcg(held, found["float"][1]) - ndcg(held, found["int8"][1])
    files = {}
    for name in ("model.onnx", "tokenizer.json"):
        data = (folder / name).read_bytes()
        files[name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    card = {
        "name": folder.name,
        "revision": files["model.onnx"]["sha256"][:8],
        "task": "rerank",
        "languages": ["ar", "en"],
        "description": "Late interaction of static subword vectors for Arabic and English: how like a passage is to the query as a whole and in its "
        "best stretch, weighed with the first stage's scores and order.",
        "licence": "Apache-2.0",
        "architecture": "late-interaction",
        "files": files,
        "training_data": [{"name": n, "licence": lic, "used_for": use} for n, lic, use in DATA_SETS],
        "trained_by": trained_by,
        "measured_by": "bun run eval --task rerank",
        "metrics": [
            {"set": "ONNX against PyTorch", "metric": "largest absolute difference", "value": round(difference, 7)},
            {"set": "int8 against float rows, synthetic lists not trained on", "metric": "loss of nDCG@10", "value": round(loss, 5)},
            *metrics,
        ],
    }
    (folder / "model.json").write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", encoding="utf8")
    print(f"ONNX against PyTorch {difference:.1e}; int8 costs {loss:.5f} nDCG@10")


def ndcg(lists: Lists, scores: np.ndarray) -> float:
    """Mean nDCG@10 of the lists in the order of their scores."""
    discount = 1 / np.log2(np.arange(2, 12))
    total = 0.0
    for i, grades in enumerate(lists.grades):
        ranked = np.maximum(grades[np.argsort(-scores[i, : len(grades)], kind="stable")][:10], 0)
        best = np.sort(np.maximum(lists.ideal[i], 0))[::-1][:10]
        total += float((ranked * discount[: len(ranked)]).sum() / max(1e-9, (best * discount[: len(best)]).sum()))
    return total / len(lists.grades)
