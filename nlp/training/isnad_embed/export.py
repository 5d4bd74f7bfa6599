"""The trained table as ONNX with rows in 4 bits, checked against PyTorch, with tokenizer and card."""

import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

from weights import provenance

from .evaluate import Table, measure
from .reference import reference

BLOCK = 32
DATA_SETS = [
    (
        "ANT corpus v1 and v2 (Arabic news of 2017 and 2018)",
        "Apache-2.0; text of the publishers",
        "titles with bodies, sentences",
    ),
    (
        "Reuters-21578, BBC, CNN, FNC-1 (English news)",
        "research use; text of the publishers",
        "titles with bodies, sentences",
    ),
    ("Tatoeba English-Arabic", "CC BY 2.0 FR", "parallel sentences"),
    ("TICO-19 English-Arabic, with terminology", "CC0", "parallel sentences"),
    ("CAMeL Morph MSA", "CC BY 4.0", "glosses, morphological segmentation"),
    ("UniMorph Arabic glosses", "CC BY-SA 3.0", "glosses"),
    ("Maknuune Palestinian lexicon", "CC BY-SA 4.0", "glosses"),
    ("Arabic WordNet, Wiktionary WordNet", "CC BY-SA 3.0", "synonyms"),
    ("CLDR (Arabic and English names)", "Unicode License v3", "names"),
    ("multilingual-e5-small (weights)", "MIT", "teacher of the second stage"),
    ("names.tsv of this repository", "Apache-2.0", "names"),
]


