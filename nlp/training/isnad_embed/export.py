"""The trained table as ONNX with int8 rows, checked against PyTorch, with tokenizer and card."""

import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

from .evaluate import Table, measure
from .reference import reference

DATA_SETS = [
    ("ANT corpus v1 and v2 (Arabic news of 2017 and 2018)", "Apache-2.0; text of the publishers", "titles with bodies, sentences"),
    ("Reuters-21578, BBC, CNN, FNC-1 (English news)", "research use; text of the publishers", "titles with bodies, sentences"),
    ("Tatoeba English-Arabic", "CC BY 2.0 FR", "parallel sentences"),
    ("TICO-19 English-Arabic, with terminology", "CC0", "parallel sentences"),
    ("CAMeL Morph MSA", "CC BY 4.0", "glosses, morphological segmentation"),
    ("UniMorph Arabic glosses", "CC BY-SA 3.0", "glosses"),
    ("Maknuune Palestinian lexicon", "CC BY-SA 4.0", "glosses"),
    ("Arabic WordNet, Wiktionary WordNet", "CC BY-SA 3.0", "synonyms"),
    ("CLDR (Arabic and English names)", "Unicode License v3", "names"),
    ("names.tsv of this repository", "Apache-2.0", "names"),
]


def quantised(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scale = np.maximum(np.abs(vectors).max(1), 1e-9) / 127
    return np.rint(vectors / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def with_unknown(vectors: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Row 0, the unknown token, gets the direction in which the other rows vary least."""
    _, _, right = np.linalg.svd(vectors * np.sqrt(share + 1e-6)[:, None], full_matrices=False)
    out = vectors.copy()
    out[0] = right[-1] * np.median(np.linalg.norm(vectors, axis=1))
    return out


def graph(table: np.ndarray, scale: np.ndarray) -> onnx.ModelProto:
    """input_ids int32 [batch, length], weights float [batch, length] -> embedding float [batch, dims], unit length."""
    constants = {"table": table, "scale": scale, "axis": np.array([1]), "least": np.array(1e-9, np.float32)}
    nodes = [
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
    made = helper.make_graph(
        [helper.make_node(op, ins, [out], **more) for op, ins, out, more in nodes],
        "weighted_bag",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT32, ["batch", "length"]),
            helper.make_tensor_value_info("weights", TensorProto.FLOAT, ["batch", "length"]),
        ],
        [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", table.shape[1]])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.checker.check_model(model)
    return model


def check(path: Path, vectors: np.ndarray, table: np.ndarray, scale: np.ndarray) -> tuple[float, float]:
    """Largest difference of the ONNX output from PyTorch on the same int8 rows, and least cosine to the float rows."""
    rng = np.random.default_rng(1)
    ids = rng.integers(0, len(table), (64, 40)).astype(np.int32)
    weights = np.sqrt(rng.integers(0, 4, ids.shape)).astype(np.float32)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    (got,) = session.run(None, {"input_ids": ids, "weights": weights})

    def reference(rows: np.ndarray) -> torch.Tensor:
        summed = torch.nn.functional.embedding_bag(
            torch.from_numpy(ids), torch.from_numpy(rows), mode="sum", per_sample_weights=torch.from_numpy(weights)
        )
        return torch.nn.functional.normalize(summed, dim=1)

    exact = reference(table.astype(np.float32) * scale[:, None])
    cosine = (torch.from_numpy(got) * reference(vectors)).sum(1)
    return float((torch.from_numpy(got) - exact).abs().max()), float(cosine.min())


def described(path: Path) -> dict:
    return {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "bytes": path.stat().st_size}


def export(folder: Path, tokenizer_json: str, vectors: np.ndarray, share: np.ndarray, power: float, trained_by: str) -> None:
    tokenizer = Tokenizer.from_str(tokenizer_json)
    vectors = with_unknown(vectors[: tokenizer.get_vocab_size()], share[: tokenizer.get_vocab_size()])
    table, scale = quantised(vectors)
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(graph(table, scale), folder / "model.onnx")
    (folder / "tokenizer.json").write_text(tokenizer_json, encoding="utf8")
    difference, cosine = check(folder / "model.onnx", vectors, table, scale)
    assert difference < 1e-5, difference
    shipped = Table(tokenizer, table.astype(np.float32) * scale[:, None], power)
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
        "table, one row a morpheme, int8 with one scale a row, to unit length.",
        "licence": "Apache-2.0",
        "dims": int(table.shape[1]),
        "architecture": "weighted-bag",
        "count_power": power,
        "files": files,
        "training_data": [{"name": n, "licence": lic, "used_for": use} for n, lic, use in DATA_SETS],
        "trained_by": trained_by,
        "measured_by": "bun run eval:embed",
        "metrics": [
            {"set": "ONNX against PyTorch", "metric": "largest absolute difference", "value": round(difference, 8)},
            {"set": "int8 against float rows", "metric": "largest loss over all sets", "value": round(float(loss), 4)},
            *({"set": s, "metric": m, "value": round(float(v), 4)} for (s, m), v in after.items()),
        ],
    }
    (folder / "model.json").write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", encoding="utf8")
    for metric in card["metrics"]:
        print(f"{metric['set']:36} {metric['metric']:12} {metric['value']}")
