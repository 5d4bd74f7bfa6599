"""The reranker's files: the graph, checked against PyTorch; a reference for the tests of the platform; and the card."""

import hashlib
import json
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

from isnad_base import pieces, teacher
from isnad_base.published import LAYERS, WIDTH
from weights import provenance

from .graph import LONGEST, Graph, encoder_graph

FILES = ("model.onnx", "weights.bin", "reference.json")
PREFIXES = {"query": "query: ", "passage": "passage: "}
"""What the encoder was trained to read before the two kinds of text."""
LEAST_COSINE = 0.98
"""Of a text's vector as the graph gives it with the one as PyTorch does in floats."""
DATA_SETS = [("multilingual-e5-small (weights)", "MIT", "all of it: nothing is trained")]
QUERIES = ["متى تأسست جامعة القاهرة؟", "who raised interest rates", ""]
PASSAGES = [
    "تأسست جامعة القاهرة في عام ١٩٠٨، وكانت تسمى الجامعة المصرية.",
    "هطلت أمطار غزيرة على شمال البلاد.",
    "The central bank raised interest rates to slow inflation. " * 12,
    "😀😀",
    "A\tb\n\u200f",
]
"""Whose cosines the platform's tests compare."""


def session(graph: Graph, folder: Path) -> onnxruntime.InferenceSession:
    """The graph, saved in the folder for it."""
    graph.save(folder / "graph.onnx")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(folder / "graph.onnx"), options, providers=["CPUExecutionProvider"])


def vectors(run: onnxruntime.InferenceSession, kind: str, texts: list[str]) -> np.ndarray:
    """float32 [texts, WIDTH], as lib/models/tasks/rerank makes them."""
    rows = pieces.rows().numpy()
    read = pieces.encode([PREFIXES[kind] + text for text in texts], LONGEST)
    return np.concatenate([run.run(None, {"words": rows[ids][None]})[0] for ids in read])


def revision(files: dict[str, dict]) -> str:
    """Changes with whatever vectors follow from: those of two revisions are not compared."""
    shared = json.loads((pieces.FOLDER / "model.json").read_text(encoding="utf8"))["revision"]
    parts = [files["model.onnx"]["sha256"], files["weights.bin"]["sha256"], shared, PREFIXES, LONGEST]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:8]


def export(folder: Path, trained_by: str) -> None:
    """Ends with an AssertionError when the graph says another thing than PyTorch."""
    folder.mkdir(parents=True, exist_ok=True)
    graph = encoder_graph()
    onnx.save(graph.model, folder / "model.onnx")
    (folder / "weights.bin").write_bytes(graph.packed())
    with tempfile.TemporaryDirectory() as made:
        run = session(graph, Path(made))
        queries, passages = vectors(run, "query", QUERIES), vectors(run, "passage", PASSAGES)
    told = [
        teacher.vectors(texts, PREFIXES[kind], LONGEST) for kind, texts in (("query", QUERIES), ("passage", PASSAGES))
    ]
    cosine = min(float((a * b).sum(1).min()) for a, b in zip((queries, passages), told, strict=True))
    assert cosine > LEAST_COSINE, cosine
    alike = (queries @ passages.T).astype(float).round(4).tolist()
    reference = {"queries": QUERIES, "passages": PASSAGES, "cosines": alike}
    (folder / "reference.json").write_text(json.dumps(reference) + "\n", encoding="utf8")
    files = {}
    for name in FILES:
        data = (folder / name).read_bytes()
        files[name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    card = {
        "name": folder.name,
        "revision": revision(files),
        "task": "rerank",
        "languages": ["ar", "en"],
        "description": "multilingual-e5-small, whole, over the shared pieces: a passage is read to one vector when its article is indexed, a query when it is "
        "asked, and how alike the two are is weighed with the place in which the passage was found. Arabic and English.",
        "licence": "MIT",
        "architecture": "dual-encoder",
        "dims": WIDTH,
        "max_tokens": LONGEST,
        "prefixes": PREFIXES,
        "pieces": pieces.FOLDER.name,
        "packed": {"layers": LAYERS, "matrices": graph.shapes()[: len(graph.matrices) // LAYERS]},
        "files": files,
        "starting_weights": provenance(DATA_SETS),
        "training_data": [{"name": n, "licence": lic, "used_for": use} for n, lic, use in DATA_SETS],
        "trained_by": trained_by,
        "measured_by": "bun run eval --task rerank",
        "metrics": [
            {
                "set": "the texts of reference.json, the graph in int8 against PyTorch in floats",
                "metric": "least cosine",
                "value": round(cosine, 4),
            }
        ],
    }
    (folder / "model.json").write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", encoding="utf8")
    print(f"the graph's vectors have a cosine of {cosine:.4f} at least with PyTorch's")