def quantised(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows in 4 bits: uint8 [rows, dims / 2], the low half of a byte for the first half of the dims, and float16 steps [rows, dims / BLOCK]. A
    weight is its half byte minus 8, times the step of its block, the one of a few that leaves the least error."""
    blocks = vectors.reshape(-1, BLOCK)
    largest = blocks[np.arange(len(blocks)), np.abs(blocks).argmax(1)]
    least = np.full(len(blocks), np.inf)
    steps, halves = np.zeros(len(blocks), np.float16), np.zeros(blocks.shape, np.uint8)
    for share in np.linspace(0.7, 1.1, 9):
        tried = (largest / -8 * share).astype(np.float16)
        divisor = np.where(tried == 0, 1, tried).astype(np.float32)[:, None]
        found = np.clip(np.rint(blocks / divisor), -8, 7)
        error = ((found * divisor - blocks) ** 2).sum(1)
        better = error < least
        least[better], steps[better], halves[better] = (
            error[better],
            tried[better],
            (found[better] + 8).astype(np.uint8),
        )
    halves = halves.reshape(vectors.shape)
    middle = vectors.shape[1] // 2
    return halves[:, :middle] | (halves[:, middle:] << 4), steps.reshape(len(vectors), -1)


def unpacked(packed: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """float32 [rows, dims] of what `quantised` gave."""
    halves = np.concatenate([packed & 15, packed >> 4], 1).astype(np.float32) - 8
    return (halves.reshape(len(packed), -1, BLOCK) * steps.astype(np.float32)[:, :, None]).reshape(len(packed), -1)


def read_rows(folder: Path) -> np.ndarray:
    """The float32 rows of an exported table."""
    given = {c.name: numpy_helper.to_array(c) for c in onnx.load(folder / "model.onnx").graph.initializer}
    return unpacked(given["packed"], given["steps"])


def held(rows: np.ndarray) -> np.ndarray:
    """The rows as the opened model holds them: int8 with one scale each."""
    scale = np.maximum(np.abs(rows).max(1, keepdims=True) / np.float32(127), np.float32(1e-9))
    return np.rint(rows / scale) * scale


def with_unknown(vectors: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Row 0, the unknown token, gets the direction in which the other rows vary least."""
    _, _, right = np.linalg.svd(vectors * np.sqrt(share + 1e-6)[:, None], full_matrices=False)
    out = vectors.copy()
    out[0] = right[-1] * np.median(np.linalg.norm(vectors, axis=1))
    return out


# What onnxruntime makes once, when the session is opened, of the constants alone: int8 rows with one scale each.
UNPACK = [
    ("BitwiseAnd", ["packed", "fifteen"], "low", {}),
    ("BitShift", ["packed", "four"], "high", {"direction": "RIGHT"}),
    ("Concat", ["low", "high"], "halves", {"axis": 1}),
    ("Cast", ["halves"], "counted", {"to": TensorProto.FLOAT}),
    ("Sub", ["counted", "eight"], "centred", {}),
    ("Reshape", ["centred", "blocked"], "blocks", {}),
    ("Cast", ["steps"], "steps32", {"to": TensorProto.FLOAT}),
    ("Unsqueeze", ["steps32", "last"], "steps3", {}),
    ("Mul", ["blocks", "steps3"], "weighed", {}),
    ("Reshape", ["weighed", "whole"], "rows_float", {}),
    ("Abs", ["rows_float"], "sizes", {}),
    ("ReduceMax", ["sizes", "axis"], "largest", {"keepdims": 1}),
    ("Div", ["largest", "levels"], "scale_bare", {}),
    ("Max", ["scale_bare", "least"], "scale2", {}),
    ("Div", ["rows_float", "scale2"], "levels_float", {}),
    ("Round", ["levels_float"], "rounded", {}),
    ("Cast", ["rounded"], "table", {"to": TensorProto.INT8}),
    ("Squeeze", ["scale2", "axis"], "scale", {}),
]

SUM = [
    ("Gather", ["table", "input_ids"], "rows8", {}),
    ("Cast", ["rows8"], "rows", {"to": TensorProto.FLOAT}),
    ("Gather", ["scale", "input_ids"], "row_scale", {}),
    ("Mul", ["row_scale", "weights"], "scaled", {}),
    ("Unsqueeze", ["scaled", "axis"], "left", {}),
    ("MatMul", ["left", "rows"], "sum3", {}),
    ("Squeeze", ["sum3", "axis"], "sum", {}),
    ("ReduceL2", ["sum", "axis"], "norm", {"keepdims": 1}),
    ("Max", ["norm", "least"], "divisor", {}),
    ("Div", ["sum", "divisor"], "embedding", {}),
]


def graph(packed: np.ndarray, steps: np.ndarray) -> onnx.ModelProto:
    """input_ids int32 [batch, length], weights float [batch, length] -> embedding float [batch, dims], unit length."""
    dims = packed.shape[1] * 2
    constants = {
        "packed": packed,
        "steps": steps,
        "fifteen": np.array(15, np.uint8),
        "four": np.array(4, np.uint8),
        "eight": np.array(8, np.float32),
        "levels": np.array(127, np.float32),
        "blocked": np.array([-1, dims // BLOCK, BLOCK]),
        "whole": np.array([-1, dims]),
        "axis": np.array([1]),
        "last": np.array([2]),
        "least": np.array(1e-9, np.float32),
    }
    made = helper.make_graph(
        [helper.make_node(op, ins, [out], **more) for op, ins, out, more in [*UNPACK, *SUM]],
        "weighted_bag",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT32, ["batch", "length"]),
            helper.make_tensor_value_info("weights", TensorProto.FLOAT, ["batch", "length"]),
        ],
        [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", dims])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.checker.check_model(model)
    return model


def check(path: Path, vectors: np.ndarray, shipped: np.ndarray) -> tuple[float, float]:
    """Largest difference of the ONNX output from PyTorch on the shipped rows as it holds them, and least cosine to the rows of training."""
    rng = np.random.default_rng(1)
    ids = rng.integers(0, len(shipped), (64, 40)).astype(np.int32)
    weights = np.sqrt(rng.integers(0, 4, ids.shape)).astype(np.float32)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    (got,) = session.run(None, {"input_ids": ids, "weights": weights})

    def reference(rows: np.ndarray) -> torch.Tensor:
        summed = torch.nn.functional.embedding_bag(
            torch.from_numpy(ids), torch.from_numpy(rows), mode="sum", per_sample_weights=torch.from_numpy(weights)
        )
        return torch.nn.functional.normalize(summed, dim=1)

    exact = reference(shipped)
    cosine = (torch.from_numpy(got) * reference(vectors)).sum(1)
    return float((torch.from_numpy(got) - exact).abs().max()), float(cosine.min())


def described(path: Path) -> dict:
    return {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "bytes": path.stat().st_size}


def constants_of(model: bytes, arrays: dict[str, np.ndarray]) -> dict:
    """Where the values of each array stand in the file, so that they are read without a reader of protobuf messages."""
    places = {}
    for name, array in arrays.items():
        values = array.tobytes()
        assert model.count(values) == 1, name
        places[name] = {"offset": model.index(values), "bytes": len(values)}
    return places


def export(
    folder: Path, tokenizer_json: str, vectors: np.ndarray, share: np.ndarray, power: float, trained_by: str
) -> None:
    tokenizer = Tokenizer.from_str(tokenizer_json)
    vectors = with_unknown(vectors[: tokenizer.get_vocab_size()], share[: tokenizer.get_vocab_size()])
    packed, steps = quantised(vectors)
    rows = held(unpacked(packed, steps))
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(graph(packed, steps), folder / "model.onnx")
    (folder / "tokenizer.json").write_text(tokenizer_json, encoding="utf8")
    difference, cosine = check(folder / "model.onnx", vectors, rows)
    assert difference < 1e-5, difference
    shipped = Table(tokenizer, rows, power)
    (folder / "reference.json").write_text(reference(shipped), encoding="utf8")
    before, after = measure(Table(tokenizer, vectors, power)), measure(shipped)
    loss = max(before[k] - after[k] for k in before)
    print(f"ONNX against PyTorch {difference:.1e}; least cosine to float rows {cosine:.5f}; largest loss {loss:.4f}")
    files = {name: described(folder / name) for name in ("model.onnx", "tokenizer.json", "reference.json")}
    card = {
        "name": folder.name,
        "revision": files["model.onnx"]["sha256"][:8],
        "task": "embed",
        "languages": ["ar", "en"],
        "description": "Static subword embedding for Arabic and English in one space: the weighted sum of the rows of a "
        "table, one row a morpheme, in 4 bits with a step for every 32 weights, to unit length.",
        "licence": "Apache-2.0",
        "dims": int(rows.shape[1]),
        "architecture": "weighted-bag",
        "count_power": power,
        "files": files,
        "constants": constants_of((folder / "model.onnx").read_bytes(), {"packed": packed, "steps": steps}),
        "starting_weights": provenance(DATA_SETS),
        "training_data": [{"name": n, "licence": lic, "used_for": use} for n, lic, use in DATA_SETS],
        "trained_by": trained_by,
        "measured_by": "bun run eval --task embed",
        "metrics": [
            {"set": "ONNX against PyTorch", "metric": "largest absolute difference", "value": round(difference, 8)},
            {
                "set": "4 bits against float rows",
                "metric": "largest loss over all sets",
                "value": round(float(loss), 4),
            },
            *({"set": s, "metric": m, "value": round(float(v), 4)} for (s, m), v in after.items()),
        ],
    }
    (folder / "model.json").write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", encoding="utf8")
    for metric in card["metrics"]:
        print(f"{metric['set']:36} {metric['metric']:12} {metric['value']}")
